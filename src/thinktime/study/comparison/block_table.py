"""The table of one metric that a comparison is based on: one row per block, one column per configuration.

Runs of a study are given as {configuration: {block: value}}. Only blocks that every configuration has are kept. A run
under several seeds (a rigid replay has no random draws) counts once, because copies are not evidence. A study knows its
runs; in tables of values, blocks of one workload that agree in every digit are taken as copies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics import CATALOGUE, Metric
from thinktime.support.json_types import JsonDict


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Values of one metric. `weights` are the jobs or seconds of the blocks, or all 1."""

    metric: str
    names: tuple[str, ...]  # of the configurations; the first is the baseline
    blocks: tuple[Any, ...]
    values: np.ndarray  # [block, configuration]
    weights: np.ndarray  # [block]
    kind: str  # of the blocks: "run", "week", "day", "batch", "user"
    ordered: bool = False  # blocks follow each other in time
    each: int = 1  # how many blocks of this kind were joined into one
    notes: tuple[str, ...] = ()
    workloads: tuple[str, ...] = ()  # of the blocks; empty if unknown

    def __repr__(self) -> str:
        return f"<Table of {self.metric}: {len(self.values)} blocks ({self.kind}) of {', '.join(self.names)}>"

    @property
    def about(self) -> Metric:
        return CATALOGUE.about(self.metric)

    def estimate(self, column: int) -> float:
        """Return the weighted mean over the blocks: with jobs as weights, the metric over all jobs."""
        return float(np.sum(self.weights * self.values[:, column]) / np.sum(self.weights))

    def differences(self, column: int) -> np.ndarray:
        """Return the differences to the baseline by block, as the interval uses them."""
        from thinktime.statistics import weighted_differences

        return weighted_differences(self.values[:, column] - self.values[:, 0], self.weights)

    def first(self, baseline: str | None) -> Table:
        """Return the table with the baseline as the first column."""
        if baseline is None:
            return self
        order = sorted(range(len(self.names)), key=lambda column: self.names[column] != baseline)
        return replace(self, names=tuple(self.names[column] for column in order), values=self.values[:, order])

    def joined(self) -> Table:
        """Return the table with pairs of neighbouring blocks joined; a single block at the end joins the last pair."""
        group = np.minimum(np.arange(len(self.values)) // 2, len(self.values) // 2 - 1)
        weights = np.bincount(group, weights=self.weights)
        columns = [np.bincount(group, weights=self.weights * column) / weights for column in self.values.T]
        starts = tuple(self.blocks[2 * k] for k in range(len(weights)))
        return replace(self, blocks=starts, values=np.stack(columns, axis=1), weights=weights, each=2 * self.each)

    def to_dict(self) -> JsonDict:
        return {
            "metric": self.metric,
            "unit": self.about.unit,
            "configurations": list(self.names),
            "baseline": self.names[0],
            "block": self.kind,
            "joined": self.each,
            "blocks": [list(block) if isinstance(block, tuple) else block for block in self.blocks],
            "values": {name: self.values[:, column].tolist() for column, name in enumerate(self.names)},
            "weights": self.weights.tolist(),
            "notes": list(self.notes),
        }


def table_of_rows(
    metric: str, rows: Mapping[str, Mapping[Hashable, float]], identity: Mapping[Hashable, Hashable] | None = None
) -> Table:
    """Return the table of the values of runs; blocks of one workload with the same `identity` are copies."""
    if len(rows) < 2:
        raise InputError(f"a comparison needs at least two configurations ({metric} has {len(rows)})")
    names, blocks = tuple(map(str, rows)), _common(rows)
    values = np.array([[float(of[block]) for of in rows.values()] for block in blocks]).reshape(-1, len(names))
    if not blocks:
        raise InputError(f"no block has a value of {metric} in every configuration: run all on the same workloads")
    kept = _without_copies(blocks, identity if identity is not None else identities([rows]))
    chosen = tuple(blocks[k] for k in kept)
    notes = (*_left_out_notes(len(set().union(*rows.values())), len(blocks)), *_copy_notes(blocks, chosen))
    workloads = tuple(dict.fromkeys(_workload(block) for block in chosen if isinstance(block, tuple)))
    return Table(metric, names, chosen, values[kept], np.ones(len(kept)), "run", notes=notes, workloads=workloads)


def _common(rows: Mapping[str, Mapping[Hashable, float]]) -> list[Any]:
    """Return the blocks with a finite value in every configuration, in the order of the first."""
    first = next(iter(rows.values()))
    return [block for block in first if all(_is_known_value(of.get(block)) for of in rows.values())]


def _is_known_value(value: float | None) -> bool:
    return value is not None and bool(np.isfinite(value))


def _workload(block: object) -> str:
    return str(block[0]) if isinstance(block, tuple) and block else ""


def identities(tables: Iterable[Mapping[str, Mapping[Hashable, float]]]) -> dict[Hashable, Hashable]:
    """Return block → its values in every metric and configuration."""
    every = list(tables)
    blocks = dict.fromkeys(block for rows in every for of in rows.values() for block in of)
    return {block: tuple(of.get(block) for rows in every for of in rows.values()) for block in blocks}


def _without_copies(blocks: list[Any], identity: Mapping[Hashable, Hashable]) -> list[int]:
    """Return the rows without copies of an earlier one of the same workload; blocks without a workload are all kept."""
    seen: dict[Any, int] = {}
    for row, block in enumerate(blocks):
        key = (_workload(block), identity[block]) if isinstance(block, tuple) else row
        seen.setdefault(key, row)
    return list(seen.values())


def _left_out_notes(given: int, common: int) -> list[str]:
    return (
        [f"{given - common} of {given} runs are left out: not every configuration has them."] if given > common else []
    )


def _copy_notes(blocks: Sequence[Any], kept: Sequence[Any]) -> list[str]:
    """Return which workloads the seeds do not change, and how many other runs equal one with another seed."""
    before, after = Counter(map(_workload, blocks)), Counter(map(_workload, kept))
    same = [workload for workload, count in before.items() if count > 1 and after[workload] == 1]
    copies = len(blocks) - len(kept) - sum(before[workload] - 1 for workload in same)
    each = "it" if len(same) == 1 else "each"
    unchanged = f"The seeds change nothing in {', '.join(same)}: {each} counts as one run."
    equal = f"{copies} runs equal another run of their workload with another seed; each counts once."
    return [note for note, applies in ((unchanged, same), (equal, copies)) if applies]
