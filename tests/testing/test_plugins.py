"""The check says in plain words what is wrong with a plugin, and nothing about one that is right."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

import thinktime as tt
from thinktime.spec import REGISTRY


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Other tests go through the registry."""
    known = dict(REGISTRY["plugin"])
    yield
    REGISTRY["plugin"].clear()
    REGISTRY["plugin"].update(known)


def plugin(**callbacks: Any) -> tt.OwnPlugin:
    return type("Mine", (tt.OwnPlugin,), callbacks)()


@pytest.mark.parametrize(
    ("mine", "beside"),
    [
        (tt.Power(off_after_s=60, boot_s=5), []),
        (tt.Thermal(), [tt.Power()]),
        (tt.Failures(mtbf_h=1, mttr_h=0.1, jobs="lose"), []),
        (tt.Maintenance(windows=[{"from_s": 100, "to_s": 400}]), []),
    ],
    ids=["power", "thermal", "failures", "maintenance"],
)
def test_ours_pass(mine: tt.Plugin, beside: list[tt.Plugin]) -> None:
    tt.testing.check_plugin(mine, needed=beside)


@pytest.mark.parametrize(
    ("callbacks", "words"),
    [
        ({"starting": lambda self, system, job: False}, "waiting forever .* allow its start"),
        ({"submitting": lambda self, system, job: None}, "return True or False"),
        ({"after_pass": lambda self, system: system.wake(0.0)}, "the time of a wake must be finite and after now"),
        ({"after_pass": lambda self, system: 1 / 0}, "failed at .* with ZeroDivisionError"),
    ],
)
def test_mistakes(callbacks: Any, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        tt.testing.check_plugin(plugin(**callbacks))


def test_one_that_remembers_too_much() -> None:
    count = itertools.count()
    mine = plugin(delay=lambda self, system, job: next(count) % 7)
    with pytest.raises(AssertionError, match="differently in a second run"):
        tt.testing.check_plugin(mine)


def test_one_that_closes_nodes_for_ever() -> None:
    def before_pass(self: Any, system: Any) -> None:
        for node in range(system.nodes):
            if system.now_s > 500 and not system.is_closed(node):
                system.close(node)

    with pytest.raises(AssertionError, match="open nodes that were closed"):
        tt.testing.check_plugin(plugin(before_pass=before_pass))
