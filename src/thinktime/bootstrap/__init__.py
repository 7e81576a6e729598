"""Confidence by bootstrap: a log is resampled many times, each resample is simulated, and the results are compared.

Zakay and Feitelson 2014, sections 6.1 and 6.3.
"""

from thinktime.bootstrap.bootstrapped import Bootstrap, bootstrap
from thinktime.bootstrap.sweep import LoadSweep, load_sweep
from thinktime.callable_module import make_callable

__all__ = ["Bootstrap", "LoadSweep", "bootstrap", "load_sweep"]

make_callable(__name__, bootstrap)
