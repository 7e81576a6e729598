"""The twenty most popular estimates, which nine of ten jobs use: the head of the distribution of estimates.

Times are round numbers. Shares fall exponentially with the rank of popularity. The maximum allowed estimate has rank 1;
the other ranks are drawn from those observed in four logs at the same position. Tsafrir, Etsion and Feitelson, Modeling
user runtime estimates, JSSPP 2005, and their program.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

MINUTE_S, HOUR_S = 60, 3600
TOP = 20  # number of estimates in the head
HEAD_SHARE = 0.89  # share of jobs in the head
#: share of rank r ≥ 2 in percent: A e^(B r) + C; rank 1 has the rest of the head
A, B, C = 14.0491, -0.177531, 0.462513

#: popular in all four logs of the model
JOINT_S = tuple(MINUTE_S * m for m in (5, 10, 15, 20, 30)) + tuple(
    HOUR_S * h for h in (1, 2, 3, 4, 5, 6, 8, 10, 12, 18)
)
#: multiples of these fill the head, from the maximum downwards
ROUND_S = tuple(HOUR_S * h for h in (200, 100, 50, 10, 5, 2, 1)) + tuple(MINUTE_S * m for m in (20, 10, 5))

#: Position of a time in the head (maximum first, then ascending) → its rank in SDSC, CTC, KTH and BLUE.
RANKS_SEEN = (
    *((3, 1, 1, 1), (1, 3, 4, 6), (4, 4, 10, 5), (17, 2, 14, 3), (13, 12, 20, 7), (7, 9, 2, 2), (8, 8, 3, 18)),
    *((18, 18, 7, 19), (2, 6, 12, 4), (6, 7, 6, 11), (16, 11, 19, 20), (10, 20, 5, 9), (5, 16, 18, 10)),
    *((15, 5, 16, 14), (14, 14, 9, 13), (19, 13, 17, 16), (11, 10, 15, 15), (12, 15, 13, 17), (9, 17, 8, 8)),
    (20, 19, 11, 12),
)
#: rank → last position at which it was observed; an unused rank is assigned there
LAST_PLACE = {rank: place for place, row in enumerate(RANKS_SEEN) for rank in row}


def head(maximum_s: int, popular: Mapping[int, float], rng: np.random.Generator) -> dict[int, float]:
    """Return seconds → share of jobs; `popular` holds known shares."""
    times = head_times(maximum_s, tuple(popular))
    shares, rank_of = head_shares(len(times), maximum_s, popular)
    given = {place: rank_of[time] for place, time in enumerate(times) if time in popular}
    ranks = drawn_ranks(len(times), given, rng)
    return {time: float(shares[rank - 1]) for time, rank in zip(times, ranks, strict=True)}


def head_times(maximum_s: int, given: tuple[int, ...] = ()) -> list[int]:
    """Return the maximum, then the others ascending. Given times replace the nearest round times, then joint ones."""
    found = [maximum_s, *(time for time in JOINT_S if time < maximum_s)]
    for step in ROUND_S:
        found += [time for time in range(maximum_s // step * step, 0, -step) if time not in found]
    found = found[:TOP]
    new = [time for time in given if time not in found]
    old_ones = [time for time in found[1:] if time not in given]
    for time, old in _replaced(new, old_ones, len(new) + len(found) - TOP):
        found.remove(old)
        found.append(time)
        new.remove(time)
    return [maximum_s, *sorted({*found[1:], *new})]


def _replaced(new: list[int], old: list[int], count: int) -> list[tuple[int, int]]:
    """Return `count` pairs of a new and an old time, nearest first, round times before joint ones."""
    pairs = sorted((o in JOINT_S, abs(n - o), n, o) for n in new for o in old)
    chosen: list[tuple[int, int]] = []
    for _, _, n, o in pairs:
        if len(chosen) < count and all(n != a and o != b for a, b in chosen):
            chosen.append((n, o))
    return chosen


def head_shares(count: int, maximum_s: int, popular: Mapping[int, float]) -> tuple[np.ndarray, dict[int, int]]:
    """Return the shares by rank, and the rank of each given time; other shares are scaled to the head."""
    rank = np.arange(2, count + 1)
    others = (A * np.exp(B * rank) + C) / 100.0
    top = max(HEAD_SHARE - others.sum(), others[0]) if count > 1 else HEAD_SHARE
    shares, rank_of = np.append(top, others), dict[int, int]()
    for time, share in sorted(popular.items(), key=lambda item: -item[1]):
        free = [k for k in range(count) if k + 1 not in rank_of.values() and (k == 0) == (time == maximum_s)]
        nearest = min(free, key=lambda k: abs(shares[k] - share))
        rank_of[time] = nearest + 1
        shares[nearest] = share
    known = np.isin(np.arange(1, count + 1), list(rank_of.values()))
    left = max(HEAD_SHARE - shares[known].sum(), 0.0)
    shares[~known] *= left / max(shares[~known].sum(), 1e-12)
    return shares, rank_of


def drawn_ranks(count: int, given: Mapping[int, int], rng: np.random.Generator) -> list[int]:
    """Draw the rank of every position: the more popular of two draws from the ranks observed so far."""
    taken, pool, ranks = set(given.values()), list[int](), list[int]()
    for place in range(count):
        pool = [rank for rank in (*pool, *RANKS_SEEN[place]) if rank not in taken and rank <= count]
        due = [rank for rank in range(1, count + 1) if LAST_PLACE[rank] <= place and rank not in taken]
        free = [rank for rank in range(1, count + 1) if rank not in taken]
        if place in given:
            rank = given[place]
        elif place == 0 and 1 in free:
            rank = 1
        elif due:
            rank = due[0]
        else:
            candidates = pool or free
            rank = min(candidates[k] for k in rng.integers(len(candidates), size=2))
        taken.add(rank)
        ranks.append(rank)
    return ranks
