"""One file per format in which workloads are written; the registry imports them all."""
