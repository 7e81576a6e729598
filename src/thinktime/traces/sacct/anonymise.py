"""Anonymises jobs before anything else sees them: names become keyed hashes, free texts are dropped.

A hash is BLAKE2b with the salt as its key: the same name and salt give the same hash in every file, and without the
salt a name cannot be tried out. Only what is listed here is kept; a field that thinktime does not know is dropped.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable

import numpy as np
import polars as pl

from thinktime.errors import InputError
from thinktime.traces.column_names import STANDARD
from thinktime.traces.sacct.fields import FIELDS, Privacy
from thinktime.traces.sacct.hostlist import node_names
from thinktime.traces.sacct.job_table import HELPERS, JobTable
from thinktime.traces.sacct.states import STATUS

SHORTEST_SALT = 8
_HASH_BYTES = 6
#: Columns that thinktime makes itself.
_OWN_TEXTS: dict[str, Privacy] = {"job_id": "keep", "state": "keep", "dependency": "drop", "executable": "hash"}
_OWN_NUMBERS = frozenset(
    {*STANDARD, "submit", "eligible", "start", *HELPERS, "gpus", "billing", "allocated_nodes"}
    | {"max_rss_kb", "het_components"}
)
_NAMED: dict[str, Privacy] = {"user": "hash", "group": "hash", "queue": "hash", "partition": "hash"}
#: Columns whose hashes begin alike, so that equal names can be seen to be equal.
_KINDS = {"queue": "qos", "executable": "job_name", "qos_requested": "qos", "failed_node": "node", "node_list": "node"}
_TRES = frozenset({"cpu", "mem", "node", "billing", "energy", "gres/gpu"})
_TRES_VALUE = re.compile(r"[0-9.]+[KMGTP]?")
_REASON = re.compile(
    r"(?:Priority|Dependency|DependencyNeverSatisfied|Resources|BeginTime|Licenses|Prolog|Cleaning|Reservation|TimeLimit"
    r"|BadConstraints|InactiveLimit|NodeDown|NonZeroExitCode|OutOfMemory|SystemFailure|NodeFailure|JobLaunchFailure"
    r"|(?:Partition|Assoc|QOS|ReqNode|Job|Max|Grp|Invalid|Reservation|Burst|Front|Federation|Raised)"
    r"(?:Down|Inactive|Config|TimeLimit|NodeLimit|Held|HeldUser|HeldAdmin|HeldRPC|ArrayTaskLimit|NotAvail|Account|QOS"
    r"|Deleted|(?:Grp|Max|Min|Per|Job|Cpu|CPU|Node|Mem|Memory|Submit|Jobs|Limit|User|Account|Time|Wall|Run|Minutes|TRES"
    r"|Resource|Billing|Gres|GRES|Priority|Usage|Threshold|In|s|Restrict)*))"
)
_FLAG = re.compile(
    r"Sched(?:Main|Backfill|Submit)|StartRec(?:ie|ei)ved|STARTED_ON_[A-Z]{4,10}|CLEAR_SCHEDULING|NOT_SET"
)
_EXIT_CODE = re.compile(r"\d{1,6}:\d{1,6}")
_LEADING_DIGITS = r"^(\d+)"


class Anonymiser:
    """Changes tables of jobs. Without a salt, a random one is used and forgotten with this object.

    Parameters
    ----------
    salt : bytes, optional
        The secret; at least 8 bytes.
    keep : iterable of str
        Columns whose names stay as they are, of `partition` and `qos`.
    shift_jobs : bool
        Add a number that the salt determines to all job ids.
    """

    KEPT = ("partition", "qos")

    def __init__(self, salt: bytes | None = None, keep: Iterable[str] = (), shift_jobs: bool = False) -> None:
        if salt is not None and len(salt) < SHORTEST_SALT:
            raise InputError(
                f"the salt must have at least {SHORTEST_SALT} bytes (got {len(salt)}): a short one can be guessed"
            )
        self._key = hashlib.blake2b(secrets.token_bytes(32) if salt is None else salt).digest()
        self._keep = frozenset(keep)
        if unknown := sorted(self._keep - set(self.KEPT)):
            raise InputError(f"names of {unknown[0]!r} cannot be kept: choose from {', '.join(self.KEPT)}")
        self._shift = 1 + int(self._hash("shift", ""), 16) % 1_000_000 if shift_jobs else 0

    def __call__(self, table: JobTable) -> JobTable:
        """Return the anonymous table."""
        texts = {
            name: self._text(name, series) for name, series in table.texts.items() if self._privacy(name) != "drop"
        }
        numbers = {name: values for name, values in table.numbers.items() if self._may_keep(name)}
        for name in ("user", "group"):  # numbers of the operating system
            if name in numbers:
                texts[name] = self._by_distinct(pl.Series(name, numbers.pop(name)).cast(pl.String), self._hashed(name))
        return JobTable(self._shifted_numbers(numbers), self._shifted_ids(texts))

    def _privacy(self, column: str) -> Privacy:
        if self._is_kept(column):
            return "keep"
        return {**_ATTRIBUTES, **_NAMED, **_OWN_TEXTS}.get(column, "drop")

    def _is_kept(self, column: str) -> bool:
        return _KINDS.get(column, column) in self._keep

    def _may_keep(self, column: str) -> bool:
        return column in _OWN_NUMBERS or _ATTRIBUTES.get(column) == "keep"

    def _text(self, column: str, series: pl.Series) -> pl.Series:
        """Return a column of texts with hashes, or with the words that may stay."""
        changes: dict[Privacy, Callable[[str], str | None]] = {
            "hash": self._hashed(column),
            "nodes": self._nodes,
            "words": _known_words,
            "tres": _known_resources,
            "keep": _kept_values(column) if not self._is_kept(column) else str,
        }
        return self._by_distinct(series, changes[self._privacy(column)])

    def _by_distinct(self, series: pl.Series, change: Callable[[str], str | None]) -> pl.Series:
        distinct = series.drop_nulls().unique()
        return series.replace_strict(
            distinct, [change(text) for text in distinct], default=None, return_dtype=pl.String
        )

    def _hashed(self, column: str) -> Callable[[str], str]:
        kind = _KINDS.get(column, column)
        return lambda text: f"{kind}-{self._hash(kind, text)}"

    def _nodes(self, text: str) -> str | None:
        """Return the hashes of all nodes; None for a list that is not understood."""
        names = node_names(text)
        return ",".join(f"node-{self._hash('node', name)}" for name in names) if names else None

    def _hash(self, kind: str, text: str) -> str:
        person = kind.encode()[:16]
        return hashlib.blake2b(text.encode(), digest_size=_HASH_BYTES, key=self._key, person=person).hexdigest()

    def _shifted_numbers(self, numbers: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        ids = [name for name in ("job", "preceding_job") if name in numbers and self._shift]
        return {**numbers, **{name: numbers[name] + self._shift for name in ids}}

    def _shifted_ids(self, texts: dict[str, pl.Series]) -> dict[str, pl.Series]:
        if not self._shift or "job_id" not in texts:
            return texts
        ids = texts["job_id"]
        first = ids.str.extract(_LEADING_DIGITS)
        rest = ids.str.replace(_LEADING_DIGITS, "")
        shifted = first.cast(pl.Int64, strict=False) + self._shift
        return {**texts, "job_id": (shifted.cast(pl.String) + rest).alias("job_id")}


_ATTRIBUTES: dict[str, Privacy] = {field.attribute: field.privacy for field in FIELDS.values() if field.attribute}


def _known_words(text: str) -> str | None:
    """Return the flags and reasons that are Slurm's own words."""
    words = [word for word in text.split(",") if _FLAG.fullmatch(word) or _REASON.fullmatch(word)]
    return ",".join(words) or None


def _known_resources(text: str) -> str | None:
    """Return the resources that every Slurm has; names of licences and file systems are dropped."""
    parts = [part.partition("=") for part in text.split(",")]
    kept = [f"{name}={value}" for name, _, value in parts if name in _TRES and _TRES_VALUE.fullmatch(value)]
    return ",".join(kept) or None


def _kept_values(column: str) -> Callable[[str], str | None]:
    """Return the check of a column that is kept: a text that is not of its kind is dropped."""
    if column == "state":
        return lambda text: text if text in STATUS else None
    if column in ("exit_code", "derived_exit_code"):
        return lambda text: text if _EXIT_CODE.fullmatch(text) else None
    return _plain_id


def _plain_id(text: str) -> str | None:
    return text if re.fullmatch(r"[0-9_+\[\],.%:-]+", text) else None
