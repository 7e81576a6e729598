"""thinktime: a laboratory for batch-scheduling research on parallel machines."""

__version__ = "0.1.0"
