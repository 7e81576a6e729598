"""One week of the default workload, from its own random streams.

Sessions are drawn until their processor-seconds reach the offered load. Then run times below their request shrink
slightly, so that the week offers the load exactly. A week depends on the seed, its number and the parameters only.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from thinktime.generate.default_sessions import Jobs, candidates
from thinktime.generate.default_users import APPLICATIONS, WEEK_S, Population, queue_of
from thinktime.support.random_streams import stream
from thinktime.traces.column_names import COLUMNS

CHUNK = 256  # candidate sessions per draw
LARGEST_SESSION = 0.10  # of the week's processor-seconds; larger candidates are dropped
LIMITED_AREA = 0.5  # maximum share of processor-seconds in jobs stopped at their request
PRESENCE_SHAPE = 0.8  # weekly activity = share of the user × gamma variate of this shape

COMPLETED, FAILED = 1.0, 0.0  # SWF's status
MEGABYTE_KB = 1024.0
MEMORY_KB = MEGABYTE_KB * np.array([256, 512, 1024, 2048, 4096])  # requested memory per processor


@dataclass(frozen=True)
class Parameters:
    """The parameters of a week."""

    seed: int
    users: int
    processors: int
    load: float

    @property
    def area(self) -> float:
        """Return the processor-seconds of a week."""
        return self.load * self.processors * WEEK_S


def week(parameters: Parameters, people: Population, number: int, first_job: int) -> dict[str, np.ndarray]:
    """Return the columns of week `number` (from 0), sorted by submit time; jobs are numbered from `first_job`."""
    jobs = _fill(parameters, people, number)
    run_s = _to_load(jobs, parameters.area)
    order = np.argsort(jobs.submit_s, kind="stable")
    place = np.empty(len(order))
    place[order] = np.arange(len(order))
    before = _preceding(jobs, run_s)
    columns = _week_columns(
        jobs, run_s, before, place + first_job, stream(*_week_stream_name(parameters, number), "details")
    )
    columns["group"] = people.group[jobs.user].astype(float)
    columns["submit_s"] = jobs.submit_s + number * float(WEEK_S)
    return {name: columns[name][order] for name in (*COLUMNS, "processors", "line")}


def _week_stream_name(parameters: Parameters, number: int) -> tuple[int, str, str, int]:
    return parameters.seed, "generate.default", "week", number


def _fill(parameters: Parameters, people: Population, number: int) -> Jobs:
    """Draw sessions until they reach the processor-seconds of the week."""
    presence = people.activity * stream(*_week_stream_name(parameters, number), "presence").gamma(
        PRESENCE_SHAPE, size=len(people.activity)
    )
    parts: list[Jobs] = []
    area = 0.0
    while area < parameters.area:
        rng = stream(*_week_stream_name(parameters, number), "sessions", len(parts))
        drawn = candidates(rng, people, presence / presence.sum(), parameters.processors, CHUNK)
        taken = _take_to_target_area(drawn, area, parameters.area)
        area += float(taken.run_s @ taken.processors)
        parts.append(taken)
    return _join_drawn_jobs(parts)


def _take_to_target_area(drawn: Jobs, area: float, target: float) -> Jobs:
    """Return the sessions up to the target area, without oversized ones and jobs after the week."""
    drawn = drawn.select(drawn.submit_s < WEEK_S)
    session_area = np.bincount(drawn.session, weights=drawn.run_s * drawn.processors, minlength=CHUNK)
    fits = session_area <= LARGEST_SESSION * target
    before = area + np.cumsum(session_area * fits) - session_area * fits
    return drawn.select((fits & (before < target))[drawn.session])


def _join_drawn_jobs(parts: list[Jobs]) -> Jobs:
    """Concatenate the parts; renumber batches so that they stay distinct."""
    batches = np.cumsum([0] + [int(part.batch[-1]) + 1 if len(part.batch) else 0 for part in parts])
    columns = {field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Jobs)}
    columns["batch"] = np.concatenate([part.batch + first for part, first in zip(parts, batches, strict=False)])
    return Jobs(**columns)


def _to_load(jobs: Jobs, target: float) -> np.ndarray:
    """Return run times that add up to the target; those at their request stay, the others shrink by one factor."""
    area = jobs.run_s * jobs.processors
    limited = jobs.run_s == jobs.request_s
    limited &= np.cumsum(area * limited) <= LIMITED_AREA * target
    shrink = (target - area[limited].sum()) / max(area[~limited].sum(), 1.0)
    return np.where(limited, jobs.run_s, np.maximum(np.rint(jobs.run_s * shrink), 1.0))


def _preceding(jobs: Jobs, run_s: np.ndarray) -> np.ndarray:
    """Return for each job the row that its user waited for: the last to end of the previous batch; or −1."""
    order = np.lexsort((jobs.submit_s + run_s, jobs.batch))
    batches, first = np.unique(jobs.batch[order], return_index=True)
    last = order[np.append(first[1:], len(order)) - 1]  # the row that ends each batch
    batch = np.searchsorted(batches, jobs.batch)
    return np.where(jobs.follows, last[batch - 1], -1)


def _week_columns(
    jobs: Jobs, run_s: np.ndarray, before: np.ndarray, number: np.ndarray, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Return all columns except the group, in the order of `jobs`; times count from the start of the week."""
    missing = np.full(len(run_s), np.nan)
    killed = run_s == jobs.request_s
    end_s = jobs.submit_s + run_s
    executable = 1 + jobs.user * APPLICATIONS + jobs.application
    memory_kb = MEMORY_KB[executable % len(MEMORY_KB)]
    return {
        "job": number,
        "submit_s": jobs.submit_s,
        "wait_s": missing,
        "run_s": run_s,
        "allocated_processors": jobs.processors,
        "cpu_s": np.floor(run_s * (1.0 - 0.4 * rng.random(len(run_s)) ** 2)),
        "used_memory_kb": np.floor(memory_kb * (0.1 + 0.9 * rng.random(len(run_s)))),
        "requested_processors": jobs.processors,
        "requested_time_s": jobs.request_s,
        "requested_memory_kb": memory_kb,
        "status": np.where(killed | jobs.crashed, FAILED, COMPLETED),
        "user": jobs.user + 1.0,
        "executable": executable + 0.0,
        "queue": queue_of(jobs.request_s) + 0.0,
        "partition": np.ones(len(run_s)),
        "preceding_job": np.where(before < 0, np.nan, number[before]),
        "think_time_s": np.where(before < 0, np.nan, jobs.submit_s - end_s[before]),
        "processors": jobs.processors,
        "line": missing,
    }
