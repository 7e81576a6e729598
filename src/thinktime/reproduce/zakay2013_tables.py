"""What zakay2013 prints of workloads: Tables II to VII, and what it says of Figs. 1, 2, 4, 5, 10 and 11."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from thinktime.description import ATTRIBUTES, MARGINALS, MEASURES, Description
from thinktime.description.distances import ks_distance, shares_of
from thinktime.reproduce.claim import ABOVE, BELOW, EQUAL, TEXT, Claim, Tolerance
from thinktime.reproduce.reproduction import Findings
from thinktime.reproduce.zakay2013_runs import (
    BUSIER_LOGS,
    LONGER_PARTS,
    OFFERED,
    SHUFFLED,
    STAND_IN,
    description_of,
    pools_of,
    spread_of,
)
from thinktime.reproduce.zakay2013_values import (
    BLUE,
    BUSIER,
    BUSIER_UTILISATION,
    CTC,
    DS,
    HPC2N,
    LANL,
    LONGER,
    SLOPES,
    SP2,
    TABLE_2,
    TABLE_3,
    TABLE_4,
    TABLE_5,
    TABLE_6,
    TABLE_7,
    TIMES_LONGER,
    TIMES_USERS,
    Row,
)

Value = Callable[[Description], float]
Take = Callable[[Findings], float | None]

#: Which statistic of similarity gives which table. Table III comes out to the last digit with the share of pairs that
#: are identical. Table IV does not with any; the mean over pairs is nearest, and `apart` is how near.
STATISTIC = {"Table II": "pooled", "Table III": "identical", "Table IV": "pooled"}
NEAREST = Tolerance("which statistic Table IV has is not known; the mean over pairs is the nearest", absolute=0.03)
APART = {"Table II": None, "Table III": None, "Table IV": NEAREST}
UNKNOWN = (
    "which statistic Table IV has is not known: neither mean, median nor share of identical pairs gives its second half"
)
NOT_AS_CAPTIONED = (
    "Table II cannot be of processors, as captioned: users who always ask for the same number are equally similar at"
    " every distance, so that at least as many must be equal as there are such users, which are many times as many as"
    " printed (26 % of CTC's, 10 % of KTH's)"
)
NOT_CURIE = "which of Curie's jobs were counted is not known; all others come out to the last digit"
EXPLAINED = {"Table II": NOT_AS_CAPTIONED, "Table III": NOT_CURIE, "Table IV": UNKNOWN}
COLUMNS = ("0 > 1", "0 = 1", "0 < 1", "1 > 2", "1 = 2", "1 < 2")

#: Logs of which the archive has only later versions than the paper's
VERSION = dict.fromkeys((LANL, CTC, SP2, BLUE, HPC2N, DS), "the archive has only a later version of this log")
JOBS_APART = Tolerance("versions of a log differ by some jobs; users are counted exactly", relative=0.001)
DEPTH_APART = Tolerance("versions of a log differ by some jobs", relative=0.005)
HURST_APART = Tolerance("unit of time and smallest block are not printed; those tried differ by this", absolute=0.06)
SPREAD = "the paper's own spread goes below its bound too: Curie's mean is 0.630 ± 0.090"
RULES = "the paper's unit of time and smallest block are not known"

#: "Very similar": less apart than two samples of one distribution, of so many users, are in 95 % of cases
KOLMOGOROV = 1.358
WEEK_APART = "0.10"  # share of submissions in other hours
LOAD_APART = Tolerance("which users are drawn changes the load", relative=0.1)
CONCENTRATION_APART = Tolerance("the width of the band of resamples in the figure", absolute=0.05)
END_EFFECTS = (
    "a user who goes over the end of the log goes on at its beginning, and so is active from first to last; users near"
    " the edges are left out"
)


def claims() -> Iterator[Claim]:
    yield from _similar("Table II", "processors", TABLE_2)
    yield from _similar("Table III", "estimate", TABLE_3)
    yield from _similar("Table IV", "run", TABLE_4)
    yield from _classes()
    yield from _depths()
    yield from _slopes()
    yield from _sessions()
    yield from _shuffles()
    yield from _marginals()
    yield from _concentrations()
    yield from _longer()
    yield from _busier()


# --- tables -----------------------------------------------------------------------------------------------------


def _similar(table: str, attribute: str, printed: dict[str, Row]) -> Iterator[Claim]:
    for label, row in printed.items():
        for k, (column, value) in enumerate(zip(COLUMNS, row, strict=True)):
            ours, words = _share(label, table, attribute, k), f"share of users, {column}"
            yield Claim(table, label, words, value, label, ours, tolerance=APART[table], tried=EXPLAINED[table])


def _share(label: str, table: str, attribute: str, k: int) -> Take:
    def ours(findings: Findings) -> float | None:
        found = description_of(findings, label).similarity.get(attribute)
        return None if found is None else float(shares_of(found, STATISTIC[table])[k])

    return ours


def _classes() -> Iterator[Claim]:
    words = ("long-term users", "jobs of long-term users", "temporary users", "jobs of temporary users")
    for label, row in TABLE_5.items():
        for k, value in enumerate(row):
            apart, why = JOBS_APART if k % 2 else None, VERSION.get(label, "")
            yield Claim("Table V", label, words[k], value, label, _class(label, k), tolerance=apart, tried=why)


def _class(label: str, k: int) -> Take:
    kind = ("long_term", "temporary")[k // 2]
    return lambda found: float((pools_of(found, label).jobs if k % 2 else pools_of(found, label).count)(kind))


def _depths() -> Iterator[Claim]:
    for label, row in TABLE_6.items():
        for attribute, (own, mean, sd) in zip(("run", "estimate", "processors"), row, strict=True):
            measure, words = f"stack_depth.{attribute}", f"stack depth, {ATTRIBUTES[attribute]}"
            log, resamples = _of_log(label, measure), _of_resamples(label, measure)
            why = VERSION.get(label, "")
            yield Claim("Table VI", label, words, own, label, log, tolerance=DEPTH_APART, tried=why)
            words, apart = f"{words}, resamples", _deviations(sd)
            yield Claim("Table VI", label, words, mean, label, resamples, tolerance=apart, tried=why)


def _deviations(sd: str) -> Tolerance:
    return Tolerance("two standard deviations of resamples, as printed", absolute=2 * float(sd))


def _slopes() -> Iterator[Claim]:
    for label, (own, mean, sd) in TABLE_7.items():
        log, resamples = _of_log(label, "hurst"), _of_resamples(label, "hurst")
        apart = _deviations(sd)
        yield Claim("Table VII", label, "H", own, label, log, tolerance=HURST_APART, tried=RULES)
        yield Claim("Table VII", label, "H, resamples", mean, label, resamples, tolerance=apart, tried=RULES)
        for take, kind, bound in ((np.min, ABOVE, SLOPES[0]), (np.max, BELOW, SLOPES[1])):
            words = f"H, {'least' if kind == ABOVE else 'greatest'} of the resamples"
            ours = _of_resamples(label, "hurst", take)
            yield Claim("Table VII", label, words, bound, label, ours, kind, tried=SPREAD)


def _of_log(label: str, measure: str) -> Take:
    return lambda found: _known(MEASURES[measure].value(description_of(found, label)))


def _of_resamples(label: str, measure: str, take: Callable[[Sequence[float]], float] = np.mean) -> Take:
    return lambda found: _known(float(take([MEASURES[measure].value(each) for each in spread_of(found, label)])))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value


# --- figures ----------------------------------------------------------------------------------------------------


def _sessions() -> Iterator[Claim]:
    """Jobs of one session are the most similar."""
    for label in TABLE_6:
        for attribute, words in ATTRIBUTES.items():
            quantity = f"{words}: similarity in a session minus the most at a distance"
            yield Claim("Fig. 1", label, quantity, "0.00", label, _nearest(label, attribute), ABOVE)


def _nearest(label: str, attribute: str) -> Take:
    def ours(findings: Findings) -> float | None:
        found = description_of(findings, label).similarity.get(attribute)
        return None if found is None else float(found.curve()[0] - np.nanmax(found.curve()[1:]))

    return ours


def _shuffles() -> Iterator[Claim]:
    """Jobs that appear together are much more similar than shuffled ones."""
    for label in SHUFFLED:
        for attribute, words in ATTRIBUTES.items():
            quantity = f"{words}: similarity in a session minus the most of all shuffles"
            yield Claim("Fig. 2", label, quantity, "0.00", label, _beyond(label, attribute), ABOVE)


def _beyond(label: str, attribute: str) -> Take:
    def ours(findings: Findings) -> float | None:
        found = description_of(findings, label).permutation.get(attribute)
        return None if found is None else float(found.original - found.shuffled.max())

    return ours


def _marginals() -> Iterator[Claim]:
    """All distributions are very similar to the original one."""
    for label in TABLE_5:
        yield from _alike("Fig. 4", label, label, spread_of, MARGINALS)
        quantity = "week: share of submissions in other hours"
        yield Claim("Fig. 4", label, quantity, WEEK_APART, label, _weeks_apart(label), BELOW)


def _alike(
    figure: str,
    label: str,
    row: str,
    others: Callable[[Findings, str], Sequence[Description]],
    names: Sequence[str] | dict[str, tuple[str, str]],
) -> Iterator[Claim]:
    for name in names:
        quantity = f"{MARGINALS[name][0]}: distance over that of chance"
        why = END_EFFECTS if name in ("first_arrival", "departure", "activity_span") else ""
        yield Claim(figure, row, quantity, "1.00", label, _over_chance(label, name, others), BELOW, tried=why)


def _over_chance(label: str, name: str, others: Callable[[Findings, str], Sequence[Description]]) -> Take:
    """The mean Kolmogorov-Smirnov distance, over what 5 % of pairs of samples of one distribution exceed."""

    def ours(findings: Findings) -> float | None:
        own = description_of(findings, label).marginals[name]
        found = [
            ks_distance(own, each.marginals[name]) / (KOLMOGOROV * (1 / len(own) + 1 / each.users) ** 0.5)
            for each in others(findings, label)
        ]
        return float(np.mean(found))

    return ours


def _weeks_apart(label: str) -> Take:
    def ours(findings: Findings) -> float | None:
        own = description_of(findings, label)
        return _known(float(np.mean([MEASURES["week"].distance(own, each) for each in spread_of(findings, label)])))

    return ours


def _concentrations() -> Iterator[Claim]:
    """Resamples are as concentrated as the log, or a little less."""
    for label in TABLE_6:
        for attribute, words in ATTRIBUTES.items():
            quantity = f"{words}: mean share of the fullest bin, resamples minus log"
            ours = _minus(label, f"concentration.{attribute}")
            yield Claim("Fig. 5", label, quantity, "0.00", label, ours, EQUAL, TEXT, CONCENTRATION_APART)


def _minus(label: str, measure: str) -> Take:
    def ours(findings: Findings) -> float | None:
        log, resamples = _of_log(label, measure)(findings), _of_resamples(label, measure)(findings)
        return None if log is None or resamples is None else resamples - log

    return ours


def _longer() -> Iterator[Claim]:
    """All parts of a longer log agree with the log."""
    for label in (LONGER, STAND_IN):
        row = f"{label}, {TIMES_LONGER} times as long"
        yield from _alike("Fig. 10", label, row, lambda found, label: found.kept[LONGER_PARTS, label], MARGINALS)


def _busier() -> Iterator[Claim]:
    """Distributions are very similar, but for arrivals and departures."""
    often = ("jobs", "sessions", "session_length", "work")
    for label in (BUSIER, STAND_IN):
        row = f"{label}, {TIMES_USERS} times the users"
        yield from _alike("Fig. 11", label, row, lambda found, label: found.kept[BUSIER_LOGS, label], often)
    load = lambda found: float(np.mean(found.kept[OFFERED, BUSIER]))  # noqa: E731
    row = f"{BUSIER}, {TIMES_USERS} times the users"
    yield Claim("Fig. 11", row, "offered load", BUSIER_UTILISATION, BUSIER, load, tolerance=LOAD_APART)
