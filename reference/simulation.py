"""A simulation: which events happen, in which order, and when the scheduler is asked.

The clock jumps to the next instant at which a job ends or is submitted. What happens inside one instant
depends on `same_instant`:

batch              all jobs that end here release their processors; all submissions join the queue; one
                   scheduler pass. If a job of zero length was started, it ends here too: another round,
                   until nothing is left.
each-submit-first  one event, one pass, next event; at one instant submissions come before ends. So that a job
                   ending now does not block a job submitted now, a pass counts as free also the processors
                   of running jobs that are expected to end now and really do (pyss).
each-end-first     one event, one pass, next event; at one instant ends come before submissions (CQSim).

Ends of one instant come in the order of the starts, submissions of one instant in the order of the input.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reference.job import Attempt, Job, Outcome, Task
from reference.overrun import RULES, make_task, seen_end
from reference.policies import make_policy
from reference.users import Rigid, Users

SAME_INSTANT = ("batch", "each-submit-first", "each-end-first")
OVERSIZED = ("reject", "clip", "error")
ESTIMATES = ("recorded", "scaled")


def simulate(
    jobs: Sequence[Job],
    processors: int,
    scheduler: dict[str, Any],
    same_instant: str = "batch",
    overrun: str = "extend",
    speed: float = 1.0,
    oversized: str = "reject",
    users: Users | None = None,
    estimates: str = "recorded",
) -> list[Outcome]:
    """Simulate the jobs; return the outcome of each, in the order of the input."""
    sim = Simulation(jobs, processors, scheduler, same_instant, overrun, speed, oversized, users, estimates)
    time = sim.next_time()
    while time is not None:
        sim.now = time
        sim.round() if same_instant == "batch" else sim.single_event()
        time = sim.next_time()
    for task in sim.queue:  # the policy never starts it
        sim.outcomes[task.index] = Outcome(task.submit, None, None, "unfinished")
    return [sim.outcomes[index] for index in sorted(sim.outcomes)]


class Simulation:
    def __init__(
        self,
        jobs: Sequence[Job],
        processors: int,
        scheduler: dict[str, Any],
        same_instant: str,
        overrun: str,
        speed: float,
        oversized: str,
        users: Users | None,
        estimates: str = "recorded",
    ) -> None:
        check(same_instant, SAME_INSTANT, "same_instant")
        check(overrun, RULES, "overrun")
        check(oversized, OVERSIZED, "oversized")
        check(estimates, ESTIMATES, "estimates")
        self.jobs = jobs
        self.processors = processors
        self.policy = make_policy(scheduler)
        self.same_instant = same_instant
        self.overrun = overrun
        self.speed = speed
        self.oversized = oversized
        self.estimates = estimates
        self.users = users or Rigid()
        self.now = 0.0
        self.planned = 0  # submissions that users have announced so far
        self.place: dict[tuple[float, float], int] = {}  # (time, recorded time) → place of the first one announced
        # (time, tie, index) of the submissions to come, the next one last
        self.coming: list[tuple[float, int, int]] = []
        self.will_come(self.users.begin(jobs))
        self.queue: list[Task] = []  # waiting jobs, in order of joining
        self.running: list[Task] = []  # running jobs, in order of starting
        self.free_now = 0  # what a pass may still give away
        self.joined = 0  # jobs that have joined the queue so far
        self.started = 0  # jobs that have started so far
        self.outcomes: dict[int, Outcome] = {}
        self.values: dict[str, float] = {}  # what plugins have published when the pass begins
        self.attempts: list[Attempt] = []  # runs that were aborted

    # --- the clock ------------------------------------------------------------------------------------------

    def next_end(self) -> Task:
        return min(self.running, key=lambda task: (task.end, task.started))

    def next_time(self) -> float | None:
        """The next instant with an end, a submission, or a pass that the policy asked for."""
        times = [task.end for task in self.running]
        if self.coming:
            times.append(self.coming[-1][0])
        wake = self.policy.next_wake(self)
        if wake is not None:
            times.append(wake)
        return min(times, default=None)

    def nothing_else_will_happen(self) -> bool:
        return not self.running and not self.coming

    # --- one step, by the batch rule or by the rules of single events ---------------------------------------

    def round(self) -> None:
        """All ends, all submissions, one pass."""
        if self.end_all():
            self.policy.ended(self)
        while self.submits_now():
            self.submit_one()
        self.one_pass()

    def end_all(self) -> bool:
        """End all that end now; did any?"""
        ending = sorted((task for task in self.running if task.end == self.now), key=lambda task: task.started)
        for task in ending:
            self.end(task)
        return bool(ending)

    def single_event(self) -> None:
        """One submission, or one end; or neither if only the policy asked for a pass."""
        if self.submits_now() and (self.same_instant == "each-submit-first" or not self.ends_now()):
            self.submit_one()
        elif self.ends_now():
            self.end(self.next_end())
            self.policy.ended(self)
        self.one_pass()

    def submits_now(self) -> bool:
        return bool(self.coming) and self.coming[-1][0] == self.now

    def ends_now(self) -> bool:
        return any(task.end == self.now for task in self.running)

    # --- what can happen to a job ---------------------------------------------------------------------------

    def submit_one(self) -> None:
        time, _, index = self.coming.pop()
        job = self.jobs[index]
        task = make_task(index, job, time, self.processors, self.speed, self.overrun, self.estimates)
        self.will_come(self.users.submitted(index, time))
        if self.too_large(job) or not self.policy.accepts(task):
            self.reject(task)
        else:
            self.join(task)

    def too_large(self, job: Job) -> bool:
        if job.processors <= self.processors or self.oversized == "clip":
            return False
        if self.oversized == "error":
            raise ValueError(f"a job needs {job.processors} processors but the machine has {self.processors}")
        return True

    def reject(self, task: Task) -> None:
        self.outcomes[task.index] = Outcome(task.submit, None, None, "rejected")
        self.tell_users(task)

    def join(self, task: Task) -> None:
        task.joined = self.joined
        self.joined += 1
        self.policy.submitted(task, self)
        self.queue.append(task)

    def end(self, task: Task) -> None:
        self.running.remove(task)
        status = "killed" if task.killed else "completed"
        self.outcomes[task.index] = Outcome(task.submit, task.start, task.end, status, task.placement)
        self.tell_users(task)

    # --- what a scheduler or a failure does to a job ---------------------------------------------------------

    def refuse(self, task: Task) -> None:
        """Reject a job that waits."""
        self.queue.remove(task)
        self.reject(task)

    def kill(self, task: Task) -> None:
        """End a running job now."""
        self.abort(task, "killed", 0.0)
        task.end = self.now
        self.outcomes[task.index] = Outcome(task.submit, task.start, task.end, "killed", task.placement)
        self.policy.changed(self)
        self.tell_users(task)

    def requeue(self, task: Task, saved: float, restart: float) -> None:
        """Abort a running job, which waits again in its old place, with `saved` less to do and `restart` more."""
        self.abort(task, "requeued", saved)
        task.saved += saved
        done = task.overhead + saved
        task.duration = max(0.0, task.duration - done) + restart
        task.expected_length = max(0.0, task.expected_length - done) + restart
        task.overhead = restart
        task.placement = ()
        self.queue.append(task)
        self.queue.sort(key=lambda task: task.joined)
        self.policy.changed(self)

    def abort(self, task: Task, fate: str, saved: float) -> None:
        """Take a job off the machine. What it releases is free in this very pass."""
        if not (self.same_instant == "each-submit-first" and self.as_good_as_ended(task)):
            self.free_now += task.processors
        self.running.remove(task)
        self.attempts.append(Attempt(task.index, task.start, self.now, fate, saved, task.placement))

    def worked(self, task: Task) -> float:
        """Seconds that a running job has worked so far, without a restart."""
        return max(0.0, self.now - task.start - task.overhead)

    def tell_users(self, task: Task) -> None:
        """Plan the submissions that follow from a job that has ended or was rejected."""
        self.will_come(self.users.ended(task.index, self.now))

    def will_come(self, caused: list[tuple[float, int]]) -> None:
        """Users announce submissions. Those of one instant join by index, or in the order of their announcement."""
        for time, index in caused:
            self.coming.append((time, self.tie(time, index), index))
            self.planned += 1
        if caused:
            self.coming.sort(reverse=True)

    def tie(self, time: float, index: int) -> int:
        """By announcement; but jobs of one instant of the log that share an instant again keep the log's order."""
        if self.users.ties == "original":
            return 0
        return self.place.setdefault((time, self.jobs[index].submit), self.planned)

    # --- what a policy uses in its pass ---------------------------------------------------------------------

    def one_pass(self) -> None:
        self.free_now = self.really_free()
        if self.same_instant == "each-submit-first":
            self.free_now += sum(task.processors for task in self.running if self.as_good_as_ended(task))
        self.policy.schedule(self)

    def really_free(self) -> int:
        return self.processors - sum(task.processors for task in self.running)

    def as_good_as_ended(self, task: Task) -> bool:
        return seen_end(task, self.now) == self.now and task.end == self.now

    def fits(self, task: Task) -> bool:
        return task.processors <= self.free_now

    def start(self, task: Task) -> None:
        self.queue.remove(task)
        self.running.append(task)
        self.free_now -= task.processors
        task.started = self.started
        self.started += 1
        task.start = self.now
        task.end = self.now + task.duration
        task.expected_end = self.now + task.expected_length


def check(value: str, allowed: tuple[str, ...], name: str) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}: choose one of {', '.join(allowed)}")
