"""Every policy of the package has a reference, which is found by its name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from reference.nodes.allocator import allocators
from reference.policies import policies
from reference.users import models
from tests.effort import examples
from tests.users.populations import assert_agreement, of_reference, population
from thinktime.spec import REGISTRY, built_in

MODELS = sorted(cls.name for cls in built_in("users").values())


def test_every_scheduler_and_user_model_has_a_reference() -> None:
    assert {cls.name for cls in built_in("schedulers").values()} <= set(policies())
    assert set(MODELS) == set(models())


def test_every_allocator_has_a_reference() -> None:
    """Allocators that rank nodes by a plugin's values are tested with that plugin."""
    specs: list[Any] = list(built_in("allocators").values())
    assert {cls.name for cls in specs if not cls.needs_plugin} == set(allocators())


@pytest.mark.parametrize("name", MODELS)
@examples(60)
@given(population(), st.integers(1, 8))
def test_every_user_model_with_its_defaults(name: str, jobs: list[Job], processors: int) -> None:
    options = {"monday_s": 0.0} if name == "distribution-based" else {}
    users: Any = REGISTRY["users"][name](**options)
    assert_agreement(jobs, processors, tt.Easy(), users, of_reference(users))
