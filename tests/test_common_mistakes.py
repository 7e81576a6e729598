"""Mistakes of a first hour: each error names the value, the rule and the next step."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import thinktime as tt
from thinktime.spec.values import closest


@cache
def run(scheduler: str = "easy", jobs: int = 60) -> tt.Result:
    return tt.simulate(tt.default_workload(jobs=jobs), 128, scheduler)


MISTAKES: dict[str, tuple[Callable[[], Any], str]] = {
    "a machine's size without its name": (
        lambda: tt.Machine(100),  # type: ignore[misc]
        "options of Machine have names: write Machine(processors=100)",
    ),
    "an order without its name": (
        lambda: tt.Easy("sjf"),  # type: ignore[misc]
        "options of Easy have names: write Easy(order='sjf')",
    ),
    "a cluster's name": (
        lambda: tt.Cluster("seth"),  # type: ignore[misc]
        "Cluster takes groups of nodes: write Cluster.from_text('seth') for a name or a file",
    ),
    "an option with another name": (
        lambda: tt.Machine(procs=100),  # type: ignore[call-arg]
        "platform machine has no option 'procs' (did you mean 'processors'?): it takes processors, speed, estimates",
    ),
    "a number for a log": (
        lambda: tt.read_swf(12),  # type: ignore[arg-type]
        "a log must be a name or a path (got 12)",
    ),
    "a number for a run": (
        lambda: tt.compare(run(), 3),  # type: ignore[arg-type]
        "results must be simulated runs (got int): tt.Result.load reads a saved run",
    ),
    "a class": (
        lambda: tt.simulate(tt.default_workload(jobs=9), scheduler=tt.Easy),  # type: ignore[arg-type]
        "scheduler is the class Easy: create an object, Easy()",
    ),
    "letters in another order": (
        lambda: tt.Easy(order="sfj"),
        "order of easy is 'sfj' (did you mean 'sjf'?)",
    ),
    "words in another order": (
        lambda: run().summary()["mean_wait"],
        "unknown metric 'mean_wait' (did you mean 'wait_mean_s'?)",
    ),
    "half a window": (
        lambda: run().summary(window=(7,)),  # type: ignore[arg-type]
        "window must be (begin, end) in seconds, such as (7 * 86400, 8 * 86400) (got (7,))",
    ),
    "the command line's window": (
        lambda: run().gantt(window="7d:8d"),  # type: ignore[arg-type]
        "window must be (begin, end) in seconds, such as (7 * 86400, 8 * 86400) (got '7d:8d')",
    ),
    "half a kind": (
        lambda: run().plot("gant"),
        "no figure kind named 'gant' (did you mean 'gantt'?): tt.plots.kinds() lists all",
    ),
    "one run": (
        lambda: tt.compare(run()),  # type: ignore[arg-type]
        "a comparison needs two or more results (got 1): give a list, [first, second]",
    ),
    "a directory": (
        lambda: tt.compare([run(), "saved"]),  # type: ignore[list-item]
        "results must be simulated runs (got str): tt.Result.load reads a saved run",
    ),
    "two logs": (
        lambda: tt.compare([run(), run(jobs=50)]),
        "the results are of different jobs, so they cannot be paired: simulate the same workload, or compare several"
        " logs in a study (tt.Study.of, `thinktime study`)",
    ),
    "a workload": (
        lambda: tt.check(tt.default_workload(jobs=9)),  # type: ignore[arg-type]
        "result must be a simulated run (got Workload): tt.Result.load reads a saved run",
    ),
    "another format": (
        lambda: tt.plots.save(run().plot(), "waits.jpg"),
        "path must end in .png, .pdf or .svg (got 'waits.jpg')",
    ),
    "a run as a figure": (
        lambda: tt.plots.save(run(), "waits.png"),  # type: ignore[arg-type]
        "figure must be a figure, such as run.plot() (got Result)",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_the_error_says_what_to_do(name: str) -> None:
    mistake, sentence = MISTAKES[name]
    with pytest.raises(tt.InputError, match=f"^{re.escape(sentence)}"):
        mistake()


def test_the_closest_word() -> None:
    assert closest("eazy", ["fcfs", "easy"]) == "easy"
    assert closest("sfj", ["spf", "sjf"]) == "sjf"
    assert closest("session", ["rigid", "session-replay"]) == "session-replay"
    assert closest("", ["rigid"]) is None
    assert closest("backfilling", ["rigid"]) is None


@pytest.mark.parametrize("module", [tt, tt.plots])
def test_python_suggests_names_of_modules(module: Any) -> None:
    with pytest.raises(AttributeError) as found:
        _ = module.simualte
    assert (found.value.name, found.value.obj) == ("simualte", module)


def test_figures_are_all_that_completion_shows() -> None:
    assert {"gantt", "save", "kinds", "draw"} <= set(dir(tt.plots))
    assert not {"Any", "annotations", "importlib", "sys", "modules"} & set(dir(tt.plots))


def test_names_of_runs_are_those_of_the_literature() -> None:
    runs = [run("easy"), run("easy:order=sjf"), run("easy:backfill_order=estimate")]
    names = tt.compare(runs)["bounded_slowdown_mean"].table.names
    assert names == ("easy", "easy:order=sjf", "easy:backfill_order=sjf")


def test_results_one_by_one() -> None:
    assert str(tt.compare(run(), run("fcfs"))) == str(tt.compare([run(), run("fcfs")]))
