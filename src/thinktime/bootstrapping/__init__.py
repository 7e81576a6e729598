"""Confidence by bootstrap: a log is resampled many times, each resample is simulated, and the results are compared.

Zakay and Feitelson 2014, sections 6.1 and 6.3.
"""

from thinktime.bootstrapping.bootstrap import bootstrap
from thinktime.bootstrapping.bootstrapped import Bootstrap
from thinktime.bootstrapping.load_sweep import LoadSweep, load_sweep

__all__ = ["Bootstrap", "LoadSweep", "bootstrap", "load_sweep"]
