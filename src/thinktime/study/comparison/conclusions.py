"""The conclusions of a study: each configuration compared with the baseline, on each log separately.

A *case* is one log (or generator) under one condition, such as a user model. Configurations are compared within a case,
over the blocks that all of them have: seeds, or weeks of the log if the study keeps jobs. One correction for multiple
tests covers all cases. With `pooled` the averages over the logs are compared instead.
Failed runs, rejected jobs and saturated runs come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from thinktime.errors import InputError
from thinktime.metrics import CATALOGUE, Cautions
from thinktime.metrics.cautions import caveats
from thinktime.metrics.jobs import TAU_S
from thinktime.result import Result
from thinktime.study.comparison import run_blocks
from thinktime.study.comparison.block_table import Table, table_of_rows
from thinktime.study.comparison.compare import compare_groups
from thinktime.study.comparison.compared import Comparison, MetricComparison, difference_figure
from thinktime.study.comparison.short_answer import Case, answer, short_names
from thinktime.study.comparison.verdict import VERDICTS
from thinktime.study.execute import Outcome
from thinktime.study.outcomes import (
    baseline_of,
    by_configuration,
    cautions_by_configuration,
    compared_dimensions,
    conditions,
    configuration,
    distinct,
    pooled_cautions,
    runs_by_block,
    values_by_block,
)
from thinktime.study.store import Store, of_study
from thinktime.study.study import Study
from thinktime.study.study_file import check_metrics
from thinktime.support.json_types import JsonDict, JsonTable

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

Key = tuple[str, str]  # log, condition; the log is "" where logs are pooled


@dataclass(frozen=True, repr=False)
class Conclusions:
    """The comparisons of a study: `cases` has them, `words()` is the answer in at most ten lines."""

    cases: tuple[Case, ...]
    level: float = 0.95
    caveats: tuple[str, ...] = ()  # warnings that come first
    pooled: bool = False  # whether logs were averaged
    hint: str = ""  # how to get more from the study
    cautions: Mapping[str, Cautions] = field(default_factory=dict)  # configuration → cautions about its jobs

    def __repr__(self) -> str:
        if len(self.cases) == 1:
            return repr(self.cases[0].comparison).replace("<Comparison", "<Conclusions", 1)
        places = ", ".join(case.place for case in self.cases)
        return f"<Conclusions by {', '.join(self.cases[0].comparison.metrics)}: {len(self.cases)} cases ({places})>"

    def _repr_html_(self) -> str:
        from thinktime.study.comparison.text_tables import comparison_html

        return comparison_html(self.words(), self.cautions, {case.place: case.comparison for case in self.cases})

    def plot(self, metric: str | None = None) -> Figure:
        """Draw the differences to the baseline in one metric, the first by default, in every case."""
        chosen = metric or next(iter(self.cases[0].comparison.metrics))
        found = [(case, case.comparison.metrics[chosen]) for case in self.cases if chosen in case.comparison.metrics]
        if not found:
            raise InputError(f"{chosen!r} was not compared: choose from {', '.join(self.cases[0].comparison.metrics)}")
        contrasts = {
            ", ".join(part for part in (c.name, case.place if len(self.cases) > 1 else "") if part): c
            for case, each in found
            for c in each.contrasts
        }
        return difference_figure(contrasts, found[0][1].table)

    @property
    def only(self) -> Comparison:
        """The comparison, if there is one case."""
        if len(self.cases) != 1:
            places = ", ".join(case.place for case in self.cases)
            raise InputError(f"{len(self.cases)} comparisons: choose one with at(log, condition) from {places}")
        return self.cases[0].comparison

    def __getitem__(self, metric: str) -> MetricComparison:
        """Return a metric of the only case."""
        return self.only[metric]

    def at(self, log: str = "", condition: str = "") -> Comparison:
        """Return the comparison on one log under one condition; an argument may be omitted if one case remains."""
        found = [case for case in self.cases if log in ("", case.log, case.short) and condition in ("", case.condition)]
        if len(found) != 1:
            places = ", ".join(case.place for case in self.cases)
            raise InputError(f"{len(found)} comparisons match {log or 'any log'}, {condition or 'any'} of {places}")
        return found[0].comparison

    def words(self) -> list[str]:
        """Return the answer in sentences, the most important first, in at most ten lines."""
        return answer(self.cases, (*caveats(self.cautions), *self.caveats), self.hint)

    def table(self) -> pl.DataFrame:
        """Return one row per log, condition, metric and configuration."""
        import polars as pl

        frames = [
            case.comparison.table().select(
                pl.lit(case.log).alias("log"), pl.lit(case.condition).alias("condition"), pl.all()
            )
            for case in self.cases
        ]
        return pl.concat(frames)

    def to_dict(self) -> JsonDict:
        """Return the JSON form, with the sentences under `words` and the meaning of the verdicts."""
        cases = [{"log": each.log, "condition": each.condition, **each.comparison.to_dict()} for each in self.cases]
        meaning = {name: each.meaning for name, each in VERDICTS.items()}
        said = {"words": self.words(), "cautions": {name: each.to_dict() for name, each in self.cautions.items()}}
        return {"pooled": self.pooled, "level": self.level, **said, "cases": cases, "verdicts": meaning}

    def __str__(self) -> str:
        from thinktime.study.comparison.text_tables import printed, printed_answer, printed_cautions

        parts = [printed_answer(self.words()), *printed_cautions(self.cautions)]
        for case in self.cases:
            parts += [f"== {case.place}"] if len(self.cases) > 1 else []
            parts.append(printed(case.comparison))
        return "\n\n".join(parts)


def conclusions(study: Study, store: Store, metrics: Sequence[str], *, pooled: bool = False) -> Conclusions:
    """Compare the runs that the store has; with `pooled` over all logs together."""
    check_metrics(metrics, study.grid)
    outcomes = list(of_study(store, study))
    done = _done(study, outcomes)
    why: list[str] = []
    runs_of = _cases(study, done, pooled)
    every = {key: _tables(study, store, key, runs, metrics, why) for key, runs in runs_of.items()}
    groups = {key: tables for key, tables in every.items() if tables}
    if not groups:
        raise InputError(
            (why or [f"only {_names_with_runs(study, done)} has runs: a comparison needs two"])[0].rstrip(".")
        )
    found = {
        key: replace(each, cautions=_cautions(study, runs_of[key]))
        for key, each in compare_groups(groups, baseline_of(study)).items()
    }
    short = short_names(list(dict.fromkeys(log for log, _ in found)))
    cases = tuple(Case(each, key[0], key[1], short[key[0]], _heading(study, key[1])) for key, each in found.items())
    caveats = (*_caveats(study, outcomes), *dict.fromkeys(why))
    cautions = cautions_by_configuration(study, done)
    return Conclusions(cases, caveats=caveats, pooled=pooled, hint=_hint(study, cases), cautions=cautions)


def _cautions(study: Study, runs: Sequence[Outcome]) -> dict[str, Cautions]:
    """Return configuration, as this case names it → the cautions of its runs."""
    found: dict[str, list[Outcome]] = {}
    for run in runs:
        found.setdefault(configuration(run["cell"], compared_dimensions(study)), []).append(run)
    return {name: pooled_cautions(of) for name, of in found.items()}


def _heading(study: Study, condition: str) -> str:
    """Return `users: rigid`; with several dimensions only their entries."""
    held = conditions(study)
    return f"{held[0]}: {condition}" if len(held) == 1 else condition


def _hint(study: Study, cases: Sequence[Case]) -> str:
    """Return how a study of single runs gets intervals."""
    single = all(len(each.table.values) == 1 for case in cases for each in case.comparison.metrics.values())
    if not single or study.keep == "jobs":
        return ""
    return 'For intervals, set keep = "jobs" in the study: then the weeks of each log are compared.'


def _names_with_runs(study: Study, done: Sequence[Outcome]) -> str:
    return ", ".join(dict.fromkeys(configuration(run["cell"], compared_dimensions(study)) for run in done))


def _done(study: Study, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the runs that succeeded, each once; raise InputError if they cannot be compared."""
    order = {task.run: place for place, task in reversed(list(enumerate(study.tasks())))}
    done = distinct(sorted((run for run in outcomes if run["error"] is None), key=lambda run: order[run["run"]]))
    if not done:
        raise InputError(f"no run of {study.name} has succeeded yet: run the study first")
    chosen = {configuration(run["cell"], compared_dimensions(study)) for run in done}
    if len(chosen) < 2:
        raise InputError(f"only {next(iter(chosen))} has runs that succeeded: there is nothing to compare it with")
    if baseline_of(study) not in chosen:
        raise InputError(f"no run of the baseline {baseline_of(study)} has succeeded yet: run the study to its end")
    return done


def _cases(study: Study, done: Sequence[Outcome], pooled: bool) -> dict[Key, list[Outcome]]:
    """Return (log, condition) → its runs, log by log, in the order of the grid."""
    held = conditions(study)
    several = len({run["cell"]["workload"] for run in done}) > 1
    found: dict[Key, list[Outcome]] = {}
    for run in done:
        log = str(run["cell"]["workload"]) if several and not pooled else ""
        found.setdefault((log, configuration(run["cell"], held)), []).append(run)
    logs = list(dict.fromkeys(log for log, _ in found))
    return dict(sorted(found.items(), key=lambda item: logs.index(item[0][0])))


def _tables(
    study: Study, store: Store, key: Key, runs: list[Outcome], metrics: Sequence[str], why: list[str]
) -> list[Table]:
    """Return one table per metric that can be compared in this case; `why` gets a sentence on each other metric."""
    names = [configuration(run["cell"], compared_dimensions(study)) for run in runs]
    if len(names) == len(set(names)) > 1 and baseline_of(study) in names and _by_week(study, store, runs, metrics):
        results = [Result.load(store.run_directory(run["run"])) for run in runs]
        cuts = [study.summary.get(key, 0.0) for key in ("warmup_s", "cooldown_s")]
        return run_blocks.tables(results, list(metrics), names, "auto", *cuts)
    tables = []
    for metric in metrics:
        try:
            tables.append(_table_of_case(study, runs, metric, key, why))
        except InputError as error:
            why.append(f"{metric} is not compared{_at(key)}: {error}.")
    return tables


def _at(key: Key) -> str:
    """Return the case in brackets; empty if there is one case."""
    place = ", ".join(part for part in key if part)
    return f" ({place})" if place else ""


def _table_of_case(study: Study, runs: list[Outcome], metric: str, key: Key, why: list[str]) -> Table:
    values = values_by_block(study, runs, metric, compared_dimensions(study))
    known = {name: each for name, each in values.items() if each}
    _require_known(metric, baseline_of(study), known, list(values))
    if len(known) < len(values):
        left_out = ", ".join(name for name in values if name not in known)
        why.append(f"Left out of {metric}{_at(key)}, because no run has a value of it: {left_out}.")
    return table_of_rows(metric, known, runs_by_block(study, runs))


def _require_known(metric: str, baseline: str, known: JsonTable, every: list[str]) -> None:
    """Raise InputError unless the baseline and another configuration have values."""
    plugin = CATALOGUE.about(metric).runs.plugin
    source = f", which the plugin {plugin} measures" if plugin else ""
    if not known:
        raise InputError(f"no run of any configuration has a value of {metric}{source}: choose another metric")
    if baseline not in known:
        raise InputError(
            f"the baseline {baseline} has no value of {metric}{source}: choose a baseline among {', '.join(known)}"
        )
    if len(known) < 2:
        lack = ", ".join(name for name in every if name not in known) or "no other configuration"
        raise InputError(f"only {baseline} has a value of {metric}{source} ({lack}: none)")


def _by_week(study: Study, store: Store, runs: list[Outcome], metrics: Sequence[str]) -> bool:
    """Whether weeks can be compared: jobs are kept, and every run has a value by time of each plugin metric."""
    of_plugins = [metric for metric in metrics if CATALOGUE[metric].runs.plugin]
    known = all(run["summary"].get(metric) is not None for run in runs for metric in of_plugins)
    kept = all(store.run_directory(run["run"]).is_dir() for run in runs)
    if not kept or not known or not all(CATALOGUE[metric].over_time for metric in of_plugins):
        return False
    return set(study.summary) <= {"warmup_s", "cooldown_s", "tau_s"} and study.summary.get("tau_s", TAU_S) == TAU_S


def _caveats(study: Study, outcomes: list[Outcome]) -> Iterator[str]:
    found = by_configuration(study, outcomes)
    left_out = [name for name, runs in found.items() if not runs]
    if left_out:
        yield f"Left out, because none of their runs succeeded: {', '.join(left_out)}."
