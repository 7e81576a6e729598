"""Counts, memory and trackable resources as Slurm writes them: NaN where unknown, None if it is no such text."""

from __future__ import annotations

import math
import re
from typing import Literal, NamedTuple

_NUMBER = r"\d{1,20}(?:\.\d{1,12})?"
_COUNT = re.compile(rf"(?P<number>{_NUMBER})(?P<unit>[KMGTPE]?)", re.I)
_MEMORY = re.compile(rf"(?P<number>{_NUMBER})(?P<unit>[KMGTPE]?)B?(?P<per>[cn]?)", re.I)
_NOTHING = frozenset({"", "unknown", "none", "n/a", "invalid", "(null)", "null"})
_NO_VALUE = 2.0**64 - 2.0**12  # NO_VAL64 and its neighbours: energy=18446744073709551614
_NO_VALUE_32 = (4294967294.0, 4294967295.0)
#: Until Slurm 20.11 a request per CPU may be printed with this flag still in the number, as 2147486648Mn for 3000Mc.
_PER_CPU_FLAGS = (2**63, 2**31)
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}

Per = Literal["job", "node", "cpu"]


class Memory(NamedTuple):
    """An amount in KiB, for the whole job, for each node or for each CPU."""

    kb: float
    per: Per = "job"


def count(text: str) -> float | None:
    """Return a count: 12, or 1K (1024) from sacct without --noconvert."""
    match = _COUNT.fullmatch(text.strip())
    if match is None:
        return math.nan if text.strip().lower() in _NOTHING else None
    number = float(match["number"]) * 1024.0 ** _POWERS[match["unit"].upper()]
    return math.nan if number >= _NO_VALUE or (not match["unit"] and number in _NO_VALUE_32) else number


def memory(text: str, plain_unit: str = "M") -> Memory | None:
    """Return the memory of `31000Mn`, `3000Mc`, `8G` or a plain number in `plain_unit`; 0 means all: NaN."""
    match = _MEMORY.fullmatch(text.strip().lstrip("?"))
    if match is None:
        return Memory(math.nan) if text.strip().lower() in _NOTHING else None
    number, per = float(match["number"]), {"n": "node", "c": "cpu"}.get(match["per"].lower(), "job")
    if "." not in match["number"] and per == "node":
        number, per = _without_flag(int(match["number"]))
    power = _POWERS[(match["unit"] or plain_unit).upper()] - 1
    if number <= 0 or number >= _NO_VALUE:
        return Memory(math.nan)
    return Memory(number * 1024.0**power, per)  # type: ignore[arg-type]


def _without_flag(number: int) -> tuple[float, str]:
    """Return a request per node; per CPU if its number has Slurm's flag for that."""
    for flag in _PER_CPU_FLAGS:
        if flag <= number < flag + 2**31:
            return float(number - flag), "cpu"
    return float(number), "node"


def used_kb(text: str) -> float | None:
    """Return a measured amount (MaxRSS, AveRSS): a plain number is bytes; 0 is 0."""
    match = _MEMORY.fullmatch(text.strip())
    if match is None:
        return math.nan if text.strip().lower() in _NOTHING else None
    number = float(match["number"])
    return math.nan if number >= _NO_VALUE else number * 1024.0 ** (_POWERS[match["unit"].upper()] - 1)


class Resources(NamedTuple):
    """The resources of a TRES text that columns are made of; NaN where it has none."""

    cpus: float = math.nan
    memory_kb: float = math.nan
    nodes: float = math.nan
    gpus: float = math.nan
    billing: float = math.nan


def resources(text: str) -> Resources | None:
    """Return the resources of `billing=2,cpu=2,gres/gpu=2,mem=1000M,node=1`; None if it is no such text."""
    text = text.strip()
    if text.lower() in _NOTHING:
        return Resources()
    found: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not equals:
            return None
        found[name.strip().lower()] = value
    return Resources(
        cpus=_known_count(found.get("cpu", "")),
        memory_kb=_known_memory(found.get("mem", "")),
        nodes=_known_count(found.get("node", "")),
        gpus=_gpus(found),
        billing=_known_count(found.get("billing", "")),
    )


def _gpus(found: dict[str, str]) -> float:
    """Return gres/gpu, else the sum of gres/gpu:type."""
    if "gres/gpu" in found:
        return _known_count(found["gres/gpu"])
    typed = [_known_count(value) for name, value in found.items() if name.startswith("gres/gpu:")]
    return sum(typed) if typed else math.nan


def _known_count(text: str) -> float:
    number = count(text)
    return math.nan if number is None else number


def _known_memory(text: str) -> float:
    amount = memory(text)
    return math.nan if amount is None else amount.kb


def gres_gpus(text: str) -> float | None:
    """Return the GPUs of the older `gpu:2`, `gpu:tesla:2(S:0)`, `PER_NODE:gpu:1,mps:50`; NaN if there are none."""
    found = math.nan
    for part in text.strip().split(","):
        words = part.split("(")[0].replace("/", ":").split(":")
        names = [word for word in words if word and not word.isdigit()]
        if "gpu" in names:
            number = float(words[-1]) if words[-1].isdigit() and len(words[-1]) < 10 else 1.0
            found = number if math.isnan(found) else found + number
    return found
