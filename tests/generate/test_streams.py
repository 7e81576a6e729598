"""Random streams: named, independent, and the same everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from thinktime.errors import InputError
from thinktime.support.random_streams import name_hash, stream


def test_the_key_is_the_seed_and_the_sha256_of_the_name():
    # sha256("users\x1f7") begins with these bytes, read as a little-endian number
    assert name_hash("users", 7) == int.from_bytes(bytes.fromhex("743d248a6e703adf"), "little")
    key = stream(5, "users", 7).bit_generator.state["state"]["key"]
    assert key.tolist() == [5, name_hash("users", 7)]


def test_the_same_name_begins_again_and_other_names_do_not():
    draws = stream(1, "a").random(100)
    assert np.array_equal(draws, stream(1, "a").random(100))
    for other in (stream(2, "a"), stream(1, "b"), stream(1, "a", 0), stream(1)):
        assert not np.any(np.isin(other.random(100), draws))


def test_a_name_is_its_parts_not_their_joined_letters():
    assert name_hash("ab", "c") != name_hash("a", "bc")


def test_streams_are_uncorrelated():
    count = 100_000
    draws = np.array([stream(seed, name).random(count) for seed in (1, 2) for name in ("a", "b", 0, 1)])
    correlation = np.corrcoef(draws)[~np.eye(len(draws), dtype=bool)]
    assert np.abs(correlation).max() < 5 / np.sqrt(count)  # sigma of a correlation of independent draws


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", None])
def test_a_bad_seed_is_named(seed):
    with pytest.raises(InputError, match=r"seed is .*: choose a whole number from 0 to"):
        stream(seed, "a")
