"""Rules that every schedule must follow, whatever the policy: `check(result)` lists the violations.

The rules are vectorised: millions of jobs take seconds. Inside one instant, ends release processors before starts take
them, and a job of length zero starts and ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.status import COMPLETED, KILLED, REJECTED, STATUS_NAMES, UNFINISHED
from thinktime.result.actions import rejected_from_queue
from thinktime.result.checks.actions import actions_agree, has_actions
from thinktime.result.checks.nodes import NODE_RULES
from thinktime.result.checks.promises import heads_promise, ties_by_row
from thinktime.result.checks.run_file import claims_hold
from thinktime.result.checks.timeline import Finding, missing_instants, timeline_order, timeline_values
from thinktime.result.given_back import held
from thinktime.result.result import Result

LIMIT = 20  # violations listed per rule; the others are counted


class Violation(NamedTuple):
    """A violation of a rule: its name, the job (None for an instant or the whole run) and a sentence."""

    rule: str
    job: int | None
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def check(result: Result, limit: int = LIMIT) -> list[Violation]:
    """Return the violations of the rules that every schedule must follow; an empty list if there are none.

    Rules: no processor is used twice, no job starts before its submission, no job is lost, the timeline agrees with the
    jobs, EASY never delays the reservation of the first job, and others.

    Parameters
    ----------
    result : Result
        The run.
    limit : int
        Violations to list per kind (default 20); one more entry counts the others.

    Returns
    -------
    list of Violation
        Rule, job and sentence.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.check(tt.simulate(tt.default_workload(jobs=200)))
    []
    """
    if not isinstance(result, Result):
        raise InputError(
            f"result must be a simulated run (got {type(result).__name__}): tt.Result.load reads a saved run"
        )
    return [
        violation
        for rule, function in rules_of(result).items()
        for finding in function(result)
        for violation in _violations(rule, finding, result.columns["job"], limit)
    ]


def check_directory(directory: str | Path, limit: int = LIMIT) -> list[Violation]:
    """Return `check` of a saved run; raise InputError if the directory cannot be read."""
    return check(Result.load(directory), limit)


def _violations(rule: str, finding: Finding, jobs: np.ndarray, limit: int) -> Iterator[Violation]:
    for row in finding.rows[:limit].tolist():
        job = int(jobs[row]) if finding.of_jobs and not np.isnan(jobs[row]) else None
        yield Violation(rule, job, finding.say(row))
    if len(finding.rows) > limit:
        yield Violation(rule, None, f"{len(finding.rows) - limit} more break the rule {rule!r} in the same way")


def _finding_on_jobs(broken: np.ndarray, say: Callable[[int], str]) -> Finding:
    return Finding(np.flatnonzero(broken), say, of_jobs=True)


def states(result: Result) -> Iterator[Finding]:
    """Every job has one of the four states, and the times that belong to it."""
    of, status = result.columns, result.columns["status"]
    started, ended = ~np.isnan(of["start_s"]), ~np.isnan(of["end_s"])
    ran = (status == COMPLETED) | (status == KILLED)
    name = _job_namer(of)

    def interval(i: int) -> str:
        return f"start {of['start_s'][i]:.15g} and end {of['end_s'][i]:.15g}"

    yield _finding_on_jobs(status > UNFINISHED, lambda i: f"{name(i)} has status {status[i]}, which is none of 0 to 3")
    yield _finding_on_jobs(
        ran & ~(started & ended),
        lambda i: f"{name(i)} is {STATUS_NAMES[status[i]]} but has {interval(i)}",
    )
    yield _finding_on_jobs(
        (status == REJECTED) & (started | ended),
        lambda i: f"{name(i)} is rejected but has {interval(i)}",
    )
    yield _finding_on_jobs(
        (status == UNFINISHED) & ended,
        lambda i: f"{name(i)} is unfinished but has an end at {of['end_s'][i]:.15g} s",
    )


def no_job_lost(result: Result) -> Iterator[Finding]:
    """Only a stopped run has unfinished jobs, and the result has one row per job of the workload."""
    of, name = result.columns, _job_namer(result.columns)
    if not (result.statistics.get("stopped") or result.spec.get("until") is not None or _never_repaired(result)):
        unfinished, submitted = of["status"] == UNFINISHED, ~np.isnan(of["submit_s"])
        yield _finding_on_jobs(unfinished & submitted, lambda i: f"{name(i)} is unfinished but the run was not stopped")
        yield _finding_on_jobs(
            unfinished & ~submitted, lambda i: f"{name(i)} was never submitted by {_words_for_users(result)}"
        )
    workload = result.spec.get("workload")
    expected = workload.get("jobs") if isinstance(workload, Mapping) else None
    lost = isinstance(expected, int) and expected != len(result)
    sentence = f"the workload has {expected} jobs but the result has {len(result)}"
    yield Finding(np.arange(int(lost)), lambda i: sentence, of_jobs=False)


def _never_repaired(result: Result) -> bool:
    """Return whether jobs may wait forever, for a node that stays broken."""
    failures = result.report_columns.get("failures", {})
    return bool(np.isnan(failures.get("repaired_s", np.empty(0))).any())


def _words_for_users(result: Result) -> str:
    """Return the words for the users, for a sentence."""
    users = result.spec.get("users")
    named = f" ({users['name']})" if isinstance(users, Mapping) and "name" in users else ""
    return f"its user{named}, but the run was not stopped: a user model announces every job once"


def times(result: Result) -> Iterator[Finding]:
    """No job starts before its submission, and it ends one run time after its start (up to rounding)."""
    of, name = result.columns, _job_namer(result.columns)
    submit, start, end, run = of["submit_s"], of["start_s"], of["end_s"], of["run_s"]
    yield _finding_on_jobs(
        start < submit,
        lambda i: f"{name(i)} starts at {start[i]:.15g} s, before its submission at {submit[i]:.15g} s",
    )
    yield _finding_on_jobs(
        ~np.isnan(start) & np.isnan(submit),
        lambda i: f"{name(i)} starts at {start[i]:.15g} s but was never submitted",
    )
    yield _finding_on_jobs(
        ~np.isnan(end) & ~(np.abs(start + run - end) <= rounding(end)),
        lambda i: f"{name(i)} starts at {start[i]:.15g} s and runs {run[i]:.15g} s but ends at {end[i]:.15g} s",
    )
    yield _finding_on_jobs(run < 0, lambda i: f"{name(i)} runs {run[i]:.15g} s, less than no time")


def kills(result: Result) -> Iterator[Finding]:
    """A killed job ran exactly its estimate, and no completed job ran longer where jobs are killed."""
    of, name = result.columns, _job_namer(result.columns)
    run, estimate, status = *_worked(result), of["status"]
    exact = np.abs(run - estimate) <= rounding(of["end_s"])
    lost = result.attempts_made.by_job(result.attempts_made.columns["lost"], len(result)) > 0
    yield _finding_on_jobs(
        (status == KILLED) & ~exact & ~lost,
        lambda i: f"{name(i)} was killed after {run[i]:.15g} s, not at its estimate of {estimate[i]:.15g} s",
    )
    longer = (run > estimate) & ~exact & (result.spec.get("overrun") == "kill")
    yield _finding_on_jobs(
        (status == COMPLETED) & longer,
        lambda i: (
            f"{name(i)} completed after {run[i]:.15g} s although jobs are killed at their estimate, "
            f"here {estimate[i]:.15g} s"
        ),
    )


def _worked(result: Result) -> tuple[np.ndarray, np.ndarray]:
    """Return how long the last run worked, without boot and restart, and how long it was allowed to."""
    of, attempts = result.columns, result.attempts_made
    saved = attempts.by_job(attempts.columns["saved_s"], len(result))
    return of["run_s"] - of.get("overhead_s", np.zeros(len(result))), of["estimate_s"] - saved


def sizes(result: Result) -> Iterator[Finding]:
    """A started job has at least one processor, and no more than the machine has."""
    of, name = result.columns, _job_namer(result.columns)
    fits = (of["processors"] > 0) & (of["processors"] <= result.processors)
    yield _finding_on_jobs(
        ~np.isnan(of["start_s"]) & ~fits,
        lambda i: f"{name(i)} started with {of['processors'][i]:.15g} processors on a machine of {result.processors}",
    )


def oversubscription(result: Result) -> Iterator[Finding]:
    """At every start, the processors in use are at most those of the machine."""
    of, name = result.columns, _job_namer(result.columns)
    every, row_of = held(result)
    runs, used = _use_at_starts(every)
    rows = row_of[runs]
    worst = np.zeros(len(result))
    np.maximum.at(worst, rows, used)
    yield _finding_on_jobs(
        worst > result.processors,
        lambda i: (
            f"when {name(i)} starts at {of['start_s'][i]:.15g} s, {worst[i]:.15g} processors are in use "
            f"on a machine of {result.processors}"
        ),
    )


def _use_at_starts(of: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return row and processors in use, its own included, at each start: a sweep in the order (time, kind, row)."""
    start, end, size = of["start_s"], of["end_s"], of["processors"]
    starts, ends = np.flatnonzero(~np.isnan(start)), np.flatnonzero(end > start)
    passing = end[starts] == start[starts]  # jobs of length zero hold nothing afterwards
    row = np.concatenate([ends, starts])
    kind = np.concatenate([np.zeros(len(ends)), np.where(passing, 1, 2)])
    delta = np.concatenate([-size[ends], np.where(passing, 0.0, size[starts])])
    order = np.lexsort((row, kind, np.concatenate([end[ends], start[starts]])))
    row, kind = row[order], kind[order]
    used = np.cumsum(delta[order]) + np.where(kind == 1, size[row], 0.0)
    return row[kind > 0], used[kind > 0]


def first_come_first_served(result: Result) -> Iterator[Finding]:
    """Under FCFS without skipping, no job starts before a job that was submitted earlier."""
    scheduler = result.spec.get("scheduler")
    if not (isinstance(scheduler, Mapping) and scheduler.get("name") == "fcfs" and not scheduler.get("skip")):
        return
    of, name = result.columns, _job_namer(result.columns)
    queued = np.flatnonzero((of["status"] != REJECTED) & ~np.isnan(of["submit_s"]))
    row = queued[_queue_order(result, queued)]  # position in the queue → row
    began = _first_start_s(result)
    start = np.where(np.isnan(began[row]), np.inf, began[row])
    overtaken = np.flatnonzero(start[1:] < np.maximum.accumulate(start)[:-1]) + 1
    position = dict(zip(row[overtaken].tolist(), overtaken.tolist(), strict=True))

    def say(i: int) -> str:
        earlier = row[int(np.argmax(start[: position[i]]))]
        late = of["start_s"][earlier]
        when = "has not started" if np.isnan(late) else f"starts at {late:.15g} s"
        own = f"{name(i)} starts at {of['start_s'][i]:.15g} s"
        return f"{own} although {name(earlier)}, earlier in the queue, {when}"

    yield Finding(row[overtaken], say, of_jobs=True)


def _first_start_s(result: Result) -> np.ndarray:
    """Return the start of the first run of each job."""
    first, again = result.columns["start_s"].copy(), result.attempts_made.columns
    np.fmin.at(first, again["row"], again["start_s"])
    return first


def _queue_order(result: Result, rows: np.ndarray) -> np.ndarray:
    """Return the rows by submission; ties keep the order of the workload, or of the starts if the queue differs."""
    submit, start = result.columns["submit_s"][rows], _first_start_s(result)[rows]
    return np.argsort(submit, kind="stable") if ties_by_row(result) else np.lexsort((start, submit))


def rounding(times_s: np.ndarray) -> np.ndarray:
    """Return four units in the last place of a time: the rounding error of a sum of two float64 times."""
    return 4 * np.spacing(np.abs(times_s))


def _job_namer(of: Mapping[str, np.ndarray]) -> Callable[[int], str]:
    return lambda i: f"row {i}" if np.isnan(of["job"][i]) else f"job {of['job'][i]:.0f}"


def rules_of(result: Result) -> dict[str, Callable[[Result], Iterator[Finding]]]:
    """Return the rules that apply to this run: a counted machine has no nodes, most schedulers only start jobs."""
    absent = {*(NODE_RULES if result.cluster is None else ()), *(() if has_actions(result) else ("actions",))}
    return {name: rule for name, rule in RULES.items() if name not in absent}


def timeline_agrees(result: Result) -> Iterator[Finding]:
    """The timeline follows from the jobs. A rejected job has its recorded size, but was in the queue with at most the
    size of the machine."""
    rows, times_s = rejected_from_queue(result.report_columns)
    size = result.columns["processors"].copy()
    size[rows] = np.minimum(size[rows], result.processors)
    jobs, requeued = {**result.columns, "processors": size}, result.attempts_made.requeued().columns
    yield from timeline_values(jobs, result.timeline_columns, requeued, held(result)[0], (rows, times_s))


#: name → rule, in the order in which violations are listed
RULES: dict[str, Callable[[Result], Iterator[Finding]]] = {
    "states": states,
    "no job lost": no_job_lost,
    "times": times,
    "kills": kills,
    "actions": actions_agree,
    "sizes": sizes,
    "never oversubscribed": oversubscription,
    **NODE_RULES,
    "first come, first served": first_come_first_served,
    "the head's promise": heads_promise,
    "timeline order": lambda result: timeline_order(result.timeline_columns),
    "timeline values": timeline_agrees,
    "timeline instants": lambda result: missing_instants(result.columns, result.timeline_columns),
    "run.json": claims_hold,
}
