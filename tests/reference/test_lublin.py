"""The generator and the plain reference of Lublin and Feitelson's model agree, draw by draw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from reference import lublin as reference
from thinktime.generate import Lublin
from thinktime.generate.draws import CHUNK, Draws, uniforms
from thinktime.generate.lublin_constants import KINDS, LONGEST_LOG_GAP
from thinktime.generate.lublin_jobs import RUN_CHUNK, day_of
from thinktime.support.random_streams import stream

JOBS = 20_000  # of both kinds more than one chunk


class Given:
    """The package's draws, one at a time."""

    def __init__(self, name: str, seed: int) -> None:
        self.kind, self.name, self.seed = reference.KINDS[name], ("generate.lublin", name), seed
        self.sizes = Draws(uniforms(3), seed, *self.name, "sizes")
        self.gaps = self._gaps()
        self.rounds: dict[tuple[int, int], np.ndarray] = {}

    def _gaps(self) -> Iterator[float]:
        a, b, rush = self.kind["gap"]
        chunk = 0
        while True:
            rng = stream(self.seed, *self.name, "gaps", chunk)
            yield from (draw for draw in (rng.gamma(a * rush, b) for _ in range(CHUNK)) if draw <= LONGEST_LOG_GAP)
            chunk += 1

    def gap(self) -> float:
        return next(self.gaps)

    def size(self) -> Any:
        return self.sizes.take(1)[0]

    def run(self, job: int) -> Iterator[Any]:
        for attempt in range(100):
            key = (attempt, job // RUN_CHUNK)
            if key not in self.rounds:
                rng, (a1, b1, a2, b2, _, _) = stream(self.seed, *self.name, "run", *key), self.kind["run"]
                draws = [rng.random(RUN_CHUNK), rng.gamma(a1, b1, RUN_CHUNK), rng.gamma(a2, b2, RUN_CHUNK)]
                self.rounds[key] = np.column_stack(draws)
            yield self.rounds[key][job % RUN_CHUNK]


@pytest.mark.parametrize(
    ("types", "processors", "seed"), [("both", 128, 1), ("both", 100, 7), ("typeless", 1000, 2), ("batch", 1, 3)]
)
def test_generator_and_reference_agree(types: str, processors: int, seed: int) -> None:
    count = JOBS if types == "both" else 3000
    kinds = list(KINDS[types])
    expected = reference.jobs(kinds, processors, count, {kind: Given(kind, seed) for kind in kinds})
    made = Lublin(jobs=count, processors=processors, types=types).workload(seed=seed)
    kind, submit, size, run = zip(*expected, strict=True)
    assert made["processors"].tolist() == list(size)
    assert made["run_s"].tolist() == list(run)
    assert made["queue"].tolist() == [float(each == "batch") for each in kind]
    late = np.array(submit) - made["submit_s"]  # the reference pays slot by slot and rounds otherwise
    assert -1e-4 < late.min() <= late.max() < 1 + 1e-4


@pytest.mark.parametrize("name", ["interactive", "batch", "typeless"])
def test_weights_of_the_day(name: str) -> None:
    (kind,) = KINDS["typeless"].values() if name == "typeless" else (KINDS["both"][name],)
    found, expected = day_of(kind).weights, reference.weights(name)
    assert found == pytest.approx(expected, rel=1e-9)
    assert found.mean() == pytest.approx(1.0)
    assert 18 <= np.argmax(found) <= 32  # between 09:00 and 16:00
    assert found[4:10].max() < found.max() / 2  # from 02:00 to 05:00
