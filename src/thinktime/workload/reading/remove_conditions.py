"""Archive-style conditions on jobs, `user=374 and job>14968 and job<28553`, evaluated on columns.

    condition  = all_of ("or" all_of)*
    all_of     = negated ("and" negated)*
    negated    = "not" negated | "(" condition ")" | comparison
    comparison = operand (("=" | "==" | "!=" | "<>" | "<" | "<=" | ">" | ">=") operand)+
    operand    = a column's name, an SWF name or a number

A missing value compares as −1, as in the file. The text is parsed, never executed.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import suggestion
from thinktime.traces.column_names import COLUMNS
from thinktime.workload.reading.job_columns import Jobs

#: SWF's and the archive's words → columns.
ALIASES = {
    **{name: name for name in (*COLUMNS, "processors", "line")},
    **{name[:-2]: name for name in COLUMNS if name.endswith("_s")},
    "job_number": "job",
    "jobid": "job",
    "runtime": "run_s",
    "run_time": "run_s",
    "cpu_time": "cpu_s",
    "procs": "processors",
    "alloc": "allocated_processors",
    "allocated": "allocated_processors",
    "req": "requested_processors",
    "requested": "requested_processors",
    "estimate": "requested_time_s",
    "memory": "used_memory_kb",
    "user_id": "user",
    "group_id": "group",
    "app": "executable",
    "think": "think_time_s",
    "preceding": "preceding_job",
}
_COMPARE: dict[str, Callable] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:e[-+]?\d+)?|\.\d+)|([a-z_]\w*)|([<>!=]=|<>|[-<>=()]|&&?|\|\|?))", re.I)
_WORDS = {"&": "and", "&&": "and", "|": "or", "||": "or"}
_DEEPEST = 50  # depth of parentheses and nots


def matches(text: str, jobs: Jobs) -> np.ndarray:
    """Return which jobs fulfil the condition."""
    return _Parser(text, jobs).whole()


def check(text: str) -> str:
    """Return the condition; raise InputError if it is invalid."""
    _Parser(text, {name: np.empty(0) for name in (*COLUMNS, "processors", "line")}).whole()
    return text


class _Parser:
    """A recursive-descent parser; every rule returns a mask over the jobs."""

    def __init__(self, text: str, jobs: Jobs) -> None:
        self.text, self.jobs = text, jobs
        self.tokens, self.at, self.depth = self._tokens(), 0, 0

    def whole(self) -> np.ndarray:
        mask = self._any_of()
        if self.at < len(self.tokens):
            raise self._error(f"{self.tokens[self.at]!r} is not expected there")
        return mask

    def _tokens(self) -> list[str]:
        tokens, at, text = [], 0, self.text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise self._error(f"{text[at:].strip()[:10]!r} is neither a name, a number nor a comparison")
            word = match.group().strip().lower()
            tokens.append(_WORDS.get(word, word))
            at = match.end()
        return tokens

    def _next(self) -> str:
        token = self.tokens[self.at] if self.at < len(self.tokens) else ""
        self.at += 1
        return token

    def _take(self, *wanted: str) -> bool:
        found = self.at < len(self.tokens) and self.tokens[self.at] in wanted
        self.at += found
        return found

    def _any_of(self) -> np.ndarray:
        mask = self._all_of()
        while self._take("or"):
            mask = mask | self._all_of()
        return mask

    def _all_of(self) -> np.ndarray:
        mask = self._negated()
        while self._take("and"):
            mask = mask & self._negated()
        return mask

    def _negated(self) -> np.ndarray:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self._error(f"it is nested more than {_DEEPEST} deep")
        if self._take("not"):
            mask = ~self._negated()
        elif self._take("("):
            mask = self._any_of()
            if not self._take(")"):
                raise self._error("a parenthesis is not closed")
        else:
            mask = self._comparison()
        self.depth -= 1
        return mask

    def _comparison(self) -> np.ndarray:
        left, mask = self._operand(), None
        while self.at < len(self.tokens) and self.tokens[self.at] in _COMPARE:
            compare, right = _COMPARE[self._next()], self._operand()
            step = compare(left, right)
            left, mask = right, step if mask is None else mask & step
        if mask is None:
            raise self._error(f"a comparison is missing after {' '.join(self.tokens[: self.at])!r}")
        return mask

    def _operand(self) -> np.ndarray:
        token = self._next()
        negative = token == "-"
        token = self._next() if negative else token
        if token[:1].isdigit() or token[:1] == ".":
            number = float(token)
            return np.full(len(self.jobs["line"]), -number if negative else number)
        if negative or token not in ALIASES:
            raise self._error(f"{token!r} is not a column{suggestion(token, ALIASES)}")
        return np.nan_to_num(self.jobs[ALIASES[token]], nan=-1.0)

    def _error(self, what: str) -> InputError:
        example = "user=374 and job>14968 and job<28553"
        return InputError(f"the condition {self.text!r} is invalid because {what}: write one like {example!r}")
