"""A laboratory for batch-scheduling research on parallel machines.

>>> import thinktime as tt
>>> log = tt.default_workload(jobs=500)  # or tt.read("KTH-SP2-1996-2.1-cln")
>>> easy = tt.simulate(log, scheduler="easy")
>>> sjf = tt.simulate(log, scheduler="easy:order=sjf")
>>> comparison = tt.compare([easy, sjf], metric="wait_mean_s")
>>> figure = easy.plot()

Workloads: `read`, `default_workload`, `Workload`, `resample`, `scale_load`, `describe`, `peak`, `write`.
Simulations: `simulate`, `Simulation` (step by step), `simulate_stream` (constant memory).
Results: `Result` (`jobs`, `summary()`, `plot()`, `gantt()`, `save()`, `Result.load()`), `check`, `compare`.
Experiments: `Study`, `bootstrap`, `load_sweep`.
Figures: `plots`; `plots.kinds()` lists them.
Formats: `OwnReader` and `OwnWriter` read and write logs in a format of your own.
Policies: subclasses of `Scheduler`, `UserModel`, `Allocator`, `Application` and `Plugin`; `key` composes queue orders.
"""

# Names load when they are used, so that `import thinktime` and the command line's help stay quick. Type checkers read
# the names in `__init__.pyi`, which `python docs/generate.py` writes.

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

__version__ = "0.1.0"

#: public name → the layer that has it. Built-in policies are not listed: the registry finds them by their class names.
_LAYER_OF = {
    "InputError": "errors",
    "OutcomeWarning": "errors",
    "StrictError": "errors",
    "find_log": "traces",
    "OwnReader": "traces",
    "Reader": "traces",
    "ColumnType": "workload",
    "Workload": "workload",
    "Estimates": "workload",
    "peak": "workload",
    "read": "workload",
    "read_sacct": "workload",
    "read_swf": "workload",
    "scale_load": "workload",
    "stream": "workload",
    "stream_swf": "workload",
    "write_swf": "workload",
    "default_workload": "generate",
    "with_estimates": "generate",
    "Resampled": "resampling",
    "Resampler": "resampling",
    "flurries": "resampling",
    "resample": "resampling",
    "resample_stream": "resampling",
    "user_pools": "resampling",
    "write_resample": "resampling",
    "describe": "description",
    "Cluster": "platforms",
    "Machine": "platforms",
    "Allocator": "allocators",
    "OwnAllocator": "allocators",
    "Scheduler": "schedulers",
    "OwnScheduler": "schedulers",
    "key": "schedulers",
    "native": "schedulers",
    "UserModel": "users",
    "OwnUsers": "users",
    "Application": "applications",
    "OwnTechnique": "applications",
    "native_technique": "applications",
    "Plugin": "plugins",
    "OwnPlugin": "plugins",
    "Simulation": "simulation",
    "simulate": "simulation",
    "fair_starts": "simulation",
    "recorded": "simulation",
    "simulate_stream": "simulation",
    "Result": "result",
    "OwnWriter": "result",
    "Writer": "result",
    "write": "result",
    "Summary": "metrics",
    "check": "result",
    "compare": "study.comparison.compare",
    "summarize": "metrics.summarize",
    "Study": "study",
    "Bootstrap": "bootstrapping",
    "LoadSweep": "bootstrapping",
    "bootstrap": "bootstrapping",
    "load_sweep": "bootstrapping",
    "write_trace": "tracing",
}

#: layers that are used by their name, as in tt.testing.check_user_model and tt.plots.gantt
_LAYERS = ("plots", "testing")


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return _public_names()
    value = import_module(f"thinktime.{name}") if name in _LAYERS else _public_name(name) or _policy(name)
    if value is None:
        raise AttributeError(f"module 'thinktime' has no attribute {name!r}", name=name, obj=sys.modules[__name__])
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_public_names(), *_LAYERS])


def _public_name(name: str) -> Any:
    return getattr(import_module(f"thinktime.{_LAYER_OF[name]}"), name) if name in _LAYER_OF else None


def _policy(name: str) -> Any:
    """Return a built-in policy by the name of its class. The schedulers come first, because they load no numpy."""
    if not name[:1].isupper():
        return None
    from thinktime.spec import FOLDERS, built_in

    return next((classes[name] for layer in FOLDERS if name in (classes := built_in(layer))), None)


def _public_names() -> list[str]:
    from thinktime.spec import FOLDERS, built_in

    return ["__version__", *_LAYER_OF, *(name for layer in FOLDERS for name in built_in(layer))]
