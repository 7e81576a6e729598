# mypy: disable-error-code="arg-type"
"""Scheduler specs are data: they print as themselves, compare, survive JSON, TOML and the command line."""

from __future__ import annotations

import dataclasses
import json
import tomllib
from typing import Any

import pytest
from hypothesis import given

import thinktime as tt
from tests.effort import examples
from tests.engine.workloads import schedulers
from thinktime import _engine
from thinktime.errors import InputError
from thinktime.schedulers import ORDERS, Scheduler
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.orders import ALIASES, canonical
from thinktime.spec import REGISTRY, from_dict, parse

EXAMPLES = examples(200)


def toml(options: dict[str, Any]) -> str:
    """TOML has no null: what is not set is left out. JSON's strings, numbers and flags are TOML's."""
    return "\n".join(f"{name} = {json.dumps(value)}" for name, value in options.items() if value is not None)


def command_line(scheduler: Scheduler) -> str:
    given = [f"{name}={value}" for name, value in scheduler.options().items() if value is not None]
    return f"{scheduler.name}:{','.join(given)}"


# --- what a spec is -----------------------------------------------------------------------------------------


def test_the_registry_has_every_scheduler_once() -> None:
    names = [cls.__name__ for cls in REGISTRY["scheduler"].values() if not issubclass(cls, tt.OwnScheduler)]
    assert len(set(names)) == len(names)
    assert {"FCFS", "Easy", "Conservative", "Priority", "Reject"} < set(names) < set(tt.__all__)  # type: ignore[attr-defined]


def test_the_engine_has_every_scheduler() -> None:
    """A policy is one engine file and one spec: neither is alone."""
    ours = {cls().engine_name() for cls in REGISTRY["scheduler"].values()}  # type: ignore[attr-defined]
    assert set(_engine.scheduler_names()) == ours | {"easy-accasim-1.0"}


@EXAMPLES
@given(schedulers())
def test_prints_as_itself(scheduler: Scheduler) -> None:
    assert eval(repr(scheduler), {scheduler.__class__.__name__: type(scheduler)}) == scheduler


@pytest.mark.parametrize(
    ("scheduler", "text"),
    [
        (tt.Easy(), "Easy()"),
        (tt.Easy(order="sjf"), "Easy(order='sjf')"),
        (tt.Easy(backfill_order="sjf", recompute=False), "Easy(backfill_order='sjf', recompute=False)"),
        (tt.Easy(compat="accasim-1.0"), "Easy(compat='accasim-1.0')"),
        (tt.EDF(deadline_factor=2.5), "EDF(deadline_factor=2.5)"),
        (tt.FCFS(skip=True), "FCFS(skip=True)"),
        (tt.Priority(key="wfp3"), "Priority()"),
        (tt.Conservative(compress=False), "Conservative(compress=False)"),
        (tt.Reject(), "Reject()"),
    ],
)
def test_prints_only_what_is_not_usual(scheduler: Scheduler, text: str) -> None:
    assert repr(scheduler) == text


@EXAMPLES
@given(schedulers(), schedulers())
def test_equality_is_of_class_and_options(first: Scheduler, second: Scheduler) -> None:
    alike = type(first) is type(second) and first.options() == second.options()
    assert (first == second) == alike
    assert not alike or hash(first) == hash(second)
    assert first == first.replace()
    assert len({first, first.replace()}) == 1


def test_specs_of_equal_options_but_another_class_differ() -> None:
    assert tt.FCFS() != tt.SJF()
    assert len({tt.FCFS(), tt.SJF(), tt.LJF(), tt.FCFS(skip=False)}) == 3


def test_specs_are_frozen_and_take_keywords_only() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        tt.Easy().order = "sjf"  # type: ignore[misc]
    with pytest.raises(InputError, match="have names: write"):
        tt.Easy("sjf")  # type: ignore[misc]
    assert tt.Easy(order="sjf").replace(order="arrival") == tt.Easy()
    with pytest.raises(InputError):
        tt.Easy().replace(order="nothing")


# --- round trips --------------------------------------------------------------------------------------------


@EXAMPLES
@given(schedulers())
def test_round_trips(scheduler: Scheduler) -> None:
    data = scheduler.to_dict()
    assert data["name"] == scheduler.name
    assert from_dict("scheduler", data) == scheduler
    assert from_dict("scheduler", json.loads(json.dumps(data))) == scheduler
    assert from_dict("scheduler", tomllib.loads(toml(data))) == scheduler
    assert parse("scheduler", command_line(scheduler)) == scheduler


def test_from_dict_leaves_its_argument_alone() -> None:
    data = {"name": "easy", "order": "sjf"}
    assert from_dict("scheduler", data) == Easy(order="sjf")
    assert data == {"name": "easy", "order": "sjf"}


@pytest.mark.parametrize(
    ("text", "scheduler"),
    [
        ("easy", tt.Easy()),
        ("EASY", tt.Easy()),
        (" easy : order = sjf , extra_nodes = FALSE ,", tt.Easy(order="sjf", extra_nodes=False)),
        ("easy:compat=accasim-1.0", tt.Easy(compat="accasim-1.0")),
        ("edf:deadline_factor=2", tt.EDF(deadline_factor=2)),
        ("edf:deadline_factor=1e1", tt.EDF(deadline_factor=10.0)),
        ("priority:key=f1,skip=true", tt.Priority(key="f1", skip=True)),
        ("conservative:compress=false", tt.Conservative(compress=False)),
        ("fcfs:", tt.FCFS()),
    ],
)
def test_command_line(text: str, scheduler: Scheduler) -> None:
    assert parse("scheduler", text) == scheduler


# --- what the engine is told --------------------------------------------------------------------------------


def test_aliases_mean_known_orders_and_hide_none() -> None:
    assert set(ALIASES.values()) <= set(ORDERS)
    assert not set(ALIASES) & set(ORDERS)
    assert (canonical("sjf"), canonical("estimate"), canonical("wfp3")) == ("estimate", "estimate", "wfp3")


@pytest.mark.parametrize("name", [*ORDERS, *ALIASES])
def test_every_order_is_known_to_the_engine(name: str) -> None:
    empty = tt.default_workload(jobs=1)
    for scheduler in (tt.Priority(key=name), tt.Easy(order=name), tt.Easy(backfill_order=name)):
        assert len(tt.Simulation(empty, tt.Machine(processors=128), scheduler).run().result()) == 1


def test_backfill_order_defaults_to_the_order() -> None:
    assert tt.Easy(order="sjf").engine_options()["backfill_order"] == "estimate"
    assert tt.Easy(order="sjf", backfill_order="saf").engine_options()["backfill_order"] == "smallest-area"
    assert tt.Easy(compat="accasim-1.0").engine_name() == "easy-accasim-1.0"


# --- what goes wrong ----------------------------------------------------------------------------------------

CHOICES = ", ".join([*ORDERS, *ALIASES]) + ", or compose a key such as -wait / estimate or column(colour)"
EASY_OPTIONS = ", ".join(Easy().options())


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: tt.Easy(order="estimat"),
            f"order of easy is 'estimat' (did you mean 'estimate'?): choose one of {CHOICES}",
        ),
        (lambda: tt.Easy(order=None), f"order of easy is None: choose one of {CHOICES}"),
        (lambda: tt.Easy(order=True), f"order of easy is True: choose one of {CHOICES}"),
        (lambda: tt.Easy(backfill_order=""), f"backfill_order of easy is '': choose one of {CHOICES}"),
        (
            lambda: tt.Priority(key="wfp"),
            f"key of priority is 'wfp' (did you mean 'wfp3'?): choose one of {CHOICES}",
        ),
        (lambda: tt.Easy(extra_nodes=1), "extra_nodes of easy is 1: choose true or false"),
        (lambda: tt.FCFS(skip="no"), "skip of fcfs is 'no': choose true or false"),
        (lambda: tt.Conservative(compress=None), "compress of conservative is None: choose true or false"),
        (lambda: tt.EDF(deadline_factor=0), "deadline_factor of edf is 0: choose a number above 0"),
        (
            lambda: tt.EDF(deadline_factor=float("nan")),
            "deadline_factor of edf is nan: choose a number above 0",
        ),
        (
            lambda: tt.EDF(deadline_factor=float("inf")),
            "deadline_factor of edf is inf: choose a number above 0",
        ),
        (lambda: tt.EDF(deadline_factor=True), "deadline_factor of edf is True: choose a number above 0"),
        (lambda: tt.EDF(deadline_factor="2"), "deadline_factor of edf is '2': choose a number above 0"),
        (
            lambda: tt.Easy(compat="accasim-2"),
            "compat of easy is 'accasim-2' (did you mean 'accasim-1.0'?): choose one of accasim-1.0",
        ),
        (
            lambda: tt.Easy(compat="accasim-1.0", order="sjf"),
            "Easy(order='sjf', compat='accasim-1.0'): compat fixes every other option, leave them out",
        ),
        (
            lambda: parse("scheduler", "esay"),
            "no scheduler is called 'esay' (did you mean 'easy'?): choose one of "
            + ", ".join(sorted(REGISTRY["scheduler"])),
        ),
        (
            lambda: parse("scheduler", "easy:ordre=sjf"),
            f"scheduler easy has no option 'ordre' (did you mean 'order'?): it takes {EASY_OPTIONS}",
        ),
        (lambda: parse("scheduler", "reject:x=1"), "scheduler reject has no option 'x': it takes none"),
        (
            lambda: parse("scheduler", "easy:sjf"),
            "'sjf' in 'easy:sjf' is not an option: write easy:option=value,option=value",
        ),
        (
            lambda: parse("scheduler", "easy:extra_nodes=yes"),
            "extra_nodes of easy is 'yes': choose true or false",
        ),
        (
            lambda: from_dict("scheduler", {"order": "sjf"}),
            f"a scheduler needs a name: one of {', '.join(sorted(REGISTRY['scheduler']))}",
        ),
    ],
)
def test_sentences(make: Any, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        make()
    assert str(error.value) == sentence
