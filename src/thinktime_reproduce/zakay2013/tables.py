"""The values that zakay2013 prints of workloads: Tables I to VII. Rules, tolerances and reasons: `rules`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from thinktime.description import ATTRIBUTES, MEASURES
from thinktime.description.distances import shares_of
from thinktime_reproduce.claim import ABOVE, BELOW, Claim, Ours, Rule, Tolerance
from thinktime_reproduce.reproduction import Findings
from thinktime_reproduce.zakay2013 import rules
from thinktime_reproduce.zakay2013.kept import (
    COUNTED,
    description_of,
    estimated_of,
    estimated_spread_of,
    pools_of,
    spread_of,
)
from thinktime_reproduce.zakay2013.values import (
    SLOPES,
    TABLE_1,
    TABLE_2,
    TABLE_3,
    TABLE_4,
    TABLE_5,
    TABLE_6,
    TABLE_7,
    Row,
)

COLUMNS = ("0 > 1", "0 = 1", "0 < 1", "1 > 2", "1 = 2", "1 < 2")


def claims() -> Iterator[Claim]:
    yield from _logs()
    yield from _similar("Table II", "processors", TABLE_2, "pooled", rules.POOLED, rules.not_processors)
    yield from _similar("Table III", "estimate", TABLE_3, "identical", rules.IDENTICAL, rules.other_users)
    unknown = lambda label: rules.UNKNOWN  # noqa: E731
    yield from _similar("Table IV", "run", TABLE_4, "pooled", rules.POOLED, unknown, rules.NEAREST)
    yield from _classes()
    yield from _depths()
    yield from _slopes()


def _logs() -> Iterator[Claim]:
    for label, row in TABLE_1.items():
        for quantity, value in zip(("processors", "users", "jobs"), row, strict=True):
            ours = lambda found, label=label, quantity=quantity: found.kept[COUNTED, label][quantity]  # noqa: E731
            yield Claim("Table I", label, quantity, value, label, ours, tried=rules.other_version(label))


def _similar(
    table: str,
    attribute: str,
    printed: dict[str, Row],
    statistic: str,
    rule: Rule,
    tried: Callable[[str], rules.Tried | str],
    apart: Tolerance | None = None,
) -> Iterator[Claim]:
    for label, row in printed.items():
        chosen = (rules.ELIGIBLE, rule, *rules.with_estimates(label))
        for k, (column, value) in enumerate(zip(COLUMNS, row, strict=True)):
            ours, words = _similarity_share(label, attribute, statistic, k), f"share of users, {column}"
            yield Claim(table, label, words, value, label, ours, tolerance=apart, rules=chosen, tried=tried(label))


def _similarity_share(label: str, attribute: str, statistic: str, k: int) -> Ours:
    def ours(findings: Findings) -> float | None:
        found = estimated_of(findings, label).similarity.get(attribute)
        return None if found is None else float(shares_of(found, statistic)[k])

    return ours


def _classes() -> Iterator[Claim]:
    words = ("long-term users", "jobs of long-term users", "temporary users", "jobs of temporary users")
    chosen = (rules.EDGES, rules.TERMINATION)
    for label, row in TABLE_5.items():
        tried = rules.other_version(label)
        for k, value in enumerate(row):
            ours, apart = _class(label, k), rules.JOBS_APART if k % 2 else None
            yield Claim("Table V", label, words[k], value, label, ours, tolerance=apart, rules=chosen, tried=tried)


def _class(label: str, k: int) -> Ours:
    kind = ("long_term", "temporary")[k // 2]
    return lambda found: float((pools_of(found, label).jobs if k % 2 else pools_of(found, label).count)(kind))


def _depths() -> Iterator[Claim]:
    for label, row in TABLE_6.items():
        own_rules, tried = (rules.STACK, *rules.with_estimates(label)), rules.other_version(label)
        for attribute, (own, mean, sd) in zip(("run", "estimate", "processors"), row, strict=True):
            measure, words = f"stack_depth.{attribute}", f"stack depth, {ATTRIBUTES[attribute]}"
            ours, apart = _depth(label, measure), rules.DEPTH_APART
            yield Claim("Table VI", label, words, own, label, ours, tolerance=apart, rules=own_rules, tried=tried)
            ours, apart, chosen = _mean_depth(label, measure), rules.deviations(sd), (*own_rules, rules.ANY_WEEK)
            words = f"{words}, resamples"
            yield Claim("Table VI", label, words, mean, label, ours, tolerance=apart, rules=chosen, tried=tried)


def _depth(label: str, measure: str) -> Ours:
    return lambda found: known(MEASURES[measure].value(estimated_of(found, label)))


def _mean_depth(label: str, measure: str) -> Ours:
    value = MEASURES[measure].value
    return lambda found: known(float(np.mean([value(each) for each in estimated_spread_of(found, label)])))


def _slopes() -> Iterator[Claim]:
    counts, weeks = (rules.COUNTS,), (rules.COUNTS, rules.ANY_WEEK)
    for label, (own, mean, sd) in TABLE_7.items():
        log, resamples, apart = of_log(label, "hurst"), of_resamples(label, "hurst"), rules.deviations(sd)
        tried = rules.other_blocks(label)
        yield Claim("Table VII", label, "H", own, label, log, tolerance=rules.HURST_APART, rules=counts, tried=tried)
        words = "H, resamples"
        yield Claim("Table VII", label, words, mean, label, resamples, tolerance=apart, rules=weeks, tried=tried)
        for take, kind, bound in ((np.min, ABOVE, SLOPES[0]), (np.max, BELOW, SLOPES[1])):
            words = f"H, {'least' if kind == ABOVE else 'greatest'} of the resamples"
            ours, tried = of_resamples(label, "hurst", take), rules.printed_spread(label)
            yield Claim("Table VII", label, words, bound, label, ours, kind, rules=weeks, tried=tried)


# --- of all jobs --------------------------------------------------------------------------------------------------


def of_log(label: str, measure: str) -> Ours:
    return lambda found: known(MEASURES[measure].value(description_of(found, label)))


def of_resamples(label: str, measure: str, take: Callable[[Sequence[float]], float] = np.mean) -> Ours:
    return lambda found: known(float(take([MEASURES[measure].value(each) for each in spread_of(found, label)])))


def known(value: float) -> float | None:
    return None if np.isnan(value) else value
