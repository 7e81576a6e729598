"""Times in a log that are probably mistakes. The reader lists them in its account and keeps the jobs.

One submit time of 999,999,999,999 stretches a log of two years to 31,688 years; then every rate per week or year is
meaningless.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from thinktime.support.json_types import JsonDict, JsonTable

YEAR_S = 31_557_600.0
#: The longest plausible pause between two submissions. Logs of absolute Unix times (1.3e9) have no such pause.
LONGEST_PAUSE_S = 5 * YEAR_S
#: column → the verb, and the longest plausible time; unlimited is often 2^32 s
LONGEST_S = {
    "wait_s": ("waited", 5 * YEAR_S),
    "run_s": ("ran", 5 * YEAR_S),
    "requested_time_s": ("requested", 1000 * YEAR_S),
}
MOST_NAMED = 20  # listed per log; all are counted
MOST_SHOWN = 3  # shown in a text


class Implausible:
    """Collects the implausible times of a log, block by block. Blocks come in submit order."""

    def __init__(self) -> None:
        self.count = 0
        self.named: list[JsonDict] = []
        self._seen, self._previous_s = 0, np.nan  # jobs of earlier blocks, and their last submission

    def add(self, jobs: Mapping[str, np.ndarray]) -> None:
        submit = jobs["submit_s"]
        if submit.size == 0:
            return
        pause_s = np.diff(submit, prepend=self._previous_s)
        self._previous_s = float(submit[-1])
        for row in self._counted(pause_s > LONGEST_PAUSE_S):
            early = (
                row > 0 and self._seen + row < len(submit) - row
            )  # suspect the smaller part: before or after the pause
            rest = " before the job after it" if early else " after the job before it"
            self._name(jobs, "submit_s", row - early, f"submitted {_years(pause_s[row])}{rest}")
        self._seen += len(submit)
        for column, (verb, longest_s) in LONGEST_S.items():
            for row in self._counted(jobs[column] > longest_s):
                self._name(jobs, column, row, f"{verb} {_years(jobs[column][row])}")

    def _counted(self, odd: np.ndarray) -> list[int]:
        """Count all, and return the rows to list."""
        rows = np.flatnonzero(odd)
        self.count += len(rows)
        return rows[: MOST_NAMED - len(self.named)].tolist()

    def _name(self, jobs: Mapping[str, np.ndarray], column: str, row: int, text: str) -> None:
        job, line = (_whole_or_none(jobs[name][row]) for name in ("job", "line"))
        self.named.append({"job": job, "line": line, "column": column, "text": text})

    def account(self) -> JsonDict:
        return {"implausible_times": self.count, "implausible": self.named}


def implausible_lines(account: JsonTable) -> list[str]:
    """Return `implausible: job 7 (line 12) ran 31,688 years` and advice; empty if there is none."""
    named = account.get("implausible", [])
    if not named:
        return []
    lines = [f"implausible: job {each['job']} (line {each['line']}) {each['text']}" for each in named[:MOST_SHOWN]]
    more = account.get("implausible_times", len(named)) - len(lines)
    advice = f"if that is a mistake in the log, leave the job out: --remove 'job={named[0]['job']}'"
    return [*lines, *([f"and {more:,} more implausible times"] if more > 0 else []), advice]


def suspect(account: JsonTable) -> str:
    """Return the end of an error about a span that is too long: the suspect job, and advice."""
    named = account.get("implausible", [])
    if not named:
        return ": check its submit times and run times"
    job, line, text = named[0]["job"], named[0]["line"], named[0]["text"]
    return f": job {job} (line {line}) {text}; if that is a mistake, leave the job out with --remove 'job={job}'"


def _whole_or_none(value: float) -> int | None:
    return None if np.isnan(value) else int(value)


def _years(seconds: float) -> str:
    return f"{seconds / YEAR_S:,.0f} years"
