"""Allocators as specs."""

from __future__ import annotations

import pytest

import thinktime as tt
from thinktime import allocators, spec

EVERY = [
    tt.FirstFit(),
    tt.BestFit(),
    tt.BestFit(ranking="normalized"),
    tt.WorstFit(ranking="normalized"),
    tt.Contiguous(),
    tt.Random(),
]


@pytest.mark.parametrize("allocator", EVERY, ids=repr)
def test_they_print_and_parse_as_themselves(allocator: allocators.Allocator) -> None:
    assert eval(repr(allocator), vars(tt) | {each: getattr(tt, each) for each in tt.__all__}) == allocator  # type: ignore[attr-defined]
    assert spec.parse("allocator", allocator.text()) == allocator
    assert spec.from_dict("allocator", allocator.to_dict()) == allocator


def test_all_are_registered() -> None:
    assert set(spec.REGISTRY["allocator"]) == {
        "first-fit",
        "best-fit",
        "worst-fit",
        "contiguous",
        "coolest-first",
        "random",
    }


def test_a_ranking_that_is_none() -> None:
    with pytest.raises(tt.InputError, match=r"ranking of best-fit is 'normalised' \(did you mean 'normalized'\?\)"):
        tt.BestFit(ranking="normalised")
    with pytest.raises(tt.InputError, match="allocator first-fit has no option 'ranking': it takes none"):
        spec.parse("allocator", "first-fit:ranking=raw")


def test_the_random_stream_is_the_runs() -> None:
    one, other = (tt.Random().engine_options(seed) for seed in (1, 2))
    assert one["seed_high"] == other["seed_high"]
    assert (one["seed_low"], other["seed_low"]) == ("1", "2")
    assert tt.Random.random
    assert not tt.BestFit.random
