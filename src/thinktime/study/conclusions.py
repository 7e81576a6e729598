"""What follows from a study's runs: every configuration against the baseline, over the blocks that all have.

A block is a workload with a seed. A study of one log without seeds has one block, from which nothing can be
concluded about other workloads; if its jobs were kept, the configurations are compared week by week instead.
What stands in the way, runs that failed, jobs that were rejected, waits that grow to the end, is said first.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from thinktime.errors import InputError
from thinktime.metrics import KNOWN_BY
from thinktime.result import Result
from thinktime.study import run_blocks
from thinktime.study.compare import Comparison, compare, compare_table, compare_tables
from thinktime.study.execute import Outcome
from thinktime.study.file import check_metrics
from thinktime.study.outcomes import baseline_of, by_configuration, values_by_block
from thinktime.study.store import Store, of_study
from thinktime.study.study import Study

Found = dict[str, list[Outcome]]
Values = dict[str, dict[Hashable, float]]  # configuration → block → value


def conclusions(study: Study, store: Store, metrics: Sequence[str]) -> Comparison:
    """Over the runs that are there."""
    check_metrics(metrics, study.grid)
    outcomes = list(of_study(store, study))
    found = {name: runs for name, runs in by_configuration(study, outcomes).items() if runs}
    _require_several(study, found)
    if all(len(runs) == 1 for runs in found.values()) and _kept(store, found) and _plain(study, found, metrics):
        comparison = _by_week(study, store, found, metrics)
    else:
        comparison = _by_block(study, found, outcomes, metrics)
    return replace(comparison, caveats=(*_caveats(study, outcomes, found), *comparison.caveats))


def _require_several(study: Study, found: Found) -> None:
    if not found:
        raise InputError(f"no run of {study.name} has succeeded yet: run the study first")
    if len(found) < 2:
        raise InputError(f"only {next(iter(found))} has runs that succeeded: there is nothing to compare it with")
    if baseline_of(study) not in found:
        raise InputError(f"no run of the baseline {baseline_of(study)} has succeeded yet: run the study to its end")


def _by_block(study: Study, found: Found, outcomes: list[Outcome], metrics: Sequence[str]) -> Comparison:
    """Every metric that can be compared; the others are named."""
    good: dict[str, Values] = {}
    why: list[str] = []
    for metric in metrics:
        values = {name: each for name, each in values_by_block(study, outcomes, metric).items() if name in found}
        known = {name: each for name, each in values.items() if each}
        try:
            _require_known(metric, baseline_of(study), known, list(values))
            compare_table(known, metric=metric, baseline=baseline_of(study))
            good[metric] = known
            if len(known) < len(values):
                left_out = ", ".join(name for name in values if name not in known)
                why.append(f"Left out of {metric}, because no run of theirs has a value of it: {left_out}.")
        except InputError as error:
            why.append(f"{metric} is not compared: {error}.")
    if not good:
        raise InputError(why[0].rstrip("."))
    return replace(compare_tables(good, baseline=baseline_of(study)), caveats=tuple(why))


def _require_known(metric: str, baseline: str, known: Values, every: list[str]) -> None:
    """A comparison needs a value of the baseline and one of another configuration."""
    source = f", which the plugin {KNOWN_BY[metric]} knows" if metric in KNOWN_BY else ""
    if not known:
        raise InputError(f"no run of any configuration has a value of {metric}{source}: choose another metric")
    if baseline not in known:
        raise InputError(
            f"the baseline {baseline} has no value of {metric}{source}: choose a baseline among {', '.join(known)}"
        )
    if len(known) < 2:
        lack = ", ".join(name for name in every if name not in known)
        raise InputError(
            f"only {baseline} has a value of {metric}{source}, and {lack} none: give the others the plugin"
        )


def _kept(store: Store, found: Found) -> bool:
    return all(store.run_directory(run["run"]).is_dir() for runs in found.values() for run in runs)


def _plain(study: Study, found: Found, metrics: Sequence[str]) -> bool:
    """Whether weeks of one log can be compared with the summary's own options, and what plugins know is there."""
    of_plugins = [metric for metric in metrics if metric in KNOWN_BY]
    summaries = [run["summary"] for runs in found.values() for run in runs]
    known = all(summary.get(metric) is not None for summary in summaries for metric in of_plugins)
    if not known or not run_blocks.in_blocks(of_plugins):
        return False
    return set(study.summary) <= {"warmup_s", "cooldown_s", "tau_s"} and study.summary.get("tau_s", 10.0) == 10.0


def _by_week(study: Study, store: Store, found: Found, metrics: Sequence[str]) -> Comparison:
    results = [Result.load(store.run_directory(runs[0]["run"])) for runs in found.values()]
    cuts = {key: study.summary[key] for key in ("warmup_s", "cooldown_s") if key in study.summary}
    return compare(results, metric=list(metrics), names=list(found), baseline=baseline_of(study), **cuts)


def _caveats(study: Study, outcomes: list[Outcome], found: Found) -> Iterator[str]:
    left_out = [name for name in by_configuration(study, outcomes) if name not in found]
    if left_out:
        yield f"Left out, because no run of theirs has succeeded: {', '.join(left_out)}."
    rejected = {name: _share_rejected(runs) for name, runs in found.items()}
    if len(set(rejected.values())) > 1:
        shares = ", ".join(f"{name} {share:.2%}" for name, share in rejected.items())
        yield f"The configurations rejected different shares of the jobs ({shares}): their means are over other jobs."
    for name, runs in found.items():
        full = sum(any(text.startswith("saturated") for text in run.get("warnings") or ()) for run in runs)
        if full:
            yield f"In {full} of {len(runs)} runs of {name} waits grow to the end: its means grow with the workload."


def _share_rejected(runs: list[Outcome]) -> float:
    jobs = sum(run["summary"]["jobs"] for run in runs)
    return sum(run["summary"]["rejected"] for run in runs) / jobs if jobs else 0.0
