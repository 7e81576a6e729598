"""What follows from a study's runs: every configuration against the baseline, over the blocks that all have.

A block is a workload with a seed. A study of one log without seeds has one block, from which nothing can be
concluded about other workloads; if its jobs were kept, the configurations are compared week by week instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from thinktime.errors import InputError
from thinktime.result import Result
from thinktime.study.compare import Comparison, compare, compare_tables
from thinktime.study.execute import Outcome
from thinktime.study.file import check_metrics
from thinktime.study.outcomes import baseline_of, by_configuration, values_by_block
from thinktime.study.store import Store, of_study
from thinktime.study.study import Study

Found = dict[str, list[Outcome]]


def conclusions(study: Study, store: Store, metrics: Sequence[str]) -> Comparison:
    """Over the runs that are there."""
    check_metrics(metrics)
    outcomes = list(of_study(store, study))
    found = by_configuration(study, outcomes)
    _require_several(study, found)
    if all(len(runs) == 1 for runs in found.values()) and _kept(store, found):
        return _by_week(study, store, found, metrics)
    tables = {metric: values_by_block(study, outcomes, metric) for metric in metrics}
    return compare_tables(tables, baseline=baseline_of(study))


def _require_several(study: Study, found: Found) -> None:
    empty = [name for name, runs in found.items() if not runs]
    if empty:
        raise InputError(f"no run of {empty[0]} has succeeded yet: run the study to its end, or leave it out")
    if len(found) < 2:
        raise InputError(f"{study.name} has one configuration only: there is nothing to compare it with")


def _kept(store: Store, found: Found) -> bool:
    return all(store.run_directory(run["run"]).is_dir() for runs in found.values() for run in runs)


def _by_week(study: Study, store: Store, found: Found, metrics: Sequence[str]) -> Comparison:
    results = [Result.load(store.run_directory(runs[0]["run"])) for runs in found.values()]
    cuts = {key: study.summary[key] for key in ("warmup_s", "cooldown_s") if key in study.summary}
    return compare(results, metric=list(metrics), names=list(found), baseline=baseline_of(study), **cuts)
