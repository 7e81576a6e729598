"""The four data sets that Galleguillos et al. (2020) generate from a log, section 7.3 of their paper."""

from __future__ import annotations

from typing import Any

from thinktime.generate.accasim import AccaSim
from thinktime.generate.generator import between
from thinktime.workload.workload import Workload

#: name → options: faster cores, more nodes, accelerators on some of them
DATA_SETS: dict[str, dict[str, Any]] = {
    "gen-50k": {"jobs": 50_000, "core_speed": 1.5},
    "gen-100k": {"jobs": 100_000, "nodes": 2.0},
    "gen-200k": {"jobs": 200_000, "gpu_share": 0.25},
    "gen-500k": {"jobs": 500_000, "gpu_share": 0.5, "core_speed": 1.5},
}


def published_data_sets(log: Workload, cluster: Any, *, share: float = 1.0, **options: Any) -> dict[str, AccaSim]:
    """Generators of the four data sets, or of a share of their jobs; `options` are those of AccaSim."""
    between("share", share, 0.0001, 1.0)
    learnt = AccaSim(**options).of(log, cluster)
    sizes = {name: max(round(share * given["jobs"]), 1) for name, given in DATA_SETS.items()}
    return {name: learnt.with_options(**{**given, "jobs": sizes[name]}) for name, given in DATA_SETS.items()}
