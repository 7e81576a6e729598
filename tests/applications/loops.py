"""Random loops, and a technique of the engine behind the interface of the reference."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from reference.applications import Facts, Technique, make
from thinktime import _engine
from thinktime.applications import techniques
from thinktime.spec import REGISTRY

#: every technique, and options that change what it does
VARIANTS = [
    *(spec() for spec in REGISTRY["technique"].values()),
    techniques.Taper(alpha=0.0),
    techniques.Taper(alpha=3.0),
    techniques.TrapezoidSelfScheduling(decrement="exact"),
    techniques.TrapezoidFactoring(decrement="exact"),
    techniques.FixedIncrease(stages=2),
    techniques.FixedIncrease(stages=7),
    techniques.VariableIncrease(divisor=1),
    techniques.RandomChunks(smallest=2, largest=5),
    techniques.RandomChunks(largest="all"),
    techniques.AwfB(first=3),
    techniques.AwfE(first=2),
    techniques.AdaptiveFactoring(first=4),
]


class EngineTechnique(Technique):
    """What `play` asks; the answers come from the engine."""

    def __init__(self, spec: techniques.Technique, facts: Facts) -> None:
        self.bound = _engine.Technique(spec.engine_name(), spec.engine_options())
        begin(self.bound, facts)
        self.chunk, self.done = self.bound.chunk, self.bound.done  # type: ignore[method-assign]


def begin(bound: Any, facts: Facts) -> None:
    speeds = np.array(facts.speeds, dtype=float)
    bound.begin(facts.tasks, facts.cores, facts.mean_s, facts.deviation_s, facts.overhead_s, speeds, *facts.key)


def reference_technique(spec: techniques.Technique, facts: Facts) -> Technique:
    return make(spec.name, facts, **spec.options())


class Loop(NamedTuple):
    facts: Facts
    lengths: list[float]

    @property
    def speeds(self) -> tuple[float, ...]:
        return self.facts.speeds or (1.0,) * self.facts.cores


@st.composite
def loops(draw: st.DrawFn, most: int = 300) -> Loop:
    """Few and many tasks, few and many cores, equal and different speeds and lengths, with and without overhead."""
    tasks, cores = draw(st.integers(1, most)), draw(st.integers(1, 12))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    variation = draw(st.sampled_from([0.0, 0.1, 0.5, 2.0]))
    lengths = 10.0 * random.gamma(1 / variation**2, variation**2, tasks) if variation else np.full(tasks, 10.0)
    if draw(st.booleans()):
        lengths = np.round(lengths)  # ties, and tasks that take no time
    speeds = tuple(random.choice([0.5, 1.0, 1.5, 3.0], cores).tolist()) if draw(st.booleans()) else ()
    facts = Facts(
        tasks=tasks,
        cores=cores,
        mean_s=10.0,
        deviation_s=10.0 * variation,
        overhead_s=draw(st.sampled_from([0.0, 0.001, 0.1, 5.0])),
        speeds=speeds,
        key=(draw(st.integers(0, 2**64 - 1)), draw(st.integers(0, 2**64 - 1))),
    )
    return Loop(facts, lengths.tolist())
