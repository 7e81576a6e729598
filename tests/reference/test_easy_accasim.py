"""What AccaSim calls EASY, on schedules worked out by hand."""

from __future__ import annotations

from tests.reference.workloads import job, starts

ACCASIM = {"compat": "accasim-1.0"}

# 4 processors. A is expected until 20 but ends at 5; B needs all and is reserved for 20. It is not tried at
# 5. C (100 s) and D (3 s) start at once. The next event from 20 on is the end of C at 106: there B starts.
#   0         1         2              1
#   0123456789012345678901  ...        0
#   AAAAA.CCCCCCCCCCCCCCCCC ... CCCCCCCBBBBBBBBBB
#   AAAAA..DDD                         BBBBBBBBBB
#   AAAAA..DDD                         BBBBBBBBBB
#   AAAAA..DDD                         BBBBBBBBBB


def test_the_head_sleeps_until_its_reserved_time_and_any_job_may_pass():
    jobs = [job(0, 4, 5, 20), job(1, 4, 10), job(6, 1, 100), job(7, 3, 3)]
    assert starts(jobs, 4, "easy", **ACCASIM) == [0, 106, 6, 7]
    assert starts(jobs, 4, "easy") == [0, 5, 15, 15]


def test_it_is_tried_at_the_first_event_from_the_reserved_time_on():
    # As above without C, but E is submitted at 25: the blocked B goes first, then E.
    jobs = [job(0, 4, 5, 20), job(1, 4, 10), job(25, 4, 1)]
    assert starts(jobs, 4, "easy", **ACCASIM) == [0, 25, 35]


def test_when_nothing_else_will_happen_it_starts_at_the_reserved_time():
    jobs = [job(0, 4, 5, 20), job(1, 4, 10)]
    assert starts(jobs, 4, "easy", **ACCASIM) == [0, 20]


def test_a_failed_attempt_keeps_the_old_reservation():
    # 2 processors. A until 10. B (2) is reserved for 10. C (1 processor, until 32) passes at 2. At 10 B does
    # not fit; its reservation stays at 10, so it is tried at every event: at 15 (submission of D, which
    # passes), at 17, at 32.
    jobs = [job(0, 1, 10), job(1, 2, 5), job(2, 1, 30), job(15, 1, 2)]
    assert starts(jobs, 2, "easy", **ACCASIM) == [0, 32, 2, 15]


def test_after_the_blocked_job_the_next_heads_start_in_the_same_pass():
    # 4 processors. A (4) ends at 10 as expected; B (2) blocked, reserved 10; C (2) and D (2) behind it.
    # At 10: B, then C as the next head, then D is blocked until both end at 15.
    jobs = [job(0, 4, 10), job(1, 2, 5), job(2, 2, 5), job(3, 2, 5)]
    assert starts(jobs, 4, "easy", **ACCASIM) == [0, 10, 10, 15]
