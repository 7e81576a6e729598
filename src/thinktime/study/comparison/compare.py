"""Comparisons of configurations with a baseline, block by block.

A block is common to all configurations: a workload with a seed, a week of one log, or a user. Differences are taken
within blocks (common random numbers), so what makes a block hard for all configurations cancels. Each configuration
has Student's and the BCa interval of the mean difference, Wilcoxon's and the sign test with Holm's correction over
all tests of the comparison, and the number of blocks that would be needed; three or more configurations have average
ranks with Nemenyi's critical difference. Fewer than five blocks have neither intervals nor tests. Intervals stay
within the bounds of the metric. `verdict.py` decides when a difference counts as shown. The methods are explained in
docs/background/statistics.md.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from thinktime import statistics as st
from thinktime.drawing import draw
from thinktime.errors import InputError
from thinktime.metrics.cautions import Cautions, caveats
from thinktime.result import Result
from thinktime.spec import one_of, suggestion
from thinktime.statistics.interval import FEWEST, check_share
from thinktime.statistics.required_runs import MOST
from thinktime.study.comparison import run_blocks
from thinktime.study.comparison.block_table import Table, identities, table_of_rows
from thinktime.study.comparison.sentences import what
from thinktime.study.comparison.verdict import VERDICTS, fewest_blocks, judge

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

RESAMPLES = 9999
FEWEST_JOINED = 10  # blocks that must remain when neighbours are joined


@dataclass(frozen=True)
class Contrast:
    """One configuration compared with the baseline; a negative difference is below the baseline."""

    name: str
    baseline: str
    difference: float
    relative: float | None = None  # difference / mean of the baseline; None if that mean is not above 0
    paired: st.Paired | None = None  # None with a single block
    wilcoxon: st.Test | None = None
    sign: st.Test | None = None
    check: st.Independence | None = None  # of the differences in time; None if blocks have no order
    p_holm: float = math.nan  # Wilcoxon's p-value, corrected over all tests of the comparison
    verdict: str = "single"  # a key of `verdict.VERDICTS`
    blocks_needed: int | None = None  # for a difference of this size, with power 80 %; None if shown or too many

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, repr=False)
class MetricComparison:
    """One metric of all configurations."""

    table: Table
    estimates: Mapping[str, st.Interval]  # empty with a single block
    contrasts: tuple[Contrast, ...]
    ranks: st.Ranks | None  # rank 1 is best; None for two configurations

    def __repr__(self) -> str:
        verdicts = ", ".join(f"{c.name} {VERDICTS[c.verdict].label}" for c in self.contrasts)
        return f"<MetricComparison by {self.table.metric} with {self.table.names[0]}: {verdicts}>"

    def __getitem__(self, name: str) -> Contrast:
        found = {contrast.name: contrast for contrast in self.contrasts}
        if name not in found:
            raise InputError(f"unknown configuration {name!r}{suggestion(name, found)}: choose from {', '.join(found)}")
        return found[name]

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.table.to_dict(),
            "estimates": {name: interval.to_dict() for name, interval in self.estimates.items()},
            "contrasts": [contrast.to_dict() for contrast in self.contrasts],
            "ranks": None if self.ranks is None else self.ranks.to_dict(),
        }


@dataclass(frozen=True, repr=False)
class Comparison:
    """Configurations against a baseline: `comparison["wait_mean_s"]["easy"]` is one difference.

    `words()` is the answer in at most ten lines, `table()` a data frame, `plot()` a figure.
    """

    metrics: Mapping[str, MetricComparison]
    level: float
    seed: int
    caveats: tuple[str, ...] = ()  # warnings that come first
    cautions: Mapping[str, Cautions] = field(default_factory=dict)  # configuration → cautions about its jobs

    def __getitem__(self, metric: str) -> MetricComparison:
        if metric not in self.metrics:
            near = suggestion(metric, self.metrics)
            raise InputError(f"{metric!r} was not compared{near}: choose from {', '.join(self.metrics)}")
        return self.metrics[metric]

    def __repr__(self) -> str:
        every = list(self.metrics.values())
        parts = [
            f"by {each.table.metric}: " + ", ".join(f"{c.name} {VERDICTS[c.verdict].label}" for c in each.contrasts)
            for each in every
        ]
        return f"<Comparison with {every[0].table.names[0]} {'; '.join(parts)}>"

    def _repr_html_(self) -> str:
        from thinktime.study.comparison.text_tables import comparison_html

        return comparison_html(self.words(), self.cautions, {"": self})

    def plot(self, metric: str | None = None) -> Figure:
        """Draw the differences to the baseline in one metric, the first by default, coloured by verdict."""
        each = self[metric or next(iter(self.metrics))]
        return difference_figure({c.name: c for c in each.contrasts}, each.table)

    def words(self) -> list[str]:
        """Return what can and what cannot be concluded, in sentences, the most important first."""
        from thinktime.study.comparison.short_answer import Case, answer

        return answer([Case(self)], (*caveats(self.cautions), *self.caveats))

    def table(self) -> pl.DataFrame:
        """Return one row per metric and configuration, the baseline first."""
        import polars as pl

        rows = [row for each in self.metrics.values() for row in rows_of(each)]
        words = {"metric": pl.String, "configuration": pl.String, "verdict": pl.String}
        whole = dict.fromkeys(("blocks", "lower", "equal", "higher", "blocks_needed"), pl.Int64)
        return pl.DataFrame(rows, schema={name: (words | whole).get(name, pl.Float64) for name in rows[0]})

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, with the sentences under `words`."""
        from thinktime.result.canonical_json import jsonable

        metrics = {name: each.to_dict() for name, each in self.metrics.items()}
        cautions = {name: found.to_dict() for name, found in self.cautions.items()}
        said = {"cautions": cautions, "words": self.words()}
        return jsonable({"level": self.level, "seed": self.seed, "metrics": metrics, **said})

    def __str__(self) -> str:
        from thinktime.study.comparison.text_tables import printed, printed_answer, printed_cautions

        return "\n\n".join([printed_answer(self.words()), *printed_cautions(self.cautions), printed(self)])


def compare(
    results: Result | Sequence[Result] | Mapping[str, Result],
    *more: Result,
    metric: str | Sequence[str] = "bounded_slowdown_mean",
    names: Sequence[str] | None = None,
    baseline: str | None = None,
    by: run_blocks.By = "auto",
    level: float = 0.95,
    seed: int = 1,
    warmup_s: float = 0.0,
    cooldown_s: float = 0.0,
) -> Comparison:
    """Compare runs of the same jobs with confidence intervals and a verdict, over blocks of the log.

    Jobs that follow each other are not independent. Therefore the log is cut into blocks, and the differences of the
    blocks are the sample. Neighbouring blocks are joined if that makes their differences look independent.

    Parameters
    ----------
    results : sequence of Result, or mapping of names to results
        Two or more runs of the same workload; `compare(first, second)` takes them one by one.
    metric : str or sequence of str
        Metrics that blocks of a run have (default: mean bounded slowdown); see the catalogue of metrics.
    names : sequence of str, optional
        Names of the runs in a sequence. Default: what differs between their specs, such as `easy` and `fcfs`.
    baseline : str, optional
        Name of the run that the others are compared with. Default: the first.
    by : {"auto", "week", "day", "batch", "user"}
        Blocks: `"week"` or `"day"` of submission, `"batch"` (20 spans with equally many jobs), `"user"`, or `"auto"`
        (default): weeks if there are ten, otherwise batches.
    level : float
        Confidence level (default 0.95).
    seed : int
        Seed of the bootstrap intervals (default 1).
    warmup_s, cooldown_s : float
        Exclude the jobs submitted in this period at the beginning and at the end.

    Returns
    -------
    Comparison
        `comparison[metric][name]` is one difference; `print(comparison)` shows answer and tables, `plot()` a figure.

    Raises
    ------
    InputError
        If the runs are of different jobs, or if a metric has no value by block.

    Examples
    --------
    >>> import thinktime as tt
    >>> log = tt.default_workload(weeks=12)
    >>> runs = {"easy": tt.simulate(log, 128), "sjbf": tt.simulate(log, 128, "easy:backfill_order=sjf")}
    >>> tt.compare(runs, metric="wait_mean_s")
    <Comparison with easy by wait_mean_s: sjbf no difference shown>
    """
    if isinstance(results, Mapping):
        names = list(results) if names is None else names
        results = list(results.values())
    results = [*(results if isinstance(results, Iterable) else [results]), *more]
    wanted = [metric] if isinstance(metric, str) else list(metric)
    tables = run_blocks.tables(results, wanted, names, by, warmup_s, cooldown_s)
    cautions = dict(zip(tables[0].names, (result.cautions for result in results), strict=True))
    return replace(_compare_one_group(tables, baseline, level, seed), cautions=cautions)


def compare_table(
    rows: Mapping[str, Mapping[Hashable, float]],
    *,
    metric: str = "value",
    baseline: str | None = None,
    level: float = 0.95,
    seed: int = 1,
) -> Comparison:
    """Compare configurations by their values per block: {configuration: {block: value}}.

    A block is preferably a pair (workload, seed). Only blocks that all configurations have are compared.
    """
    return compare_tables({metric: rows}, baseline=baseline, level=level, seed=seed)


def compare_tables(
    tables: Mapping[str, Mapping[str, Mapping[Hashable, float]]],
    *,
    baseline: str | None = None,
    level: float = 0.95,
    seed: int = 1,
) -> Comparison:
    """Compare several metrics, {metric: {configuration: {block: value}}}, with one correction over all tests."""
    identity = identities(tables.values())
    return _compare_one_group(
        [table_of_rows(metric, rows, identity) for metric, rows in tables.items()], baseline, level, seed
    )


def _compare_one_group(tables: Sequence[Table], baseline: str | None, level: float, seed: int) -> Comparison:
    if not tables:
        raise InputError("metric is empty: name one or more, such as wait_mean_s")
    if baseline is not None:
        one_of("baseline", baseline, tables[0].names)
    return compare_groups({"": tables}, baseline, level=level, seed=seed)[""]


def compare_groups(
    groups: Mapping[Any, Sequence[Table]], baseline: str | None, *, level: float = 0.95, seed: int = 1
) -> dict[Any, Comparison]:
    """Return one comparison per group of tables, such as a log, with one correction over the tests of all groups."""
    check_share("level", level)
    found = {
        key: [_metric(_join_dependent_blocks(table.first(baseline)), level, seed) for table in of]
        for key, of in groups.items()
    }
    judged = _correct_and_judge([each for group in found.values() for each in group], level)
    return {
        key: Comparison({each.table.metric: judged[id(each)] for each in group}, level, seed)
        for key, group in found.items()
    }


def _join_dependent_blocks(table: Table) -> Table:
    """Join neighbouring blocks of time until most contrasts look independent; at least ten blocks remain."""
    lengths = [table]
    while table.ordered and len(lengths[-1].values) // 2 >= FEWEST_JOINED:
        lengths.append(lengths[-1].joined())
    return max(lengths, key=_independent) if len(lengths) > 1 else table


def _independent(table: Table) -> int:
    """Return in how many contrasts neighbouring blocks look independent."""
    return sum(st.independence(table.differences(column)).passes for column in range(1, len(table.names)))


def _metric(table: Table, level: float, seed: int) -> MetricComparison:
    many, several = len(table.values) > 1, len(table.names) > 2
    contrasts = tuple(_contrast(table, column, level, seed) for column in range(1, len(table.names)))
    bounds = table.about.bounds
    estimates = {
        name: st.t_interval(st.weighted_differences(table.values[:, column], table.weights), level, bounds)
        for column, name in enumerate(table.names)
        if many
    }
    turned = -1.0 if table.about.better > 0 else 1.0
    ranks = st.friedman(turned * table.values, level) if len(table.values) >= FEWEST and several else None
    return MetricComparison(table, estimates, contrasts, ranks)


def _contrast(table: Table, column: int, level: float, seed: int) -> Contrast:
    a, b = table.values[:, column], table.values[:, 0]
    difference, base = table.estimate(column) - table.estimate(0), table.estimate(0)
    ratio = difference / base if base > 0 else None
    plain = Contrast(table.names[column], table.names[0], difference, ratio)
    if len(a) == 1:
        return plain
    bounds = table.about.bounds
    pair = st.paired(a, b, weights=table.weights, level=level, seed=seed, resamples=RESAMPLES, bounds=bounds)
    check = st.independence(table.differences(column)) if table.ordered else None
    plain = replace(plain, difference=pair.difference.estimate, paired=pair, check=check)
    tested = len(a) >= FEWEST
    return replace(plain, wilcoxon=st.wilcoxon(a - b), sign=st.sign_test(a - b)) if tested else plain


def _correct_and_judge(found: Sequence[MetricComparison], level: float) -> dict[int, MetricComparison]:
    """Return the comparisons with Holm's correction over all tests and with verdicts, by identity."""
    planned = sum(len(each.contrasts) for each in found)  # tests, if all had enough blocks
    tested = [contrast for each in found for contrast in each.contrasts if contrast.wilcoxon is not None]
    p = [contrast.wilcoxon.p_value for contrast in tested if contrast.wilcoxon is not None]
    corrected = {id(contrast): float(q) for contrast, q in zip(tested, st.holm(p), strict=True)} if p else {}
    judged = {}
    for each in found:
        contrasts = [_verdict(each.table, c, corrected.get(id(c), math.nan), planned, level) for c in each.contrasts]
        judged[id(each)] = replace(each, contrasts=tuple(contrasts))
    return judged


def _verdict(table: Table, contrast: Contrast, p_holm: float, tests: int, level: float) -> Contrast:
    name = judge(table.metric, contrast.paired, contrast.check, p_holm, tests, level)
    judged = replace(contrast, p_holm=p_holm, verdict=name)
    return replace(judged, blocks_needed=_needed(table, judged, tests, level)) if name in ("open", "few") else judged


def _needed(table: Table, contrast: Contrast, tests: int, level: float) -> int | None:
    """Return the blocks needed for a difference of this size, and for the corrected rank test to reach the level."""
    fewest = fewest_blocks(tests, level)
    if contrast.verdict == "few" or contrast.difference == 0:
        return fewest if len(table.values) < fewest else None
    differences = table.differences(table.names.index(contrast.name))
    blocks = max(st.runs_to_detect(differences, contrast.difference, level=level), fewest)
    return blocks if len(table.values) < blocks < MOST else None


def difference_figure(contrasts: Mapping[str, Contrast], table: Table) -> Figure:
    """Return the figure of differences, by label, to the baseline of a table."""
    ends = {label: _difference_ends(contrast) for label, contrast in contrasts.items()}
    about, verdicts = table.about, {label: contrast.verdict for label, contrast in contrasts.items()}
    unit = f" ({about.unit})" if about.unit not in ("", "s") else ""
    return draw(
        "paired_differences",
        ends,
        quantity=f"{what(table)}, difference to {table.names[0]}{unit}",
        seconds=about.unit == "s",
        title=f"{what(table)[:1].upper()}{what(table)[1:]}",
        metric=table.metric,
        verdicts=verdicts,
    )


def _difference_ends(contrast: Contrast) -> tuple[float, float, float]:
    """(low, difference, high); NaN ends without an interval."""
    pair = contrast.paired
    if pair is None or not pair.difference.known:
        return math.nan, contrast.difference, math.nan
    return pair.difference.low, contrast.difference, pair.difference.high


def rows_of(each: MetricComparison) -> list[dict[str, Any]]:
    """Return the rows of the table of a comparison."""
    contrasts = {contrast.name: contrast for contrast in each.contrasts}
    return [_comparison_row(each, column, contrasts.get(name)) for column, name in enumerate(each.table.names)]


def _comparison_row(each: MetricComparison, column: int, contrast: Contrast | None) -> dict[str, Any]:
    name = each.table.names[column]
    own = each.estimates.get(name)
    return {
        "metric": each.table.metric,
        "configuration": name,
        "blocks": len(each.table.values),
        "estimate": each.table.estimate(column),
        "low": own.low if own and own.known else None,
        "high": own.high if own and own.known else None,
        **_contrast_row(contrast),
        "average_rank": each.ranks.average[column] if each.ranks else None,
    }


def _contrast_row(contrast: Contrast | None) -> dict[str, Any]:
    pair = contrast.paired if contrast else None
    ends = pair is not None and pair.difference.known
    return {
        "difference": contrast.difference if contrast else None,
        "difference_low": pair.difference.low if pair and ends else None,
        "difference_high": pair.difference.high if pair and ends else None,
        "bca_low": pair.bootstrap.low if pair and ends else None,
        "bca_high": pair.bootstrap.high if pair and ends else None,
        "relative": contrast.relative if contrast else None,
        "relative_low": pair.relative.low if pair and ends and pair.relative else None,
        "relative_high": pair.relative.high if pair and ends and pair.relative else None,
        "variance_reduction": pair.variance_reduction if pair else None,
        "lower": pair.lower if pair else None,
        "equal": pair.equal if pair else None,
        "higher": pair.higher if pair else None,
        "wilcoxon_p": contrast.wilcoxon.p_value if contrast and contrast.wilcoxon else None,
        "sign_p": contrast.sign.p_value if contrast and contrast.sign else None,
        "p_holm": contrast.p_holm if contrast and contrast.wilcoxon else None,
        "verdict": contrast.verdict if contrast else "baseline",
        "blocks_needed": contrast.blocks_needed if contrast else None,
    }
