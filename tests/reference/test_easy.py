"""EASY on schedules worked out by hand, one for each of its options."""

from __future__ import annotations

from tests.reference.workloads import job, schedule, starts

# 4 processors. B needs all of them: shadow 10, extra 0.
#   0         1         2
#   0123456789012345678901234567
#   AAAAAAAAAABBBBBBBBBB
#   AAAAAAAAAABBBBBBBBBB
#   AAAAAAAAAABBBBBBBBBB
#   ..CCCCCCCCBBBBBBBBBBDDDDDDDD      C (8 s from 2) ends by the shadow, D (8 s from 3) does not


def test_a_job_that_ends_by_the_shadow_passes():
    jobs = [job(0, 3, 10), job(1, 4, 10), job(2, 1, 8), job(3, 1, 8)]
    assert schedule(jobs, 4, "easy") == [(0, 10), (10, 20), (2, 10), (20, 28)]


# 5 processors. B needs 4: shadow 10, extra 1.
#   0         1         2                          without the extra processors
#   012345678901234567890123                       012345678901234567890123
#   AAAAAAAAAABBBBBBBBBBDDDD..                     AAAAAAAAAABBBBBBBBBBDDDD..
#   AAAAAAAAAABBBBBBBBBB                           AAAAAAAAAABBBBBBBBBB
#   AAAAAAAAAABBBBBBBBBB                           AAAAAAAAAABBBBBBBBBB
#   ..........BBBBBBBBBB                           ..........BBBBBBBBBB
#   ..CCCCCCCCCCCCCCCCCCCCCC..                     ..........CCCCCCCCCCCCCC..
EXTRA = [job(0, 3, 10), job(1, 4, 10), job(2, 1, 50), job(3, 1, 50)]


def test_extra_processors_are_used_up():
    assert starts(EXTRA, 5, "easy") == [0, 10, 2, 20]


def test_without_extra_nodes_only_the_shadow_counts():
    assert starts(EXTRA, 5, "easy", extra_nodes=False) == [0, 10, 10, 20]


# 4 processors. A is expected until 20 but ends at 5; Z runs until 10. B needs all: shadow 20, from 5 on
# really 10.
#   recomputed                              computed once, kept
#   0         1         2         3         0         1         2
#   012345678901234567890123456789          01234567890123456789012345
#   AAAAA.....BBBBBBBBBBCCCCCCCCCC          AAAAA.CCCCCCCCCCBBBBBBBBBB
#   AAAAA.....BBBBBBBBBBCCCCCCCCCC          AAAAA.CCCCCCCCCCBBBBBBBBBB
#   ZZZZZZZZZZBBBBBBBBBB                    ZZZZZZZZZZ......BBBBBBBBBB
#   ZZZZZZZZZZBBBBBBBBBB                    ZZZZZZZZZZ......BBBBBBBBBB
EARLY_END = [job(0, 2, 5, 20), job(0, 2, 10), job(1, 4, 10), job(6, 2, 10)]


def test_the_promise_is_recomputed():
    assert starts(EARLY_END, 4, "easy") == [0, 0, 10, 20]


def test_the_promise_is_kept_without_recompute():
    assert starts(EARLY_END, 4, "easy", recompute=False) == [0, 0, 16, 6]


def test_a_kept_promise_keeps_the_extra_that_is_left():
    # 5 processors: A (2) until 10, B (4) promised 10 with extra 1. C takes the extra and ends early at 4.
    # Then a recomputed promise has extra 1 again, and D passes; a kept one has none, and D starts beside B
    # at 10.
    jobs = [job(0, 2, 10), job(1, 4, 5), job(2, 1, 2, 90), job(3, 1, 90)]
    assert starts(jobs, 5, "easy") == [0, 10, 2, 4]
    assert starts(jobs, 5, "easy", recompute=False) == [0, 10, 2, 10]


# 4 processors, C (7 s) and D (4 s) are both submitted at 2 and compete for one processor until 10.
#   queue order: C passes at 2, D has no room       shortest first: D passes at 2, then C would end at 13


def test_backfill_order():
    jobs = [job(0, 3, 10), job(1, 4, 10), job(2, 1, 7), job(2, 1, 4)]
    assert starts(jobs, 4, "easy") == [0, 10, 2, 20]
    assert starts(jobs, 4, "easy", backfill_order="estimate") == [0, 10, 20, 2]


def test_order_decides_who_is_the_head():
    # B (8 s) and C (3 s) both need the whole machine, which A leaves at 10: the shorter one is the head.
    jobs = [job(0, 4, 10), job(1, 4, 8), job(2, 4, 3)]
    assert starts(jobs, 4, "easy", order="estimate") == [0, 13, 10]


def test_all_ends_of_the_shadow_instant_count():
    # 4 processors: A and Z (2 each) both end at 10. B needs 2: shadow 10, and 4 - 2 = 2 processors are extra
    # there... but nothing is free before. At 10 B and C start together, C without any test since it is the
    # head then.
    jobs = [job(0, 2, 10), job(0, 2, 10), job(1, 2, 5), job(2, 2, 50)]
    assert starts(jobs, 4, "easy") == [0, 0, 10, 10]
    # 5 processors, B needs 3: one processor is free now, 5 - 3 = 2 are extra at 10. C (1 processor, long)
    # passes.
    jobs = [job(0, 2, 10), job(0, 2, 10), job(1, 3, 5), job(2, 1, 50)]
    assert starts(jobs, 5, "easy") == [0, 0, 10, 2]
