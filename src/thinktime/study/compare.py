"""Comparisons: configurations against a baseline, block by block, and what can be concluded.

A block is what all configurations saw alike: a workload with a seed, a week of one log, or a user. Differences
are taken inside blocks (common random numbers), so what makes a block hard for all cancels. For each
configuration there is Student's interval and the BCa interval of the mean difference, Wilcoxon's and the sign
test with Holm's correction over all tests of the comparison, and the blocks that would be needed; from three
configurations on, average ranks with Nemenyi's critical difference. A difference counts as shown if the interval
leaves out 0, the corrected signed-rank test agrees, most blocks lie on the side of the mean, and neighbouring
blocks are not clearly alike.
Which method why: docs/background/statistics.md.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from thinktime import statistics as st
from thinktime.errors import InputError
from thinktime.result import Result
from thinktime.spec import one_of, suggestion
from thinktime.statistics.interval import check_share
from thinktime.statistics.required_runs import MOST
from thinktime.study import run_blocks
from thinktime.study.block_table import Table, table_of_rows

if TYPE_CHECKING:
    import polars as pl

RESAMPLES = 9999
FEWEST = 10  # blocks below which neighbours are not joined any more
SURELY_ALIKE = 0.01  # p-value of the check below which blocks cannot be taken as independent
#: Metrics of which more is better; of all others less is.
MORE_IS_BETTER = frozenset(("utilisation", "throughput_per_hour", "throughput_per_day", "completed"))

#: What can be said of a difference to the baseline.
VERDICTS = {
    "lower": "shown to be below the baseline",
    "higher": "shown to be above the baseline",
    "equal": "the same in every block",
    "open": "nothing can be concluded",
    "correlated": "nothing can be concluded, because neighbouring blocks are alike",
    "single": "one block, so nothing can be concluded",
}


@dataclass(frozen=True)
class Contrast:
    """One configuration against the baseline; a negative difference is below the baseline."""

    name: str
    baseline: str
    difference: float
    paired: st.Paired | None = None  # None with a single block
    wilcoxon: st.Test | None = None
    sign: st.Test | None = None
    check: st.Independence | None = None  # of the differences in time; None where blocks have no order
    p_holm: float = math.nan  # Wilcoxon's p-value, corrected over all tests of the comparison
    verdict: str = "single"  # a key of VERDICTS
    blocks_needed: int | None = None  # for a difference of this size, with power 80 %; None if shown or hopeless

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class MetricComparison:
    """One metric of all configurations."""

    table: Table
    estimates: Mapping[str, st.Interval]  # empty with a single block
    contrasts: tuple[Contrast, ...]
    ranks: st.Ranks | None  # rank 1 is best; None for two configurations

    def __getitem__(self, name: str) -> Contrast:
        found = {contrast.name: contrast for contrast in self.contrasts}
        if name not in found:
            raise InputError(f"no configuration is called {name!r}{suggestion(name, found)}: choose {', '.join(found)}")
        return found[name]

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.table.to_dict(),
            "estimates": {name: interval.to_dict() for name, interval in self.estimates.items()},
            "contrasts": [contrast.to_dict() for contrast in self.contrasts],
            "ranks": None if self.ranks is None else self.ranks.to_dict(),
        }


@dataclass(frozen=True)
class Comparison:
    """`comparison["wait_mean_s"]["easy"]` is a contrast; `words()` says what can be concluded."""

    metrics: Mapping[str, MetricComparison]
    level: float
    seed: int
    caveats: tuple[str, ...] = ()  # what must be known before the rest is believed

    def __getitem__(self, metric: str) -> MetricComparison:
        if metric not in self.metrics:
            near = suggestion(metric, self.metrics)
            raise InputError(f"{metric!r} was not compared{near}: choose one of {', '.join(self.metrics)}")
        return self.metrics[metric]

    def words(self) -> list[str]:
        """What can and what cannot be concluded, a sentence or two each."""
        from thinktime.study.words import words

        return [*self.caveats, *words(self)]

    def table(self) -> pl.DataFrame:
        """One row for each metric and configuration, the baseline first."""
        import polars as pl

        rows = [row for each in self.metrics.values() for row in rows_of(each)]
        words = {"metric": pl.String, "configuration": pl.String, "verdict": pl.String}
        whole = dict.fromkeys(("blocks", "lower", "equal", "higher", "blocks_needed"), pl.Int64)
        return pl.DataFrame(rows, schema={name: (words | whole).get(name, pl.Float64) for name in rows[0]})

    def to_dict(self) -> dict[str, Any]:
        """What JSON holds; `words` included."""
        from thinktime.result.canonical import jsonable

        metrics = {name: each.to_dict() for name, each in self.metrics.items()}
        return jsonable({"level": self.level, "seed": self.seed, "metrics": metrics, "words": self.words()})

    def __str__(self) -> str:
        from thinktime.study.words import printed

        return printed(self)


def compare(
    results: Sequence[Result],
    *,
    metric: str | Sequence[str] = "bounded_slowdown_mean",
    names: Sequence[str] | None = None,
    baseline: str | None = None,
    by: str = "auto",
    level: float = 0.95,
    seed: int = 1,
    warmup_s: float = 0.0,
    cooldown_s: float = 0.0,
) -> Comparison:
    """Compares runs of the same jobs, job by job inside blocks of one log.

    `by`: `week` or `day` (of submission), `batch` (20 spans with equally many jobs), `user`, or `auto`: weeks if
    there are ten, else batches. Jobs follow each other, so single jobs are no sample; blocks are, once they are
    long enough: neighbouring blocks are joined where that makes their differences look independent. The first
    result is the baseline unless one is named.
    """
    wanted = [metric] if isinstance(metric, str) else list(metric)
    tables = run_blocks.tables(results, wanted, names, by, warmup_s, cooldown_s)
    return _compared(tables, baseline, level, seed)


def compare_table(
    rows: Mapping[str, Mapping[Hashable, float]],
    *,
    metric: str = "value",
    baseline: str | None = None,
    level: float = 0.95,
    seed: int = 1,
) -> Comparison:
    """Compares configurations by their values per block: {configuration: {block: value}}.

    A block is best a pair (workload, seed). Only blocks that all configurations have are compared.
    """
    return compare_tables({metric: rows}, baseline=baseline, level=level, seed=seed)


def compare_tables(
    tables: Mapping[str, Mapping[str, Mapping[Hashable, float]]],
    *,
    baseline: str | None = None,
    level: float = 0.95,
    seed: int = 1,
) -> Comparison:
    """The same for several metrics, {metric: {configuration: {block: value}}}, with one correction over all tests."""
    return _compared([table_of_rows(metric, rows) for metric, rows in tables.items()], baseline, level, seed)


def _compared(tables: Sequence[Table], baseline: str | None, level: float, seed: int) -> Comparison:
    check_share("level", level)
    if not tables:
        raise InputError("no metric is given: name one, such as wait_mean_s")
    if baseline is not None:
        one_of("baseline", baseline, tables[0].names)
    found = [_metric(_joined(table.first(baseline)), level, seed) for table in tables]
    return Comparison(_judged(found, level), level, seed)


def _joined(table: Table) -> Table:
    """With as few neighbouring blocks of time joined as make the most contrasts look independent; ten must remain."""
    lengths = [table]
    while table.ordered and len(lengths[-1].values) // 2 >= FEWEST:
        lengths.append(lengths[-1].joined())
    return max(lengths, key=_independent) if len(lengths) > 1 else table


def _independent(table: Table) -> int:
    """In how many contrasts neighbouring blocks do not look alike."""
    return sum(st.independence(table.differences(column)).passes for column in range(1, len(table.names)))


def _metric(table: Table, level: float, seed: int) -> MetricComparison:
    many, several = len(table.values) > 1, len(table.names) > 2
    contrasts = tuple(_contrast(table, column, level, seed) for column in range(1, len(table.names)))
    estimates = {
        name: st.t_interval(st.weighted_differences(table.values[:, column], table.weights), level)
        for column, name in enumerate(table.names)
        if many
    }
    direction = -1.0 if table.metric in MORE_IS_BETTER else 1.0
    ranks = st.friedman(direction * table.values, level) if many and several else None
    return MetricComparison(table, estimates, contrasts, ranks)


def _contrast(table: Table, column: int, level: float, seed: int) -> Contrast:
    a, b = table.values[:, column], table.values[:, 0]
    name, baseline = table.names[column], table.names[0]
    if len(a) == 1:
        return Contrast(name, baseline, float(a[0] - b[0]))
    pair = st.paired(a, b, weights=table.weights, level=level, seed=seed, resamples=RESAMPLES)
    check = st.independence(table.differences(column)) if table.ordered else None
    return Contrast(name, baseline, pair.difference.estimate, pair, st.wilcoxon(a - b), st.sign_test(a - b), check)


def _judged(found: Sequence[MetricComparison], level: float) -> dict[str, MetricComparison]:
    """With Holm's correction over all tests, and then the verdicts."""
    tested = [contrast for each in found for contrast in each.contrasts if contrast.wilcoxon is not None]
    p = [contrast.wilcoxon.p_value for contrast in tested if contrast.wilcoxon is not None]
    corrected = {id(contrast): float(q) for contrast, q in zip(tested, st.holm(p), strict=True)} if p else {}
    judged = {}
    for each in found:
        contrasts = [_verdict(each.table, c, corrected.get(id(c), math.nan), len(p), level) for c in each.contrasts]
        judged[each.table.metric] = replace(each, contrasts=tuple(contrasts))
    return judged


def _verdict(table: Table, contrast: Contrast, p_holm: float, tests: int, level: float) -> Contrast:
    pair = contrast.paired
    if pair is None:
        return contrast
    if pair.equal == pair.n:
        return replace(contrast, p_holm=p_holm, verdict="equal")
    contrast = replace(contrast, p_holm=p_holm, verdict="open")
    if contrast.check is not None and contrast.check.p_value < SURELY_ALIKE:
        return replace(contrast, verdict="correlated")
    if _shown(contrast, level):
        return replace(contrast, verdict="lower" if contrast.difference < 0 else "higher")
    return replace(contrast, blocks_needed=_needed(table, contrast, tests, level))


def _shown(contrast: Contrast, level: float) -> bool:
    pair = contrast.paired
    if pair is None or 0 in pair.difference or contrast.p_holm > 1 - level:
        return False
    return contrast.difference * (pair.higher - pair.lower) > 0


def _needed(table: Table, contrast: Contrast, tests: int, level: float) -> int | None:
    """Blocks for a difference of this size; at least so many that the corrected rank test can reach the level."""
    if contrast.difference == 0:
        return None
    differences = table.differences(table.names.index(contrast.name))
    needed = st.runs_to_detect(differences, contrast.difference, level=level)
    least = next(n for n in range(2, 100) if tests * 2.0 ** (1 - n) <= 1 - level)
    blocks = max(needed, least)
    return blocks if len(table.values) < blocks < MOST else None


def rows_of(each: MetricComparison) -> list[dict[str, Any]]:
    """The rows of a comparison's table."""
    contrasts = {contrast.name: contrast for contrast in each.contrasts}
    return [_row(each, column, contrasts.get(name)) for column, name in enumerate(each.table.names)]


def _row(each: MetricComparison, column: int, contrast: Contrast | None) -> dict[str, Any]:
    name = each.table.names[column]
    own = each.estimates.get(name)
    return {
        "metric": each.table.metric,
        "configuration": name,
        "blocks": len(each.table.values),
        "estimate": each.table.estimate(column),
        "low": own.low if own else None,
        "high": own.high if own else None,
        **_contrast_row(contrast),
        "average_rank": each.ranks.average[column] if each.ranks else None,
    }


def _contrast_row(contrast: Contrast | None) -> dict[str, Any]:
    pair = contrast.paired if contrast else None
    return {
        "difference": contrast.difference if contrast else None,
        "difference_low": pair.difference.low if pair else None,
        "difference_high": pair.difference.high if pair else None,
        "bca_low": pair.bootstrap.low if pair else None,
        "bca_high": pair.bootstrap.high if pair else None,
        "relative": pair.relative.estimate if pair and pair.relative else None,
        "variance_reduction": pair.variance_reduction if pair else None,
        "lower": pair.lower if pair else None,
        "equal": pair.equal if pair else None,
        "higher": pair.higher if pair else None,
        "wilcoxon_p": contrast.wilcoxon.p_value if contrast and contrast.wilcoxon else None,
        "sign_p": contrast.sign.p_value if contrast and contrast.sign else None,
        "p_holm": contrast.p_holm if pair and contrast else None,
        "verdict": contrast.verdict if contrast else "baseline",
        "blocks_needed": contrast.blocks_needed if contrast else None,
    }
