"""A policy that does anything it may: starts, placements, rejections, kills and requeues, by chance.

The engine and the reference show it the same numbers, so it gives both the same answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

import thinktime as tt
from reference.nodes.allocator import place
from reference.nodes.simulation import NodeSimulation
from reference.own import Action, Answer, Nodes
from reference.simulation import Simulation

MOST_REQUEUES = 3  # of one job, so that every simulation ends
REASONS = ("first", "second", "third")


class Seen(NamedTuple):
    """What a pass shows."""

    now: float
    queue: dict[int, int]  # row → processors, in the order of the queue
    running: dict[int, tuple[int, float]]  # row → processors and seconds worked, by row
    free: int  # before the actions of this pass
    node_free: list[list[int]]  # empty on a counted machine
    units: dict[int, tuple[int, ...]]  # row → what one unit takes
    held: dict[int, dict[int, int]]  # running row → node → units


class Hands(Protocol):
    """How a pass acts on running and waiting jobs, and asks what fits then."""

    def act(self, actions: Sequence[Action]) -> None: ...

    def free(self) -> int: ...

    def fits(self, rows: Sequence[int]) -> Sequence[bool]: ...


class Whim:
    """Decides by chance; keeps what it has seen."""

    closed: frozenset[int] = frozenset()  # nodes that no job of this answer may use

    def __init__(self, seed: int, acts: float) -> None:
        self.random, self.acts = Random(seed), acts
        self.requeued: dict[int, int] = {}
        self.seen: list[Seen] = []

    def decide(self, seen: Seen, hands: Hands) -> Answer:
        self.seen.append(seen)
        actions = [action for row, (_, worked) in seen.running.items() for action in self.on_running(row, worked)]
        actions += [Action("reject", row) for row in seen.queue if self.chance(self.acts / 3)]
        self.random.shuffle(actions)
        hands.act(actions)
        rejected = {index for what, index, *_ in actions if what == "reject"}
        rows = [row for row in seen.queue if row not in rejected and self.chance(0.8)]
        self.random.shuffle(rows)
        if not seen.node_free:
            return Answer([(row, ()) for row in self.counted(seen, hands.free(), rows)], actions)
        if self.chance(0.5):
            return Answer(list(self.named(seen, actions, rows)), actions)
        kept = [row for row, fit in zip(rows, hands.fits(rows), strict=True) if fit]
        return Answer([(row, ()) for row in kept], actions)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def on_running(self, row: int, worked: float) -> list[Action]:
        if self.chance(self.acts / 3):
            return [Action("kill", row)]
        if not self.chance(self.acts) or self.requeued.get(row, 0) >= MOST_REQUEUES:
            return []
        self.requeued[row] = self.requeued.get(row, 0) + 1
        return [Action("requeue", row, float(self.random.randint(0, int(worked))), float(self.random.randint(0, 2)))]

    @staticmethod
    def counted(seen: Seen, free: int, rows: list[int]) -> list[int]:
        started = []
        for row in rows:
            if seen.queue[row] <= free:
                free -= seen.queue[row]
                started.append(row)
        return started

    def named(self, seen: Seen, actions: list[Action], rows: list[int]) -> list[tuple[int, Nodes]]:
        """Nodes by chance, for jobs without pools."""
        free = [list(node) for node in seen.node_free]
        for what, index, *_ in actions:
            for node, units in seen.held[index].items() if what != "reject" else ():
                if node not in self.closed:
                    free[node] = [a + units * b for a, b in zip(free[node], seen.units[index], strict=True)]
        started = []
        for row in rows:
            nodes = self.nodes_for(seen.queue[row], seen.units[row], free)
            if nodes:
                started.append((row, nodes))
                for node, units in nodes:
                    free[node] = [a - units * b for a, b in zip(free[node], seen.units[row], strict=True)]
        return started

    def nodes_for(self, missing: int, unit: tuple[int, ...], free: list[list[int]]) -> Nodes:
        order, found = list(range(len(free))), []
        self.random.shuffle(order)
        for node in order:
            room = min(amount // each for amount, each in zip(free[node], unit, strict=True) if each > 0)
            if units := min(missing, room):
                found.append((node, units))
                missing -= units
        return () if missing else tuple(found)


class Whimsical(tt.OwnScheduler, name="whimsical"):
    """The engine's side."""

    seed: int = 0
    acts: float = 0.1
    made: ClassVar[list[Whim]] = []  # the whims of all simulations

    def start(self, processors: int, seed: int) -> Any:
        whim = Whim(self.seed, self.acts)
        self.made.append(whim)
        return OnEngine(whim)


class OnEngine:
    def __init__(self, whim: Whim) -> None:
        self.whim = whim

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        answer = self.whim.decide(seen_on_engine(now_s, queue, running, machine), HandsOnEngine(machine))
        return [(row, dict(nodes)) if nodes else row for row, nodes in answer.starts]


class HandsOnEngine:
    def __init__(self, machine: Any) -> None:
        self.machine = machine

    def act(self, actions: Sequence[Action]) -> None:
        for what, index, saved, restart in actions:
            reason = REASONS[index % 3]
            if what == "reject":
                self.machine.reject(index, reason)
            elif what == "kill":
                self.machine.kill([index], reason)
            else:
                self.machine.requeue(np.array([index]), reason, saved_s=saved, restart_s=[restart])

    def free(self) -> int:
        return int(self.machine.free)

    def fits(self, rows: Sequence[int]) -> Sequence[bool]:
        return self.machine.fits(np.array(rows, dtype=np.int64)).tolist()  # type: ignore[no-any-return]


def seen_on_engine(now_s: float, queue: Any, running: Any, machine: Any) -> Seen:
    rows = sorted(running.row.tolist())
    sizes = dict(zip(running.row.tolist(), running.processors.tolist(), strict=True))
    worked = machine.worked_s(np.array(rows, dtype=np.int64)).tolist()
    waits = dict(zip(queue.row.tolist(), queue.processors.tolist(), strict=True))
    runs = {row: (sizes[row], done) for row, done in zip(rows, worked, strict=True)}
    try:
        node_free = machine.node_free.tolist()
    except AttributeError:
        return Seen(now_s, waits, runs, machine.free, [], {}, {})
    held = {row: counted(machine.nodes(row).tolist()) for row in rows}
    units = {row: tuple(machine.unit(row).tolist()) for row in (*waits, *runs)}
    return Seen(now_s, waits, runs, 0, node_free, units, held)


def counted(nodes: list[int]) -> dict[int, int]:
    return {node: nodes.count(node) for node in dict.fromkeys(nodes)}


def on_reference(whim: Whim) -> dict[str, Any]:
    """The reference's side, as a scheduler."""

    def decide(sim: Simulation) -> Answer:
        waits = {task.index: task.processors for task in sim.queue}
        runs = {task.index: (task.processors, sim.worked(task)) for task in sorted(sim.running, key=lambda t: t.index)}
        if not isinstance(sim, NodeSimulation):
            return whim.decide(Seen(sim.now, waits, runs, sim.free_now, [], {}, {}), HandsOnReference(sim))
        held = {task.index: dict(task.placement) for task in sim.running}
        closed = sim.room.closed
        free = [[0] * len(node) if k in closed else list(node) for k, node in enumerate(sim.room.free)]
        units = {task.index: task.unit for task in (*sim.queue, *sim.running)}
        return whim.decide(Seen(sim.now, waits, runs, 0, free, units, held), HandsOnReference(sim))

    return {"name": "own", "decide": decide}


class HandsOnReference:
    """The policy `own` of the reference acts itself; here only what fits then."""

    def __init__(self, sim: Any) -> None:
        self.sim = sim
        self.actions: Sequence[Action] = ()

    def act(self, actions: Sequence[Action]) -> None:
        self.actions = actions

    def free(self) -> int:
        """A job that ends at this very instant may be counted as free already."""
        sim, gone = self.sim, {index for what, index, *_ in self.actions if what != "reject"}
        counted = sim.same_instant == "each-submit-first"
        leaving = [task for task in sim.running if task.index in gone]
        return int(
            sim.free_now + sum(task.processors for task in leaving if not (counted and sim.as_good_as_ended(task)))
        )

    def fits(self, rows: Sequence[int]) -> Sequence[bool]:
        room, tasks = self.sim.room.copy(), {task.index: task for task in (*self.sim.queue, *self.sim.running)}
        for what, index, *_ in self.actions:
            if what != "reject":
                room.give(tasks[index], tasks[index].placement)
        fits = []
        for row in rows:
            placement = place(room, tasks[row], self.sim.now)
            fits.append(placement is not None)
            if placement is not None:
                room.take(tasks[row], placement)
        return fits
