"""Options of one's own policies: held to the types that they were declared with, and to nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

import thinktime as tt
from thinktime.errors import InputError
from thinktime.spec import REGISTRY, parse


class Weighed(tt.OwnScheduler):
    most: int = 4
    weight: float = 0.0
    wide: bool = False
    limit: int | None = None

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        return ()


class Biased(tt.OwnPlugin):
    bias: float = -1.0


class Tilted(tt.OwnUsers, name="tilted"):
    bias: float = -1.0


OWN = (Weighed, Biased, Tilted)


def forget() -> None:
    """Other tests go through all that is registered."""
    for cls in OWN:
        REGISTRY[cls.kind].pop(cls.name, None)


forget()


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    for cls in OWN:
        REGISTRY[cls.kind][cls.name] = cls
    yield
    forget()


def test_numbers_may_be_nothing_or_less() -> None:
    assert Weighed(weight=-2) == parse("scheduler", "weighed:weight=-2.0")
    assert Biased().bias == -1.0 == Tilted().bias
    assert Weighed(most=3.0).most == 3  # type: ignore[arg-type]
    assert Weighed(limit=None).limit is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("most=x", "most of weighed is 'x': choose a whole number"),
        ("most=2.5", "most of weighed is 2.5: choose a whole number"),
        ("most=inf", "most of weighed is inf: choose a whole number"),
        ("weight=nan", "weight of weighed is nan: choose a number"),
        ("wide=1", "wide of weighed is 1: choose true or false"),
    ],
)
def test_what_is_not_of_the_type(text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=f"^{sentence}$"):
        parse("scheduler", f"weighed:{text}")


def test_a_class_may_say_the_lowest() -> None:
    class Late(tt.OwnPlugin):
        lowest: ClassVar = {"after_s": 1.0}
        after_s: float = 5.0

    REGISTRY["plugin"].pop("late")
    with pytest.raises(InputError, match=r"after_s of late is 0\.5: choose a number of 1 or more"):
        Late(after_s=0.5)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("own_probe:Frst", "has no scheduler called Frst .did you mean 'First'..: it has First"),
        ("own_empty:First", "has no scheduler called First: write class First.tt.OwnScheduler. there"),
        ("own_exits:First", "can be imported .SystemExit: 3."),
    ],
)
def test_modules_without_the_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, sentence: str) -> None:
    first = "class First(tt.OwnScheduler):\n    def schedule(self, *given):\n        return ()\n"
    (tmp_path / "own_probe.py").write_text(f"import thinktime as tt\n{first}")
    (tmp_path / "own_empty.py").write_text("")
    (tmp_path / "own_exits.py").write_text("raise SystemExit(3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match=sentence):
        parse("scheduler", text)
    REGISTRY["scheduler"].pop("first", None)
