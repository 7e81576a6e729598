"""Users who work in batches, in the reference: batches worked by hand, and arrivals whose reasons are known."""

from __future__ import annotations

import numpy as np
import pytest

from reference import Job, simulate
from reference.users.adjusted import Adjusted
from reference.users.batches import find_batches
from reference.users.distribution_based import DAY, DistributionBased
from reference.users.fluid import Fluid

FCFS = {"name": "fcfs"}
HOUR = 3600.0


def job(submit: float, run: float, processors: int = 1, user: int = 1, wait: float = 0.0) -> Job:
    return Job(submit=submit, run=run, processors=processors, estimate=run, user=user, wait=wait)


class Draws:
    """Random numbers that are known."""

    def __init__(self, *numbers: float) -> None:
        self.numbers = list(numbers)

    def random(self) -> float:
        return self.numbers.pop(0)


# --- batches ------------------------------------------------------------------------------------------------


def test_a_job_that_overlaps_joins_the_batch_and_one_that_touches_does_not() -> None:
    (own,) = find_batches([job(0, 10), job(9, 10), job(19, 5), job(30, 5)]).values()
    assert [batch.jobs for batch in own] == [[0, 1], [2], [3]]
    assert [batch.think_time for batch in own] == [None, 0, 6]
    assert [batch.inter_arrival for batch in own] == [None, 10, 11]


def test_a_session_depends_on_the_last_batches_of_sessions_that_had_ended() -> None:
    """Sessions: [0, 10) and [20, 30); one from 100 that is still there at 200; one at 200."""
    jobs = [job(0, 10), job(20, 10), job(100, 150), job(200, 5)]
    (own,) = find_batches(jobs, threshold=30).values()
    assert [batch.session for batch in own] == [0, 0, 1, 2]
    assert [[each.jobs for each in batch.depends_on] for batch in own] == [[], [[0]], [[1]], [[1]]]


# --- arrivals -----------------------------------------------------------------------------------------------


def submits(
    jobs: list[Job], users: Adjusted | Fluid | DistributionBased, processors: int = 1, **rules: float
) -> list[float]:
    return [each.submit for each in simulate(jobs, processors, FCFS, users=users, **rules)]  # type: ignore[arg-type]


def test_adjusted_waits_for_an_end_and_thinks() -> None:
    assert submits([job(0, 10), job(14, 1)], Adjusted(), speed=0.5) == [0, 20 + 4]


def test_adjusted_follows_where_there_was_nothing_to_wait_for() -> None:
    """The second session began while the first one ran: it comes so long after the first one's submission."""
    assert submits([job(0, 100), job(50, 1)], Adjusted(threshold=30), speed=0.5) == [0, 50]


def test_adjusted_follows_if_the_ends_came_before_the_last_submission() -> None:
    """The third session depends on the first, which ends early here; it then follows the second by 40 s."""
    jobs = [job(0, 55), job(40, 100), job(80, 1)]
    assert submits(jobs, Adjusted(threshold=30), processors=4) == [0, 40, 80]
    assert submits(jobs, Adjusted(threshold=30), processors=4, speed=5.0) == [0, 40, 80]
    assert submits(jobs, Adjusted(threshold=30), processors=4, speed=0.5) == [0, 40, 110 + 25]


def test_a_rejected_batch_has_ended_when_it_was_submitted() -> None:
    """End and submission come at one instant: the reason is the end."""
    assert submits([job(0, 10, processors=9), job(14, 1)], Adjusted()) == [0, 4]


def test_fluid_goes_on_inside_a_session_and_waits_for_the_next_one_outside() -> None:
    """Sessions [0, 20] and [100, 100]; inside them one think time, of 10 s."""
    jobs = [job(0, 10), job(20, 10), job(100, 1)]
    draws = lambda user: Draws(0.5, 0.5)  # noqa: E731
    assert submits(jobs, Fluid(draws, threshold=30)) == [0, 20, 100]  # type: ignore[arg-type]
    assert submits(jobs, Fluid(draws, threshold=30), speed=0.4) == [0, 100, 604800]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("day", "week", "begins"),
    [
        (0.69, 0.79, 7.5),  # by day on weekdays: Monday
        (0.7, 0.79, 17.5),  # by night
        (0.69, 0.8, 5 * 24 + 7.5),  # by day on weekends: Saturday
    ],
)
def test_hours_of_activity(day: float, week: float, begins: float) -> None:
    """Available at 0:00:10 of a Monday, which is only in the hours of a Sunday night."""
    users = DistributionBased(lambda user: Draws(day, 0.5, week, 0.1, 0.1))  # type: ignore[arg-type, return-value]
    assert submits([job(0, 10), job(14, 1)], users) == [0, begins * HOUR]


def test_the_shift_moves_both_ends() -> None:
    users = DistributionBased(lambda user: Draws(0.1, 0.75, 0.1, 0.1, 0.1))  # type: ignore[arg-type, return-value]
    users.begin([job(0, 10)])
    assert users.active(1, 8 * HOUR)
    assert not users.active(1, 8 * HOUR - 1)
    assert users.active(1, 18 * HOUR - 1)
    assert not users.active(1, 18 * HOUR)
    assert users.next_activity(1, 4 * DAY + 18 * HOUR) == 7 * DAY + 8 * HOUR


def test_a_quick_answer_keeps_the_user_at_work() -> None:
    """20 minutes: probability 0.4. The think time inside the session is 4 s, that between sessions 2 h."""
    noon, run = 12 * HOUR, 1200.0
    jobs = [job(noon, run), job(noon + run + 4, 1), job(noon + run + 5 + 2 * HOUR, 1)]
    for draw, second in ((0.39, noon + run + 4), (0.4, noon + run + 2 * HOUR)):
        numbers = (0.1, 0.5, 0.1, draw, 0.0, 0.0, 0.0)
        users = DistributionBased(lambda user, n=numbers: Draws(*n))  # type: ignore[misc, arg-type]
        assert submits(jobs, users)[1] == second


def test_streams_are_the_users_own() -> None:
    jobs = [job(10 * i, 5, user=i % 2) for i in range(20)]
    fluid = Fluid(lambda user: np.random.default_rng(user), threshold=30)
    assert len(submits(jobs, fluid)) == 20
