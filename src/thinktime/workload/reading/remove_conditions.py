"""Archive-style conditions on jobs, `user=374 and job>14968 and job<28553`, evaluated on columns.

    condition  = all_of ("or" all_of)*
    all_of     = negated ("and" negated)*
    negated    = "not" negated | "(" condition ")" | comparison
    comparison = operand (("=" | "==" | "!=" | "<>" | "<" | "<=" | ">" | ">=") operand)+
    operand    = a column's name, an SWF name, an attribute's name, a number or a text in quotes

A missing value compares as −1, as in the file. An attribute of texts is compared with = and != to a text in quotes; a
missing text equals none. The text is parsed, never executed.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import suggestion
from thinktime.traces.attributes import ColumnType
from thinktime.traces.column_names import COLUMNS, STANDARD
from thinktime.workload.reading.job_columns import Jobs

#: SWF's and the archive's words → columns.
ALIASES = {
    **{name: name for name in STANDARD},
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
_QUOTED = r"'[^']*'|\"[^\"]*\""
_TOKEN = re.compile(
    rf"\s*(?:(\d+\.?\d*(?:e[-+]?\d+)?|\.\d+)|([a-z_]\w*)|({_QUOTED})|([<>!=]=|<>|[-<>=()]|&&?|\|\|?))", re.I
)
_WORDS = {"&": "and", "&&": "and", "|": "or", "||": "or"}
_KEYWORDS = frozenset(("and", "or", "not"))
_DEEPEST = 50  # depth of parentheses and nots


def matches(text: str, jobs: Jobs, types: Mapping[str, ColumnType] | None = None) -> np.ndarray:
    """Return which jobs fulfil the condition; `types` are those of attributes and of columns with names."""
    return _Parser(text, jobs, types or {}).whole()


def check(text: str) -> str:
    """Return the condition; raise InputError if it is invalid, whatever attributes the log has."""
    _Parser(text, {name: np.empty(0) for name in STANDARD}, None).whole()
    return text


class Operand(NamedTuple):
    """One side of a comparison, by job."""

    values: np.ndarray
    texts: bool = False


class _Parser:
    """A recursive-descent parser; every rule returns a mask over the jobs."""

    def __init__(self, text: str, jobs: Jobs, types: Mapping[str, ColumnType] | None) -> None:
        self.text, self.jobs, self.types = text, jobs, types  # without types, any name may be an attribute
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
            word = match.group().strip()
            word = word.lower() if word.lower() in _KEYWORDS or word.lower() in ALIASES else word
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
            sign, right = self._next(), self._operand()
            step = self._compared(sign, left, right)
            left, mask = right, step if mask is None else mask & step
        if mask is None:
            raise self._error(f"a comparison is missing after {' '.join(self.tokens[: self.at])!r}")
        return mask

    def _compared(self, sign: str, left: Operand, right: Operand) -> np.ndarray:
        if left.texts != right.texts and self.types is not None:
            raise self._error("it compares a text with a number")
        if (left.texts or right.texts) and _COMPARE[sign] not in (operator.eq, operator.ne):
            raise self._error("texts are compared with = and != only")
        return np.asarray(_COMPARE[sign](left.values, right.values), dtype=bool)

    def _operand(self) -> Operand:
        token = self._next()
        if token[:1] in ("'", '"'):
            return Operand(np.full(self._rows, token[1:-1], dtype=object), True)
        negative = token == "-"
        token = self._next() if negative else token
        if token[:1].isdigit() or token[:1] == ".":
            number = float(token)
            return Operand(np.full(self._rows, -number if negative else number))
        if negative or not (token.isidentifier() and self._is_column(token)):
            raise self._error(f"{token!r} is not a column{suggestion(token, [*ALIASES, *self.jobs])}")
        return self._column(ALIASES.get(token, token))

    @property
    def _rows(self) -> int:
        return len(self.jobs["line"])

    def _is_column(self, name: str) -> bool:
        return name in ALIASES or name in self.jobs or (self.types is None and name not in _KEYWORDS)

    def _column(self, name: str) -> Operand:
        kind = (self.types or {}).get(name)
        if kind is not None and (kind.kind == "text" or (kind.labels and self._quote_follows())):
            return Operand(kind.texts(self.jobs[name]), True)
        return Operand(np.nan_to_num(self.jobs.get(name, np.empty(0)), nan=-1.0))

    def _quote_follows(self) -> bool:
        """Return whether the name is compared with a text: `user = "alice"`."""
        return any(token[:1] in ("'", '"') for token in self.tokens[self.at + 1 : self.at + 2])

    def _error(self, what: str) -> InputError:
        example = "user=374 and job>14968 and job<28553"
        return InputError(f"the condition {self.text!r} is invalid because {what}: write one like {example!r}")
