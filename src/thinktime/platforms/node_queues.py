"""The queue of each job on a cluster, and the jobs that exceed the limits of their queue."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from thinktime.errors import InputError
from thinktime.platforms.cluster import Cluster
from thinktime.platforms.cluster_parts import Queue
from thinktime.workload import Workload

_NUMBERED = re.compile(r"\s*(-?[0-9]+)[\s-]+(\S.*?)\s*$")  # `2  parallel` of a header


def queue_of(workload: Workload, cluster: Cluster) -> np.ndarray:
    """Return for every job the index of the first queue that accepts it; -1 for none."""
    found = np.full(len(workload), -1)
    for k, queue in enumerate(cluster.queues):
        found[(found < 0) & _taken(workload, queue)] = k
    return found


def _taken(workload: Workload, queue: Queue) -> np.ndarray:
    if queue.takes_all:
        return np.ones(len(workload), bool)
    by_queue = np.isin(workload["queue"], _log_numbers(workload, queue, "Queue", queue.log_queues))
    return by_queue | np.isin(workload["partition"], _log_numbers(workload, queue, "Partition", queue.log_partitions))


def _log_numbers(workload: Workload, queue: Queue, key: str, values: tuple[int | str, ...]) -> list[int]:
    """Return numbers of the log; names are looked up in its header."""
    names = header_names(workload, key) if any(isinstance(value, str) for value in values) else {}
    for value in values:
        if isinstance(value, str) and value.lower() not in names:
            known = f"it has {', '.join(names)}" if names else "it names none"
            raise InputError(
                f"queue {queue.name!r} of the cluster takes the log's {key.lower()} {value!r}, which the header of"
                f" {workload.name} does not name ({known}): give its number"
            )
    return [names[value.lower()] if isinstance(value, str) else int(value) for value in values]


def header_names(workload: Workload, key: str) -> dict[str, int]:
    """Return name of the log's queues or partitions, in lower case → number."""
    lines = workload.header[key] if workload.header else []
    return {match[2].lower(): int(match[1]) for line in lines if (match := _NUMBERED.match(line))}


def refused_by_queue(
    cluster: Cluster, queue: np.ndarray, processors: np.ndarray, estimate_s: np.ndarray
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield a reason and a mask of the rejected jobs."""
    for k, each in enumerate(cluster.queues):
        for key, values in (("max_processors", processors), ("max_estimate_s", estimate_s)):
            most = getattr(each, key)
            if most is not None:
                yield f"above {key} of queue {each.name}", (queue == k) & (values > most)
