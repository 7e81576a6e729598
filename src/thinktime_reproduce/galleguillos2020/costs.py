"""Claims of Tables 1 and 2 on time and memory, and of Fig. 12 on the time of deciding, against measured processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from thinktime_reproduce.claim import ABOVE, AT_MOST, BELOW, COST, OWN, TEXT, Claim, Rule
from thinktime_reproduce.galleguillos2020.runs import ALLOCATORS, METACENTRUM, RICC, SETH
from thinktime_reproduce.galleguillos2020.speed import ACCASIM
from thinktime_reproduce.galleguillos2020.values import TABLE_1, TABLE_2
from thinktime_reproduce.reproduction import Findings

#: quantity → what is measured of a process, for each table. Table 1 looks at processes from outside; the memory of
#: Table 2 is what the simulator itself notes while it simulates.
IN_TABLE_1 = (("total CPU time, s", "cpu_s"), ("mean memory, MB", "mean_mb"), ("greatest memory, MB", "max_mb"))
IN_TABLE_2 = (
    ("total CPU time, s", "cpu_s"),
    ("time of deciding, s", "decision_s"),
    ("mean memory, MB", "noted_mean_mb"),
    ("greatest memory, MB", "noted_max_mb"),
)


def claims(findings: Findings) -> Sequence[Claim]:
    """Those of the paper's tables, and against AccaSim if it ran here."""
    parts = (_table_1, _others_of_table_1, _flat, _table_2, _fig_12, _beside_accasim)
    return [claim for part in parts for claim in part(findings)]


def _measured_cost(part: str, name: str, quantity: str, what: str = "mean") -> Callable[[Findings], float | None]:
    return lambda findings: findings.measured.get(part, {}).get(name, {}).get(quantity, {}).get(what)


def _quantity_with_deviations(findings: Findings, part: str, name: str, quantity: str, key: str, deviation: str) -> str:
    """The quantity with both deviations."""
    ours = _measured_cost(part, name, key, "deviation")(findings)
    here = "" if ours is None else f", here {ours:.2g}"
    return f"{quantity} (σ {deviation}{here})"


def _table_1(findings: Findings) -> Iterator[Claim]:
    """The rejecting dispatcher: ours below what the paper printed for AccaSim."""
    for label, simulators in TABLE_1.items():
        for (quantity, key), (value, deviation) in zip(IN_TABLE_1, simulators["AccaSim"], strict=True):
            named = _quantity_with_deviations(findings, "rejecting", label, quantity, key, deviation)
            tried = "" if key == "cpu_s" else _what_is_held(label)
            ours = _measured_cost("rejecting", label, key)
            yield Claim("Table 1", f"{label}, rejecting", named, value, label, ours, BELOW, COST, tried=tried)


def _what_is_held(label: str) -> Callable[[Findings], str]:
    """Where the memory of a rejecting process goes."""

    def words(findings: Findings) -> str:
        nothing, whole = (
            _measured_cost(*of, "max_mb")(findings) for of in (("nothing", "nothing"), ("rejecting", label))
        )
        if nothing is None or whole is None:
            return "not measured here"
        return (
            f"a process that reads one job holds {nothing:.0f} MB: the interpreter 8, numpy 16, the package and the"
            f" engine the rest; this log adds {whole - nothing:.0f}. AccaSim imports no numpy. Tried: a script instead"
            " of the command line (−20 MB), blocks of 256 KB instead of 1 MB (−2 to −6 MB)"
        )

    return words


def _others_of_table_1(findings: Findings) -> Iterator[Claim]:
    """The paper's table has Alea too, the better of the two other simulators."""
    for label, simulators in TABLE_1.items():
        for k in (0, 2):
            (quantity, key), (value, _) = IN_TABLE_1[k], simulators["Alea"][k]
            ours, row = _measured_cost("rejecting", label, key), f"{label}, rejecting, Alea"
            yield Claim("Table 1", row, quantity, value, label, ours, BELOW, COST, source="paper, Alea")


def _flat(findings: Findings) -> Iterator[Claim]:
    """Jobs are loaded a few at a time: memory does not grow with the log. The row needs both logs."""
    for label in (RICC, METACENTRUM):
        large, small = (float(TABLE_1[each]["AccaSim"][2][0]) for each in (label, SETH))
        row, bound = f"{label} / {SETH}", f"{large / small:.2f}"
        needed = label if SETH in findings.studies else SETH
        yield Claim("Table 1", row, "greatest memory, ratio", bound, needed, _grown(label), AT_MOST, TEXT)


def _grown(label: str) -> Callable[[Findings], float | None]:
    def ours(findings: Findings) -> float | None:
        large, small = (_measured_cost("rejecting", each, "max_mb")(findings) for each in (label, SETH))
        return large / small if large and small else None

    return ours


def _table_2(findings: Findings) -> Iterator[Claim]:
    for dispatcher, printed in TABLE_2.items():
        for (quantity, key), (value, deviation) in zip(IN_TABLE_2, printed, strict=True):
            named = _quantity_with_deviations(findings, "dispatchers", dispatcher, quantity, key, deviation)
            ours = _measured_cost("dispatchers", dispatcher, key)
            yield Claim("Table 2", dispatcher, named, value, SETH, ours, BELOW, COST)


# --- Fig. 12: deciding ------------------------------------------------------------------------------------------

LEAST = Rule("the time of deciding is the minimum of the repetitions, not their median", (SETH,))


def _fig_12(findings: Findings) -> Iterator[Claim]:
    """EBF takes much more time to decide than the others. The minimum of the repetitions: one pass in 64 is timed, and
    a pass during which another process got the core counts for seconds."""
    for allocator in ALLOCATORS:
        row, quantity = f"EBF-{allocator} / dearest other", "time of deciding, minimum of the repetitions"
        yield Claim("Fig. 12", row, quantity, "1.0", SETH, _dearer(allocator), ABOVE, tried=_deciding, rules=(LEAST,))


def _dearer(allocator: str) -> Callable[[Findings], float | None]:
    def ours(findings: Findings) -> float | None:
        own, *others = (
            _measured_cost("dispatchers", name, "decision_s", "least")(findings) for name in _with(allocator)
        )
        known = [each for each in others if each]
        return own / max(known) if own and len(known) == len(others) else None

    return ours


def _with(allocator: str) -> list[str]:
    return [f"{scheduler}-{allocator}" for scheduler in ("EBF", "FIFO", "SJF", "LJF")]


def _deciding(findings: Findings) -> str:
    least_s = {name: _measured_cost("dispatchers", name, "decision_s", "least")(findings) for name in TABLE_2}
    listed = ", ".join(f"{name} {value:.3f}" for name, value in least_s.items() if value is not None)
    return f"a pass looks only at jobs that may start, so backfilling costs little more than sorting; seconds: {listed}"


# --- AccaSim here -----------------------------------------------------------------------------------------------


def _beside_accasim(findings: Findings) -> Iterator[Claim]:
    for part, table in (("rejecting", "Table 1"), ("dispatchers", "Table 2")):
        for name, theirs in findings.measured.get(f"{ACCASIM} {part}", {}).items():
            yield from _against(table, part, name, theirs)
    theirs_added, ours_added = _added(f"{ACCASIM} "), _added("")
    if theirs_added(findings) is not None:
        row, quantity, bound = f"{SETH}, rejecting", "memory that the log adds, MB", f"{theirs_added(findings):.1f}"
        tried = "blocks of 256 KB of text and row groups of 16,384 jobs are in memory at once"
        yield Claim("Table 1", row, quantity, bound, SETH, ours_added, AT_MOST, OWN, source="AccaSim here", tried=tried)


def _against(table: str, part: str, name: str, theirs: Any) -> Iterator[Claim]:
    label, row = (name, f"{name}, rejecting") if part == "rejecting" else (SETH, name)
    for quantity, key in IN_TABLE_1:
        if key in theirs:
            paper, ours = f"{theirs[key]['mean']:.1f}", _measured_cost(part, name, key)
            tried = "" if key == "cpu_s" or part != "rejecting" else _what_is_held(label)
            yield Claim(table, row, quantity, paper, label, ours, BELOW, OWN, tried=tried, source="AccaSim here")


def _added(whose: str) -> Callable[[Findings], float | None]:
    """Greatest memory with Seth's log minus that with one job."""

    def added(findings: Findings) -> float | None:
        parts = ((f"{whose}rejecting", SETH), (f"{whose}nothing", "nothing"))
        whole, nothing = (_measured_cost(*each, "max_mb")(findings) for each in parts)
        return whole - nothing if whole is not None and nothing is not None else None

    return added
