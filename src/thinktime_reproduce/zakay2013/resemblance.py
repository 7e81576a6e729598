"""What zakay2013 says of its Figs. 1, 2, 4, 5, 10 and 11: jobs of a session are alike, resamples are like the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from thinktime.description import ATTRIBUTES, MARGINALS, MEASURES, Description
from thinktime.description.distances import ks_distance
from thinktime_reproduce.claim import ABOVE, BELOW, EQUAL, TEXT, Claim, Ours
from thinktime_reproduce.reproduction import Findings
from thinktime_reproduce.zakay2013 import rules
from thinktime_reproduce.zakay2013.kept import (
    BUSIER_LOGS,
    LONGER_PARTS,
    OFFERED,
    description_of,
    estimated_of,
    spread_of,
)
from thinktime_reproduce.zakay2013.runs import SHUFFLED, STAND_IN
from thinktime_reproduce.zakay2013.tables import known, of_log, of_resamples
from thinktime_reproduce.zakay2013.values import (
    BUSIER,
    BUSIER_UTILISATION,
    LONGER,
    TABLE_5,
    TABLE_6,
    TIMES_LONGER,
    TIMES_USERS,
)

#: "Very similar": less apart than two samples of one distribution, of so many users, are in 95 % of cases
KOLMOGOROV = 1.358
WEEK_APART = "0.10"  # share of submissions in other hours
ENDS = ("first_arrival", "departure", "activity_span")

Others = Callable[[Findings, str], Sequence[Description]]


def claims() -> Iterator[Claim]:
    yield from _sessions()
    yield from _shuffles()
    yield from _marginals()
    yield from _concentrations()
    yield from _longer()
    yield from _busier()


def _sessions() -> Iterator[Claim]:
    """Jobs of one session are the most similar."""
    chosen = (rules.ELIGIBLE,)
    for label in TABLE_6:
        for attribute, words in ATTRIBUTES.items():
            quantity, ours = (
                f"{words}: similarity in a session minus the most at a distance",
                _nearest(label, attribute),
            )
            yield Claim("Fig. 1", label, quantity, "0.00", label, ours, ABOVE, rules=chosen)


def _nearest(label: str, attribute: str) -> Ours:
    def ours(findings: Findings) -> float | None:
        found = estimated_of(findings, label).similarity.get(attribute)
        return None if found is None else float(found.curve()[0] - np.nanmax(found.curve()[1:]))

    return ours


def _shuffles() -> Iterator[Claim]:
    """Jobs that appear together are much more similar than shuffled ones."""
    chosen = (rules.ELIGIBLE,)
    for label in SHUFFLED:
        for attribute, words in ATTRIBUTES.items():
            quantity, ours = (
                f"{words}: similarity in a session minus the most of all shuffles",
                _beyond(label, attribute),
            )
            yield Claim("Fig. 2", label, quantity, "0.00", label, ours, ABOVE, rules=chosen)


def _beyond(label: str, attribute: str) -> Ours:
    def ours(findings: Findings) -> float | None:
        found = estimated_of(findings, label).permutation.get(attribute)
        return None if found is None else float(found.original - found.shuffled.max())

    return ours


def _marginals() -> Iterator[Claim]:
    """All distributions are very similar to the original one."""
    for label in TABLE_5:
        yield from _claims_of_near_marginals("Fig. 4", label, label, spread_of, MARGINALS)
        quantity, chosen = "week: share of submissions in other hours", (rules.ANY_WEEK,)
        yield Claim("Fig. 4", label, quantity, WEEK_APART, label, _weeks_apart(label), BELOW, rules=chosen)


def _claims_of_near_marginals(
    figure: str, label: str, row: str, others: Others, names: Iterable[str]
) -> Iterator[Claim]:
    for name in names:
        quantity, ours = f"{MARGINALS[name][0]}: distance over that of chance", _over_chance(label, name, others)
        tried, chosen = rules.whole_log(label) if name in ENDS else "", (rules.ANY_WEEK,)
        yield Claim(figure, row, quantity, "1.00", label, ours, BELOW, rules=chosen, tried=tried)


def _over_chance(label: str, name: str, others: Others) -> Ours:
    """The mean Kolmogorov-Smirnov distance, over what 5 % of pairs of samples of one distribution exceed."""

    def ours(findings: Findings) -> float | None:
        own = description_of(findings, label).marginals[name]
        found = [
            ks_distance(own, each.marginals[name]) / (KOLMOGOROV * (1 / len(own) + 1 / each.users) ** 0.5)
            for each in others(findings, label)
        ]
        return float(np.mean(found))

    return ours


def _weeks_apart(label: str) -> Ours:
    def ours(findings: Findings) -> float | None:
        own = description_of(findings, label)
        apart = [MEASURES["week"].distance(own, each) for each in spread_of(findings, label)]
        return known(float(np.mean(apart)))

    return ours


def _concentrations() -> Iterator[Claim]:
    """Resamples are as concentrated as the log, or a little less."""
    apart, chosen = rules.CONCENTRATION_APART, (rules.ANY_WEEK,)
    for label in TABLE_6:
        for attribute, words in ATTRIBUTES.items():
            quantity = f"{words}: mean share of the fullest bin, resamples minus log"
            ours = _minus(label, f"concentration.{attribute}")
            yield Claim("Fig. 5", label, quantity, "0.00", label, ours, EQUAL, TEXT, apart, chosen)


def _minus(label: str, measure: str) -> Ours:
    def ours(findings: Findings) -> float | None:
        log, resamples = of_log(label, measure)(findings), of_resamples(label, measure)(findings)
        return None if log is None or resamples is None else resamples - log

    return ours


def _longer() -> Iterator[Claim]:
    """All parts of a longer log agree with the log."""
    for label in (LONGER, STAND_IN):
        row = f"{label}, {TIMES_LONGER} times as long"
        yield from _claims_of_near_marginals(
            "Fig. 10", label, row, lambda found, label: found.kept[LONGER_PARTS, label], MARGINALS
        )


def _busier() -> Iterator[Claim]:
    """Distributions are very similar, but for arrivals and departures."""
    often = ("jobs", "sessions", "session_length", "work")
    for label in (BUSIER, STAND_IN):
        row = f"{label}, {TIMES_USERS} times the users"
        yield from _claims_of_near_marginals(
            "Fig. 11", label, row, lambda found, label: found.kept[BUSIER_LOGS, label], often
        )
    load = lambda found: float(np.mean(found.kept[OFFERED, BUSIER]))  # noqa: E731
    row = f"{BUSIER}, {TIMES_USERS} times the users"
    yield Claim("Fig. 11", row, "offered load", BUSIER_UTILISATION, BUSIER, load, tolerance=rules.LOAD_APART)
