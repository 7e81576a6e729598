"""The verdict on a difference: one rule, and one label, colour and meaning for texts, tables, pages and figures.

A difference to the baseline is shown if all of these hold:

- there are at least five blocks (runs, weeks), and enough for the corrected rank test to reach the level;
- the intervals of the difference and of the relative difference exclude zero;
- the signed-rank test with Holm's correction is significant at the level;
- most blocks lie on the side of the mean;
- neighbouring blocks of one log are not clearly correlated.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from thinktime import statistics as st
from thinktime.metrics import CATALOGUE
from thinktime.statistics.interval import FEWEST
from thinktime.support.colours import BLACK, BLUE, GREY, ORANGE, SKY, VERMILLION

SURELY_CORRELATED = 0.01  # p-value of the check, below which blocks are not taken as independent


@dataclass(frozen=True)
class Verdict:
    """The verdict on a difference to the baseline."""

    name: str  # in tables, JSON and `Contrast.verdict`
    label: str  # in pages, printed tables and legends
    colour: str
    meaning: str

    @property
    def shown(self) -> bool:
        return self.name in SHOWN


#: name → verdict, in the order of legends
VERDICTS: dict[str, Verdict] = {
    each.name: each
    for each in (
        Verdict("better", "better", BLUE, "Shown to be better than the baseline."),
        Verdict("worse", "worse", VERMILLION, "Shown to be worse than the baseline."),
        Verdict("lower", "lower", SKY, "Shown to be lower than the baseline; neither direction is better."),
        Verdict("higher", "higher", ORANGE, "Shown to be higher than the baseline; neither direction is better."),
        Verdict("equal", "equal", BLACK, "The same value in every block."),
        Verdict("open", "no difference shown", GREY, "The blocks do not show a difference."),
        Verdict("few", "too few to judge", GREY, "Too few blocks to judge a difference of any size."),
        Verdict(
            "correlated", "not independent", GREY, "Neighbouring blocks are correlated: no conclusion is possible."
        ),
        Verdict("single", "one run", GREY, "One run each: the difference holds for this run."),
    )
}
SHOWN = ("better", "worse", "lower", "higher")


def judge(
    metric: str, pair: st.Paired | None, check: st.Independence | None, p_holm: float, tests: int, level: float
) -> str:
    """Return the name of the verdict; `pair` is None for a single block, `tests` is how many Holm corrected for."""
    if pair is None:
        return "single"
    if pair.equal == pair.n:
        return "equal"
    if pair.n < fewest_blocks(tests, level):
        return "few"
    if check is not None and check.p_value < SURELY_CORRELATED:
        return "correlated"
    agreed = p_holm <= 1 - level and pair.difference.estimate * (pair.higher - pair.lower) > 0
    return direction(metric, pair.difference, pair.relative) if agreed else "open"


def direction(metric: str, difference: st.Interval, relative: st.Interval | None = None) -> str:
    """Return the verdict of intervals alone: `open` unless all of them exclude zero."""
    known = [each for each in (difference, relative) if each is not None]
    if any(0 in each for each in known) or math.isnan(difference.estimate):
        return "open"
    sign = 1 if difference.low > 0 else -1
    better = CATALOGUE.about(metric).better
    if better == 0:
        return "higher" if sign > 0 else "lower"
    return "better" if sign == better else "worse"


def fewest_blocks(tests: int, level: float) -> int:
    """Return the fewest blocks with which the corrected rank test can reach the level, at least five."""
    reach = next(n for n in range(2, 100) if max(tests, 1) * 2.0 ** (1 - n) <= 1 - level)
    return max(reach, FEWEST)


def legend(names: Iterable[str]) -> list[Verdict]:
    """Return the verdicts that occur, in the order of `VERDICTS`."""
    used = set(names)
    return [each for name, each in VERDICTS.items() if name in used]
