"""Techniques of dynamic loop self-scheduling: how the loop of a job is cut into chunks that idle cores ask for.

A technique is written as text, `gss` or `rand:smallest=1,largest=8`. N tasks, P cores, R tasks remain.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from thinktime.errors import InputError
from thinktime.spec import NOTATIONS, Spec, from_dict, is_number, one_of, parse

MOST = 10**12  # tasks: below, numbers of tasks are exact in floating point


class Technique(Spec, kind="technique"):
    """Base of the techniques. Whole numbers are checked against `ranges`, texts against `words`."""

    random: ClassVar[bool] = False  # it draws random numbers: runs differ by their seed
    ranges: ClassVar[Mapping[str, tuple[int, int]]] = {}
    words: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    def engine_name(self) -> str:
        return self.name

    def live_options(self) -> dict[str, Any]:
        """Return what the engine is given besides, for techniques in Python."""
        return {}

    def stored(self) -> str | dict[str, Any]:
        """Return the technique as a run holds it: its text, or for own techniques also the hash of the code."""
        return self.text()

    def engine_options(self) -> dict[str, Any]:
        """Return the options as the engine takes them."""
        return self.canonical()

    def __post_init__(self) -> None:
        for option, value in self.options().items():
            if option in self.words:
                one_of(f"{option} of {self.name}", value, self.words[option])
            if option in self.ranges:
                object.__setattr__(self, option, self._whole(option, value))

    def _whole(self, option: str, value: Any) -> int:
        least, most = self.ranges[option]
        if not is_number(value) or value != value or not least <= value <= most or value != int(value):
            raise InputError(f"{option} of {self.name} is {value!r}: choose a whole number from {least} to {most}")
        return int(value)


def technique_of(value: str | Technique | Mapping[str, Any]) -> Technique:
    """Return the technique for a spec, for a text such as `tap:alpha=1.5`, or for what `stored` gave."""
    if isinstance(value, Technique):
        return value
    if isinstance(value, type) and issubclass(value, Technique):
        raise InputError(f"technique is the class {value.__name__}: create an object, {value.__name__}()")
    if not isinstance(value, str | Mapping):
        raise InputError(f'technique is {value!r}: write its name, such as "gss" or "tap:alpha=1.5"')
    spec = parse("technique", value) if isinstance(value, str) else from_dict("technique", dict(value))
    assert isinstance(spec, Technique)
    return spec


#: text of a compiled technique → the technique; a study writes its specs before it runs them
COMPILED: dict[str, Technique] = {}

NOTATIONS["technique"] = COMPILED.get


class Static(Technique, name="static"):
    """Gives every core one block of ceil(N / P) tasks; the last cores may get fewer, or none."""


class StaticBalanced(Technique, name="static-balanced"):
    """Gives every core one block; the first N mod P cores get one task more than the others."""


class SelfScheduling(Technique, name="ss"):
    """Gives one task per request: the best balance and the most overhead (Tang and Yew 1986)."""


class FixedSizeChunking(Technique, name="fsc"):
    """Gives chunks of one size that weighs the overhead h of a chunk against the deviation σ of the tasks.

    The size is (√2 N h / (σ P √ln P))^(2/3), at most ceil(N / P) (Kruskal and Weiss 1985). Without overhead it is 1.
    """


class ModifiedFixedSizeChunking(Technique, name="mfsc"):
    """Gives chunks of one size, about as many as factoring: 0.55 + q ln 2 / ln q with q = ceil(N / P) (DLS4LB)."""


class GuidedSelfScheduling(Technique, name="gss"):
    """Gives a P-th of the remaining tasks, ceil(R / P) (Polychronopoulos and Kuck 1987)."""


class Taper(Technique, name="tap"):
    """Gives a P-th of the remaining tasks, reduced by the variation of the tasks (Lucco 1992).

    With T = R / P and v = `alpha` σ / μ the chunk is T + v²/2 − v √(2T + v²/4).
    """

    alpha: float = 1.3

    def __post_init__(self) -> None:
        if not is_number(self.alpha) or not math.isfinite(self.alpha) or not 0 <= self.alpha <= 1000:
            raise InputError(f"alpha of tap is {self.alpha!r}: choose a number from 0 to 1000")
        object.__setattr__(self, "alpha", float(self.alpha))


class TrapezoidSelfScheduling(Technique, name="tss"):
    """Gives chunks that shrink by the same amount each, from ceil(N / 2P) to 1 (Tzen and Ni 1993).

    The amount is rounded down, as published, so it is 0 for about N < 8 P² and all chunks are equal; `decrement`
    `exact` keeps its fraction.
    """

    words: ClassVar[Mapping[str, tuple[str, ...]]] = {"decrement": ("whole", "exact")}

    decrement: str = "whole"


class TrapezoidFactoring(Technique, name="tfss"):
    """Gives batches of P equal chunks, the mean of the next P of `tss` (Chronopoulos et al. 2001)."""

    words: ClassVar[Mapping[str, tuple[str, ...]]] = {"decrement": ("whole", "exact")}

    decrement: str = "whole"


class Factoring(Technique, name="fac"):
    """Gives batches of P equal chunks, each batch half of the rest: FAC2 (Hummel, Schonberg and Flynn 1992)."""


class ProbabilisticFactoring(Technique, name="fac-probabilistic"):
    """Gives batches of P equal chunks, each a share of the remaining tasks that depends on their mean and deviation.

    The share is 1 / x, with b = P σ / (2 μ √R): x = 1 + b² + b √(b² + 2) for the first batch and 2 + b² + b √(b² + 4)
    later (Hummel, Schonberg and Flynn 1992).
    """


class WeightedFactoring(Technique, name="wf"):
    """Gives the chunks of `fac` times the relative speed of the core (Hummel, Schmidt, Uma and Wein 1996)."""


class FixedIncrease(Technique, name="fiss"):
    """Gives batches of P equal chunks that grow by the same amount each, in B `stages` (Philip and Das 1997).

    The first is N / ((2 + B) P), the amount 2 N (1 − B / (2 + B)) / (P B (B − 1)), both rounded down, as in LB4OMP.
    """

    ranges: ClassVar[Mapping[str, tuple[int, int]]] = {"stages": (2, 1000)}

    stages: int = 3


class VariableIncrease(Technique, name="viss"):
    """Gives batches of P equal chunks that grow by amounts that halve, from N / (`divisor` P) (Philip and Das 1997)."""

    ranges: ClassVar[Mapping[str, tuple[int, int]]] = {"divisor": (1, 1000)}

    divisor: int = 4


class RandomChunks(Technique, name="rand"):
    """Gives chunks drawn uniformly from `smallest` to `largest` (LB4OMP).

    `largest` is a number, `share` (ceil(N / P)), or `all` (N − 1, the default of LB4OMP, which assigns nearly all tasks
    to a few cores).
    """

    random: ClassVar[bool] = True
    ranges: ClassVar[Mapping[str, tuple[int, int]]] = {"smallest": (1, MOST), "largest": (1, MOST)}

    smallest: int = 1
    largest: int | str = "share"

    def engine_options(self) -> dict[str, Any]:
        number = 0 if isinstance(self.largest, str) else self.largest
        return {"smallest": self.smallest, "largest": number, "all": self.largest == "all"}

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.largest, str) and self.largest < self.smallest:
            raise InputError(f"largest of rand is {self.largest}: choose at least smallest, {self.smallest}")

    def _whole(self, option: str, value: Any) -> Any:
        return value if option == "largest" and value in ("share", "all") else super()._whole(option, value)


class Measuring(Technique):
    """Base of the techniques that measure cores during the loop; a core without measurements gets `first` tasks."""

    ranges: ClassVar[Mapping[str, tuple[int, int]]] = {"first": (1, MOST)}

    first: int = 1


class AwfB(Measuring, name="awf-b"):
    """Weighted factoring, by batch, with weights from the time of the tasks alone (Cariño and Banicescu 2008).

    `first` is the number of tasks of a core's first chunk.
    """


class AwfC(Measuring, name="awf-c"):
    """As `awf-b`, but each chunk is a share of the tasks that remain at its request (Cariño and Banicescu 2008)."""


class AwfD(Measuring, name="awf-d"):
    """As `awf-b`, but measured with the overhead of the chunk (Cariño and Banicescu 2008)."""


class AwfE(Measuring, name="awf-e"):
    """As `awf-c`, but measured with the overhead of the chunk (Cariño and Banicescu 2008)."""


class AdaptiveFactoring(Measuring, name="af"):
    """Factoring by the measured mean and variance of the task times on every core (Banicescu and Liu 2000).

    `first` is the number of tasks of each of a core's first two chunks, which a variance needs.
    """
