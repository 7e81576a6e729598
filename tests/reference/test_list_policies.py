"""List policies on schedules worked out by hand. A row is a processor, a column is a second."""

from __future__ import annotations

import pytest

from reference import simulate
from tests.reference.workloads import job, schedule, starts

# fcfs, 4 processors                      fcfs with skip
#   0         1                             0         1
#   012345678901234                         012345678901234
#   AAAAAAAAAABBBBB                         AAAAAAAAAABBBBB
#   AAAAAAAAAABBBBB                         AAAAAAAAAABBBBB
#   AAAAAAAAAACCC                           AAAAAAAAAA
#   ..........                              ..CCC.....
A, B, C = job(0, 3, 10), job(1, 2, 5), job(2, 1, 3)


def test_fcfs_head_blocks_all_behind_it():
    assert schedule([A, B, C], 4, "fcfs") == [(0, 10), (10, 15), (10, 13)]


def test_skip_passes_over_what_does_not_fit():
    assert schedule([A, B, C], 4, "fcfs", skip=True) == [(0, 10), (10, 15), (2, 5)]


# Everybody wants the whole machine, A runs first until 10. B is longer (8) and earlier (1), C shorter (3)
# and later (2).
FULL = [job(0, 4, 10), job(1, 4, 8), job(2, 4, 3)]


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("fcfs", {}, [0, 10, 18]),
        ("sjf", {}, [0, 13, 10]),
        ("ljf", {}, [0, 10, 18]),
        ("edf", {}, [0, 13, 10]),  # deadlines 1 + 8 = 9 and 2 + 3 = 5
        ("edf", {"deadline_factor": 0.0}, [0, 10, 18]),  # deadlines 1 and 2
        ("priority", {"key": "estimate"}, [0, 13, 10]),
        ("priority", {"key": "wait"}, [0, 10, 18]),
    ],
)
def test_order_decides_who_is_next(name, options, expected):
    assert starts(FULL, 4, name, **options) == expected


def test_ties_go_by_arrival_not_by_position_in_the_input():
    later, earlier = job(2, 4, 5), job(1, 4, 5)
    assert starts([job(0, 4, 10), later, earlier], 4, "sjf") == [0, 15, 10]


def test_same_submit_goes_by_position_in_the_input():
    assert starts([job(0, 1, 5), job(0, 1, 5), job(0, 1, 5)], 1, "fcfs") == [0, 5, 10]


def test_input_order_is_kept_in_the_outcomes():
    assert starts([job(9, 1, 1), job(3, 1, 1)], 1, "fcfs") == [9, 3]


def test_reject_rejects_everybody():
    outcomes = simulate([A, B], 4, {"name": "reject"})
    assert [(o.submit, o.start, o.end, o.status) for o in outcomes] == [
        (0, None, None, "rejected"),
        (1, None, None, "rejected"),
    ]


@pytest.mark.parametrize("scheduler", [{"name": "none"}, {"name": "priority", "key": "none"}])
def test_unknown_names_are_refused(scheduler):
    with pytest.raises(ValueError, match="none"):
        simulate([A], 4, scheduler)
