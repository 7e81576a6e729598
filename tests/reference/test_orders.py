"""Every queue order on small numbers, and its special cases."""

from __future__ import annotations

import math

import pytest

from reference.job import Task
from reference.orders import KEYS, in_order, key


def task(s: float, n: int, w: float, joined: int = 0) -> Task:
    return Task(joined, s, n, w, duration=w, expected_length=w, killed=False, joined=joined)


# A task submitted at 100 with 4 processors and an estimate of 10, seen at 120: it has waited 20, twice its
# estimate.
EXPECTED = {
    "arrival": 0,
    "estimate": 10,
    "longest": -10,
    "deadline": 130,  # with a factor of 3
    "smallest": 4,
    "largest": -4,
    "smallest-area": 40,
    "largest-area": -40,
    "wait": -20,
    "expansion": -3,
    "wfp3": -32,  # 2 * 2 * 2 * 4
    "unicef": -1,  # 20 / (2 * 10)
    "f1": 4 + 870 * 2,
    "f2": math.sqrt(10) * 4 + 25600 * 2,
    "f3": 40 + 6860000 * 2,
    "f4": 20 + 530000 * 2,
}


def test_every_order_has_its_number():
    assert EXPECTED.keys() == KEYS.keys()


@pytest.mark.parametrize("order", EXPECTED)
def test_key(order):
    assert key(order, task(100, 4, 10), now=120, deadline_factor=3) == EXPECTED[order]


@pytest.mark.parametrize(
    ("order", "s", "n", "w", "now", "expected"),
    [
        ("expansion", 0, 4, 0, 0, -math.inf),
        ("wfp3", 0, 4, 0, 0, 0),
        ("wfp3", 0, 4, 0, 1, -math.inf),
        ("unicef", 0, 4, 0, 0, 0),
        ("unicef", 0, 1, 9, 0, 0),  # the logarithm of one processor is 0
        ("unicef", 0, 1, 9, 1, -math.inf),
        ("f1", 0, 4, 9, 0, -math.inf),
        ("f1", 9, 4, 0, 9, -math.inf),
        ("f1", 0, 4, 0, 0, -math.inf),
        ("f3", 0, 4, 9, 0, -math.inf),
        ("f2", -5, 4, 9, 0, 0),  # no number: the logarithm of a submission before 0
    ],
)
def test_special_cases(order, s, n, w, now, expected):
    assert key(order, task(s, n, w), now, deadline_factor=1) == expected


def test_ties_go_by_joining():
    first, second = task(5, 4, 10, joined=1), task(0, 4, 10, joined=2)
    assert in_order([second, first], "estimate", now=9) == [first, second]


def test_some_orders_change_with_time():
    # wfp3: at 51 the long one has waited 0.51 of its estimate, the short one 0.1; at 60 it is 0.6 and 1.
    long, short = task(0, 1, 100, joined=0), task(50, 1, 10, joined=1)
    assert in_order([long, short], "wfp3", now=51) == [long, short]
    assert in_order([long, short], "wfp3", now=60) == [short, long]
