"""Check of own self-scheduling techniques: many loops, then simulations with every difficulty."""

from __future__ import annotations

from itertools import product
from typing import Any

from thinktime.applications.loop import Loop
from thinktime.applications.techniques import Technique, technique_of
from thinktime.errors import InputError
from thinktime.platforms import Machine
from thinktime.result import Result, check
from thinktime.schedulers.easy import Easy
from thinktime.simulation import Simulation
from thinktime.testing.user_models import PROCESSORS, difficult_workload

SLOWEST_US = 50.0  # mean duration of a chunk
OPTIONS: tuple[dict[str, Any], ...] = (
    {"tasks_per_core": 1},
    {"tasks_per_core": 7, "variation": 0.5},
    {"tasks_per_core": 5, "variation": 2.0, "distribution": "gamma", "overhead_s": 0.5},
    {"tasks_per_core": 3, "variation": 0.3, "speeds": (1.0, 0.25, 2.0)},
    {"tasks_per_core": 4, "variation": 0.3, "release": "idle"},
)


def check_technique(technique: Technique | str, *, slowest_us: float | None = SLOWEST_US) -> None:
    """Check a self-scheduling technique; raise AssertionError with the first problem.

    Parameters
    ----------
    technique
        An own, a compiled or a built-in technique, or its text.
    slowest_us
        The longest mean duration of a request, in microseconds; None: no limit.

    Raises
    ------
    AssertionError
        The technique fails; answers with something else than a whole number of 1 or more; decides differently in a
        second run; loses tasks or violates another invariant of `tt.check`; or is slow.
    """
    for options, overrun in product(OPTIONS, ("extend", "kill")):
        where = f"{technique!r} with {options} and overrun {overrun!r}"
        first, again = (_simulate_loops(technique, options, overrun, where) for _ in range(2))
        broken = check(first)
        assert not broken, f"{where}: {broken[0]}"
        _require_all_tasks(first, where)
        same = first == again and first.reports["inside"].equals(again.reports["inside"])
        assert same, (
            f"{where} decides differently in a second run: draw from loop.seed, and keep state in what start() returns"
        )
    _require_quick(technique, slowest_us)


def _simulate_loops(technique: Technique | str, options: dict[str, Any], overrun: str, where: str) -> Result:
    try:
        loops = Loop(technique=technique, **options)
        machine = Machine(processors=PROCESSORS)
        sim = Simulation(difficult_workload(), machine, Easy(), applications=loops, overrun=overrun, seed=1)  # type: ignore[arg-type]
        return sim.run().result()
    except InputError as error:
        raise AssertionError(f"{where}: {error}") from error


def _require_all_tasks(run: Result, where: str) -> None:
    """Require that a completed job has run all tasks of its loop, each once."""
    completed = run.jobs.filter(status="completed")["job"].to_list()
    tasks = [pair for block in run.tasks(jobs=completed) for pair in zip(block["job"], block["task"], strict=True)]
    inside = run.reports["inside"]
    expected = int(inside.filter(inside["job"].is_in(completed))["tasks"].sum())
    assert len(set(tasks)) == len(tasks) == expected, f"{where} runs {len(tasks):,} tasks instead of {expected:,}"


def _require_quick(technique: Technique | str, slowest_us: float | None) -> None:
    run = _simulate_loops(technique, {"tasks_per_core": 50, "variation": 0.3}, "extend", repr(technique))
    chunks = int(run.report_columns["inside"]["chunks"].sum())
    us = 1e6 * run.statistics["engine_s"] / max(chunks, 1)
    assert slowest_us is None or us <= slowest_us, (
        f"{technique_of(technique)!r} takes {us:.0f} µs per chunk, {us * 1000 / 3600:.1f} hours for a billion chunks:"
        " use plain numbers, or compile it with tt.native_technique"
    )
