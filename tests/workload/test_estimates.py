"""Estimate policies: their values, their names on the command line, and that they survive being written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.traces.lines import job, write
from thinktime import spec
from thinktime.errors import InputError
from thinktime.workload import Estimates, read_swf

POLICIES = {
    "requested": ([100, 60, 60, 100], Estimates.requested()),
    "perfect": ([60, 60, 60, 150], Estimates.perfect()),
    "at_least:1": ([100, 60, 60, 150], Estimates.at_least(1)),
    "at-least:factor=2": ([120, 120, 120, 300], Estimates.at_least(2.0)),
}


@pytest.mark.parametrize("text", POLICIES)
def test_policies(tmp_path: Path, text: str) -> None:
    workload = read_swf(write(tmp_path, job() + job(2, f9=-1) + job(3, f9=0) + job(4, f4=150)))
    values, policy = POLICIES[text]
    assert Estimates.parse(text) == policy
    assert policy.of(workload).tolist() == values
    assert Estimates.from_dict(policy.to_dict()) == policy
    assert eval(repr(policy), {"Estimates": Estimates}) == policy


def test_specs_and_short_forms_are_the_same() -> None:
    assert spec.parse("estimates", "at-least:factor=2") == Estimates.parse("AT_LEAST:2.0") == Estimates.at_least(2)
    assert hash(Estimates.at_least(2)) == hash(Estimates.at_least(2.0))
    assert set(spec.REGISTRY["estimates"]) == {"requested", "at-least", "perfect"}


@pytest.mark.parametrize("text", ["at_least:0", "at_least:-1", "at_least:nan", "at_least:x", "exact", "perfect:2", ""])
def test_bad_policies(text: str) -> None:
    with pytest.raises(InputError):
        Estimates.parse(text)


def test_the_base_class_is_no_policy(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a policy"):
        Estimates().of(read_swf(write(tmp_path, job())))
