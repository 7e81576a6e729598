"""thinktime: a laboratory for batch-scheduling research on parallel machines.

Names load when they are used, so that `import thinktime` and the command line's help stay quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

#: public name → the layer that has it
_LAYER_OF = {
    "InputError": "errors",
    "OutcomeWarning": "errors",
    "StrictError": "errors",
    "Workload": "workload",
    "Estimates": "workload",
    "peak": "workload",
    "read_swf": "workload",
    "stream_swf": "workload",
    "write_swf": "workload",
    "AccaSim": "generate",
    "Lublin": "generate",
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
    "BestFit": "allocators",
    "Contiguous": "allocators",
    "CoolestFirst": "allocators",
    "FirstFit": "allocators",
    "OwnAllocator": "allocators",
    "Random": "allocators",
    "WorstFit": "allocators",
    "EDF": "schedulers",
    "FCFS": "schedulers",
    "LJF": "schedulers",
    "SJF": "schedulers",
    "Conservative": "schedulers",
    "Easy": "schedulers",
    "OwnScheduler": "schedulers",
    "Priority": "schedulers",
    "Reject": "schedulers",
    "key": "schedulers",
    "exp": "schedulers",
    "floor": "schedulers",
    "log10": "schedulers",
    "log2": "schedulers",
    "maximum": "schedulers",
    "minimum": "schedulers",
    "native": "schedulers",
    "sqrt": "schedulers",
    "value": "schedulers",
    "where": "schedulers",
    "Adjusted": "users",
    "DistributionBased": "users",
    "Fluid": "users",
    "OwnUsers": "users",
    "Rigid": "users",
    "SessionReplay": "users",
    "Fixed": "applications",
    "Loop": "applications",
    "OtherSimulator": "applications",
    "SimGrid": "applications",
    "Failures": "plugins",
    "Maintenance": "plugins",
    "OwnPlugin": "plugins",
    "Power": "plugins",
    "Reservations": "plugins",
    "Thermal": "plugins",
    "Simulation": "simulation",
    "simulate": "simulation",
    "fair_starts": "simulation",
    "recorded": "simulation",
    "simulate_stream": "simulation",
    "Result": "result",
    "Summary": "metrics",
    "check": "result",
    "compare": "study.comparison.compare",
    "summarize": "metrics",
    "Study": "study",
    "Bootstrap": "bootstrapping",
    "LoadSweep": "bootstrapping",
    "bootstrap": "bootstrapping",
    "load_sweep": "bootstrapping",
    "write_trace": "tracing",
}

__all__ = ["__version__", *_LAYER_OF]


def __getattr__(name: str) -> Any:
    if name == "testing":  # a layer that is used by its name: tt.testing.check_user_model
        return import_module("thinktime.testing")
    if name not in _LAYER_OF:
        raise AttributeError(f"module 'thinktime' has no attribute {name!r}")
    layer = import_module(f"thinktime.{_LAYER_OF[name]}")
    value = layer if name == _LAYER_OF[name] else getattr(layer, name)  # such a layer can be called
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


if TYPE_CHECKING:
    from thinktime.allocators import BestFit, Contiguous, CoolestFirst, FirstFit, OwnAllocator, Random, WorstFit
    from thinktime.applications import Fixed, Loop, OtherSimulator, SimGrid
    from thinktime.bootstrapping import Bootstrap, LoadSweep, bootstrap, load_sweep
    from thinktime.description import describe
    from thinktime.errors import InputError, OutcomeWarning, StrictError
    from thinktime.generate import AccaSim, Lublin, default_workload, with_estimates
    from thinktime.metrics import Summary
    from thinktime.metrics.summarize import summarize
    from thinktime.platforms import Cluster, Machine
    from thinktime.plugins import Failures, Maintenance, OwnPlugin, Power, Reservations, Thermal
    from thinktime.resampling import (
        Resampled,
        Resampler,
        flurries,
        resample,
        resample_stream,
        user_pools,
        write_resample,
    )
    from thinktime.result import Result, check
    from thinktime.schedulers import (
        EDF,
        FCFS,
        LJF,
        SJF,
        Conservative,
        Easy,
        OwnScheduler,
        Priority,
        Reject,
        exp,
        floor,
        key,
        log2,
        log10,
        maximum,
        minimum,
        sqrt,
        value,
        where,
    )
    from thinktime.schedulers.native import native
    from thinktime.simulation import Simulation, fair_starts, recorded, simulate, simulate_stream
    from thinktime.study import Study
    from thinktime.study.comparison.compare import compare
    from thinktime.tracing import write_trace
    from thinktime.users import Adjusted, DistributionBased, Fluid, OwnUsers, Rigid, SessionReplay
    from thinktime.workload import Estimates, Workload, peak, read_swf, stream_swf, write_swf
