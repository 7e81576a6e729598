"""The papers' definitions of sessions, their graph and batches, word by word and slowly; and small workloads."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from thinktime.workload import Workload, known_end_s

#: few values, so that ties, zero lengths and gaps of exactly the threshold are common
times = st.integers(0, 12)
jobs = st.tuples(times, times | st.none(), times | st.none(), st.integers(1, 3) | st.none())


@st.composite
def workloads(draw: st.DrawFn) -> Workload:
    rows = draw(st.lists(jobs, max_size=14))
    submit, wait, run, user = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Workload.from_columns(submit_s=submit, wait_s=wait, run_s=run, user=user)


def user_of(workload: Workload, row: int) -> float:
    user = workload["user"][row]
    return -1.0 if np.isnan(user) else float(user)


def slow_sessions(workload: Workload, delimiter: str, threshold_s: float) -> list[list[int]]:
    """Rows of every session, sessions by (first submit, first row)."""
    submit, end = workload["submit_s"], known_end_s(workload)
    found: list[list[int]] = []
    for user in {user_of(workload, row) for row in range(len(workload))}:
        own = [row for row in range(len(workload)) if user_of(workload, row) == user]
        for k, row in enumerate(own):
            if k == 0:
                found.append([row])
                continue
            before = {
                "arrival": submit[own[k - 1]],
                "last": end[own[k - 1]],
                "max": max(end[other] for other in found[-1]),
            }[delimiter]
            alone = delimiter == "arrival" and threshold_s == 0
            if alone or submit[row] - before > threshold_s:
                found.append([])
            found[-1].append(row)
    return sorted(found, key=lambda rows: (submit[rows[0]], rows[0]))


def slow_relation(workload: Workload, sessions: list[list[int]]) -> set[tuple[int, int]]:
    """(S, S') for every S' that depends on S: same user, S has the smaller number and ended before S' began."""
    submit, end = workload["submit_s"], known_end_s(workload)
    return {
        (a, b)
        for b in range(len(sessions))
        for a in range(b)
        if user_of(workload, sessions[a][0]) == user_of(workload, sessions[b][0])
        and max(end[row] for row in sessions[a]) <= submit[sessions[b][0]]
    }


def slow_reduction(relation: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Without the edges that lead over a third session."""
    nodes = {node for edge in relation for node in edge}
    return {(a, c) for a, c in relation if not any((a, b) in relation and (b, c) in relation for b in nodes)}


def slow_batches(workload: Workload, sessions: list[list[int]]) -> list[list[int]]:
    """Connected components of overlapping jobs in each session, by user and arrival."""
    submit, end = workload["submit_s"], known_end_s(workload)
    found: list[list[int]] = []
    for rows in sessions:
        component = {row: {row} for row in rows}
        for a in rows:
            for b in rows:
                if a < b and end[a] > submit[b] and component[a] is not component[b]:
                    component[a] |= component[b]
                    for row in component[b]:
                        component[row] = component[a]
        found += [sorted(part) for row, part in component.items() if row == min(part)]
    return sorted(found, key=lambda rows: (user_of(workload, rows[0]), submit[rows[0]], rows[0]))
