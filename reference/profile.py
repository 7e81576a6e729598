"""The free processors over future time, as a list of steps.

    free
     4 |                +---------
     3 |      +---------+            times = [now, 10, 30]
     1 |------+                      free  = [  1,  3,  4]
       +------------------------- time
      now     10        30

`free[k]` processors are free from `times[k]` until `times[k + 1]`, the last step holds for ever.
"""

from __future__ import annotations


class Profile:
    def __init__(self, processors: int, now: float, taken: list[tuple[float, float, int]]) -> None:
        """`taken`: (from, until, processors) for everything that runs or is planned."""
        changes = []  # (time, change of the free processors)
        for start, end, n in taken:
            if end > now and end > start:
                changes += [(max(start, now), -n), (end, n)]
        self.times = [now]
        self.free = [processors]
        for time, change in sorted(changes):
            if time > self.times[-1]:
                self.times.append(time)
                self.free.append(self.free[-1])
            self.free[-1] += change

    def earliest(self, n: int, length: float) -> float:
        """The first instant from which `n` processors are free for `length` (0: at that very instant)."""
        start: float | None = None  # None: the step we look at is too full
        for time, free in zip(self.times, self.free, strict=True):
            if start is not None and time >= start + length:
                return start
            if free < n:
                start = None
            elif start is None:
                start = time
        assert start is not None, "after the last step the machine is empty, and no job is larger"
        return start

    def take(self, start: float, end: float, n: int) -> None:
        """Plan `n` processors from `start` until `end`; does nothing if they are equal."""
        if end <= start:
            return
        first, last = self.step_at(start), self.step_at(end)
        for k in range(first, last):
            self.free[k] -= n

    def give_back(self, start: float, end: float, n: int) -> None:
        """Undo `take`."""
        self.take(start, end, -n)

    def step_at(self, time: float) -> int:
        """The index of the step that begins at `time`; a step is split if none does."""
        time = max(time, self.times[0])
        k = len(self.times)
        while self.times[k - 1] > time:
            k -= 1
        if self.times[k - 1] == time:
            return k - 1
        self.times.insert(k, time)
        self.free.insert(k, self.free[k - 1])
        return k
