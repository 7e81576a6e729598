"""Techniques by the names that the engine and the command line use."""

from __future__ import annotations

from typing import Any

from reference.applications.adaptive import AdaptiveFactoring, AwfB, AwfC, AwfD, AwfE
from reference.applications.factoring import Factoring, ProbabilisticFactoring, WeightedFactoring
from reference.applications.fixed_size import FixedSizeChunking, ModifiedFixedSizeChunking
from reference.applications.guided import Guided, Taper
from reference.applications.increasing import FixedIncrease, VariableIncrease
from reference.applications.random_chunks import RandomChunks
from reference.applications.static import SelfScheduling, Static, StaticBalanced
from reference.applications.technique import Facts, Technique
from reference.applications.trapezoid import Trapezoid, TrapezoidFactoring

TECHNIQUES: dict[str, type[Technique]] = {
    "static": Static,
    "static-balanced": StaticBalanced,
    "ss": SelfScheduling,
    "fsc": FixedSizeChunking,
    "mfsc": ModifiedFixedSizeChunking,
    "gss": Guided,
    "tap": Taper,
    "tss": Trapezoid,
    "tfss": TrapezoidFactoring,
    "fac": Factoring,
    "fac-probabilistic": ProbabilisticFactoring,
    "wf": WeightedFactoring,
    "fiss": FixedIncrease,
    "viss": VariableIncrease,
    "rand": RandomChunks,
    "awf-b": AwfB,
    "awf-c": AwfC,
    "awf-d": AwfD,
    "awf-e": AwfE,
    "af": AdaptiveFactoring,
}


def make(name: str, facts: Facts, **options: Any) -> Technique:
    """The technique of this name at the beginning of a loop."""
    return TECHNIQUES[name](facts, **options)


def chunk_sequence(name: str, facts: Facts, **options: Any) -> list[int]:
    """The chunks in the order of the requests, for techniques that do not care who asks."""
    technique, remaining, sizes = make(name, facts, **options), facts.tasks, []
    while remaining > 0:
        sizes.append(min(max(technique.chunk(0, remaining), 1), remaining))
        remaining -= sizes[-1]
    return sizes
