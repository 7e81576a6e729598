"""Load ratio and resource efficiency, worked by hand and against a plain sweep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinktime.metrics import NodeUse

CAPACITY = np.array([4.0, 4.0, 8.0])


def use(*entries: tuple[int, float, float, float]) -> NodeUse:
    """Entries are (node, amount, start, end)."""
    node, amount, start_s, end_s = (np.array(each, dtype=float) for each in zip(*entries, strict=True))
    return NodeUse(node.astype(np.int64), amount, start_s, end_s, CAPACITY)


def test_a_node_is_in_use_while_somebody_holds_some_of_it() -> None:
    held = use((0, 2, 0, 10), (0, 1, 5, 20), (2, 4, 5, 10))
    nodes, share = held.load_ratio(np.array([-1.0, 0.0, 5.0, 9.0, 10.0, 20.0]))
    assert nodes.tolist() == pytest.approx([0, 1 / 3, 2 / 3, 2 / 3, 1 / 3, 0])
    assert share.tolist() == pytest.approx([0, 2 / 4, 7 / 12, 7 / 12, 1 / 4, 0])


def test_one_that_begins_when_another_ends_keeps_the_node_in_use() -> None:
    nodes, share = use((1, 4, 0, 10), (1, 2, 10, 12)).load_ratio(np.array([10.0]))
    assert (nodes[0], share[0]) == (pytest.approx(1 / 3), 0.5)


def test_no_length_holds_nothing_and_no_end_for_ever() -> None:
    nodes, _ = use((0, 2, 3, 3), (1, 1, 3, float("nan"))).load_ratio(np.array([3.0, 1e9]))
    assert nodes.tolist() == pytest.approx([1 / 3, 1 / 3])


def test_efficiency_counts_what_others_started_at_the_same_instant() -> None:
    held = use((0, 2, 0, 10), (2, 4, 0, 10), (0, 1, 0, 5), (1, 2, 5, 5))
    found = held.efficiency(np.array([0, 0, 1, 2]), rows=4)
    assert found[:2].tolist() == pytest.approx([6 / (6 + 1 + 4), 1 / (1 + 1)])
    assert np.isnan(found[2:]).all()  # no length; no entry


ENTRIES = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=12
)


@given(ENTRIES)
def test_against_a_plain_sweep(entries: list[tuple[int, int, int, int]]) -> None:
    spans = [(node, amount, begin, begin + length) for node, amount, begin, length in entries]
    times = np.arange(-1.0, 14.0)
    nodes, share = use(*spans).load_ratio(times)
    for k, now in enumerate(times):
        alive = [(node, amount) for node, amount, begin, end in spans if begin <= now < end and amount]
        there = {node for node, _ in alive}
        assert nodes[k] == pytest.approx(len(there) / 3)
        assert share[k] == pytest.approx(sum(a for _, a in alive) / sum(CAPACITY[n] for n in there) if there else 0)
