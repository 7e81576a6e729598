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
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from thinktime import statistics as st
from thinktime.errors import InputError
from thinktime.result import Result
from thinktime.spec import one_of
from thinktime.statistics.interval import FEWEST, check_share
from thinktime.statistics.required_runs import MOST
from thinktime.study.comparison import run_blocks
from thinktime.study.comparison.block_table import Table, identities, table_of_rows
from thinktime.study.comparison.compared import Comparison, Contrast, MetricComparison
from thinktime.study.comparison.verdict import fewest_blocks, judge

if TYPE_CHECKING:
    pass

RESAMPLES = 9999
FEWEST_JOINED = 10  # blocks that must remain when neighbours are joined


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
