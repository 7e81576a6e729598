"""One file per format of logs; the registry imports them all."""
