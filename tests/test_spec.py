"""`as_spec` takes what people write; `text_of` writes what they would type."""

from __future__ import annotations

from dataclasses import MISSING
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from thinktime.errors import InputError
from thinktime.schedulers import Scheduler
from thinktime.spec import REGISTRY, as_spec, text_of

GIVEN: list[tuple[str, Any, Any]] = [
    ("scheduler", "easy:order=sjf", tt.Easy(order="sjf")),
    ("scheduler", tt.FCFS(), tt.FCFS()),
    ("allocator", "best-fit:ranking=normalized", tt.BestFit(ranking="normalized")),
    ("users", "session-replay:threshold_min=30", tt.SessionReplay(threshold_min=30)),
    ("application", "loop:technique=gss", tt.Loop(technique="gss")),
    ("plugin", "power:idle_w=90", tt.Power(idle_w=90)),
    ("estimates", "perfect", tt.Estimates.perfect()),
    ("estimates", "at_least:2", tt.Estimates.at_least(2.0)),
    ("estimates", "at-least:factor=2", tt.Estimates.at_least(2.0)),
    ("platform", 128, tt.Machine(processors=128)),
    ("platform", np.int64(128), tt.Machine(processors=128)),
    ("platform", "128", tt.Machine(processors=128)),
    ("platform", "machine:processors=128,speed=2", tt.Machine(processors=128, speed=2)),
    ("platform", "seth", tt.Cluster.named("seth")),
]


@pytest.mark.parametrize(("kind", "value", "expected"), GIVEN)
def test_a_spec_or_its_text(kind: str, value: Any, expected: Any) -> None:
    assert as_spec(kind, value) == expected
    assert as_spec(kind, text_of(kind, expected.to_dict())) == expected


def test_the_file_of_a_cluster(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(tt.Cluster.named("seth").to_toml())
    assert as_spec("platform", str(file)) == as_spec("platform", file) == tt.Cluster.named("seth")


def test_a_base_class_as_the_kind() -> None:
    assert as_spec(Scheduler, "easy") == tt.Easy()


WRONG: list[tuple[str, Any, str]] = [
    ("scheduler", 5, r'scheduler is 5: give a spec or a text such as "easy:order=sjf"'),
    ("scheduler", tt.Rigid(), r"scheduler is Rigid\(\): give a spec"),
    ("scheduler", "esy", r"no scheduler is called 'esy' \(did you mean 'easy'\?\): choose one of"),
    ("platform", True, "machine is True: give a spec, a number of processors or a text"),
    ("platform", 0, r"processors"),
    ("platform", "stehh", r"no platform is called 'stehh' \(did you mean 'seth'\?\)"),
    ("estimates", "perfct", r"no estimate policy is called 'perfct' \(did you mean 'perfect'\?\)"),
]


@pytest.mark.parametrize(("kind", "value", "message"), WRONG)
def test_errors_name_the_argument_and_an_example(kind: str, value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        as_spec(kind, value)


def test_the_callers_name_of_the_argument() -> None:
    with pytest.raises(InputError, match=r"^base is None: give a spec"):
        as_spec("scheduler", None, "base")


def test_the_text_leaves_out_defaults_and_the_hash_of_the_code() -> None:
    assert text_of("scheduler", {"name": "easy", "order": "arrival", "extra_nodes": False}) == "easy:extra_nodes=false"
    assert text_of("scheduler", {"name": "of-yours", "most": 2, "source": "0123"}) == "of-yours:most=2"
    assert text_of("application", tt.Loop(technique="gss").to_dict()) == tt.Loop(technique="gss").text()


def test_notebooks_show_the_options() -> None:
    shown = tt.Easy(order="sjf")._repr_html_()
    assert "scheduler easy:order=sjf" in shown
    assert "<tr><td>order</td><td>sjf</td><td>arrival</td></tr>" in shown
    assert "<td>required</td>" in tt.Machine(processors=4)._repr_html_()
    cluster = tt.Cluster.named("seth")._repr_html_()
    assert "<th>group</th><th>nodes</th><th>core</th>" in cluster
    assert "seth: 120 nodes" in cluster


def test_nothing_prints_an_address() -> None:
    for kind in ("scheduler", "allocator", "users", "plugin", "application"):
        for cls in REGISTRY[kind].values():
            if cls.__module__.startswith("thinktime.") and not [v for v in cls._defaults().values() if v is MISSING]:
                try:
                    made = cls()
                except InputError:
                    continue  # some options are required together
                assert " at 0x" not in repr(made) + made._repr_html_()
    assert " at 0x" not in repr(tt.key) + repr(tt.key.wait)


def test_every_option_may_be_given_by_its_name() -> None:
    for kind in ("scheduler", "users"):
        for cls in REGISTRY[kind].values():
            if cls.__module__.startswith("thinktime."):
                assert cls().changed({}) == cls()
