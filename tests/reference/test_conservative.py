"""Conservative backfilling on schedules worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from reference.profile import Profile
from tests.reference.workloads import job, schedule, starts

# 4 processors. EASY protects only B, the head: D takes the extra processor and delays C. Conservative
# protects C too.
#   EASY                                                conservative
#   0         1         2         3         4           0         1         2         3         4
#   0123456789012345678901234567890123456789012         01234567890123456789012345678901234567890 ...
#   AAAAAAAAAABBBBBBBBBB.............CCCCCCCCCC         AAAAAAAAAABBBBBBBBBBCCCCCCCCCCDDDDDDDDDDD ...
#   AAAAAAAAAABBBBBBBBBB.............CCCCCCCCCC         AAAAAAAAAABBBBBBBBBBCCCCCCCCCC
#   ZZZZZZZZZZZZZZZZZZZZ.............CCCCCCCCCC         ZZZZZZZZZZZZZZZZZZZZCCCCCCCCCC
#   ...DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDCCCCCCCCCC         ....................CCCCCCCCCC
PROTECT = [job(0, 2, 10), job(0, 1, 20), job(1, 2, 10), job(2, 4, 10), job(3, 1, 30)]


def test_every_waiting_job_is_protected():
    assert starts(PROTECT, 4, "easy") == [0, 0, 10, 33, 3]
    assert starts(PROTECT, 4, "conservative") == [0, 0, 10, 20, 30]


# 4 processors, everybody needs all. A is expected until 20 but ends at 5; B has the slot 20.
#   compressed                              not compressed: B keeps 20, C (submitted at 6) uses the hole
#   0         1         2                   0         1         2
#   01234567890123456789                    012345678901234567890123456789
#   AAAAABBBBBBBBBBCCCCC                    AAAAA.CCCCC.........BBBBBBBBBB
EARLY_END = [job(0, 4, 5, 20), job(1, 4, 10), job(6, 4, 5)]


def test_compress_after_an_early_end():
    assert starts(EARLY_END, 4, "conservative") == [0, 5, 15]


def test_without_compress_a_slot_is_kept_and_comes_even_if_nothing_else_happens_then():
    assert starts(EARLY_END, 4, "conservative", compress=False) == [0, 20, 6]


def test_compress_goes_in_order_of_joining():
    # 4 processors. A (4) is expected until 20 and ends at 5. B (3) has slot 20, C (1, 40 s) starts beside it
    # at 20, D (3) follows at 30. At 5: B moves to 5, C to 5, D to 15.
    jobs = [job(0, 4, 5, 20), job(1, 3, 10), job(2, 1, 40), job(3, 3, 10)]
    assert starts(jobs, 4, "conservative") == [0, 5, 5, 15]


def test_a_job_of_no_length_takes_no_time_but_needs_its_processors():
    # B (no length) and C both have the slot 10. B is first, ends at once, and C follows in the same instant.
    jobs = [job(0, 4, 10), job(1, 4, 0), job(2, 4, 5)]
    assert schedule(jobs, 4, "conservative", compress=False) == [(0, 10), (10, 10), (10, 15)]
    # When A ends, B is taken out and put back: C holds the whole machine from 10 on, so B goes behind it.
    assert schedule(jobs, 4, "conservative") == [(0, 10), (15, 15), (10, 15)]


def test_blind_overrun_is_replanned_at_every_pass():
    # 3 processors. A (2) is expected until 10, runs until 20. B (3) is planned for 10; C (1, 9 s) does not
    # fit before (2 + 9 = 11), so it is planned behind B. At 12, when D is submitted, A "ends now": B is
    # planned for 12 and cannot start.
    jobs = [job(0, 2, 20, 10), job(1, 3, 5), job(2, 1, 9), job(12, 1, 1)]
    assert starts(jobs, 3, "conservative", overrun="extend-blind") == [0, 20, 25, 25]
    # If the overrun is known, both C (until 11) and D (until 13) fit before 20.
    assert starts(jobs, 3, "conservative", overrun="extend") == [0, 20, 2, 12]


def brute_force(taken: list[tuple[int, int, int]], machine: int, n: int, length: int, now: int) -> int:
    """Second by second; for whole numbers only."""

    def free(t: int) -> int:
        return machine - sum(m for start, end, m in taken if start <= t < end)

    s = now
    while any(free(t) < n for t in range(s, s + max(length, 1))):
        s += 1
    return s


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("length", [0, 1, 3, 5, 9])
def test_earliest_slot_by_brute_force(n, length):
    taken: list[Any] = [(0, 6, 1), (2, 9, 2), (11, 12, 4), (12, 15, 3), (15, 15, 4), (20, 30, 4)]
    for now in (3, 6, 10, 14, 25):
        expected = brute_force(taken, 4, n, length, now)
        assert Profile(4, now, taken).earliest(n, length) == expected


def test_give_back_undoes_take():
    profile = Profile(4, 3, [(0, 10, 2)])
    profile.take(3, 12, 2)
    assert profile.earliest(1, 1) == 10
    profile.give_back(3, 12, 2)
    assert profile.earliest(2, 100) == 3
