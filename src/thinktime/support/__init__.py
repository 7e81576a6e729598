"""Tools without knowledge of jobs: equality of arrays, files, output files, terminal text, random streams, colours."""
