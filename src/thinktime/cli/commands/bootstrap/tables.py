"""What `thinktime bootstrap` prints: intervals, differences, or metrics by load."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from thinktime.cli import printing
from thinktime.support.json_types import JsonDict

if TYPE_CHECKING:
    from thinktime.bootstrapping import Bootstrap, LoadSweep


def tables(found: Bootstrap | LoadSweep, level: float) -> JsonDict:
    """Return name of a file → its table."""
    from thinktime.bootstrapping import LoadSweep

    if isinstance(found, LoadSweep):
        return {"loads": found.summary(level)}
    several = {"differences": found.differences(level=level)} if len(found.schedulers) > 1 else {}
    return {"intervals": found.intervals(level), **several}


def facts(found: Bootstrap | LoadSweep, level: float) -> JsonDict:
    """Return what --json prints."""
    said = {name: table.to_dicts() for name, table in tables(found, level).items()}
    cautions = {name: each.to_dict() for name, each in found.cautions.items()}
    outcome = {"original": found.original, "saturated": _saturated(found), "cautions": cautions}
    return {**found.about, "level": level, **outcome, **said}


def _saturated(found: Bootstrap | LoadSweep) -> dict[str, int]:
    """Return scheduler → number of saturated runs."""
    flags, names = found.columns["saturated"], found.columns["scheduler"]
    return {name: int(flags[names == name].sum()) for name in found.schedulers}


def print_bootstrap(found: Bootstrap | LoadSweep, level: float, paths: list[Path]) -> None:
    from thinktime.bootstrapping import LoadSweep

    _print_loads(found, level) if isinstance(found, LoadSweep) else _print_intervals(found, level)
    printing.row("written", *printing.paths(paths))


def _print_intervals(found: Bootstrap, level: float) -> None:
    from thinktime.metrics import CATALOGUE

    load = found.about["load"]
    at = f" at load {load:g}" if load != 1 else ""
    printing.heading(
        f"{found.about['log']['name']}: {found.resamples:,} resamples of {found.about['weeks']:,} weeks{at}"
    )
    for scheduler in found.schedulers:
        head = ("original", "resamples", f"{level:.0%} percentile", f"{level:.0%} BCa", "below original")
        table = printing.new_table(scheduler, *head)
        for row in found.intervals(level).filter(scheduler=scheduler).to_dicts():
            table.add_row(CATALOGUE[row["measure"]].label, *_interval_cells(row), f"{row['below_original']:.1%}")
        printing.show(table)
        printing.cautions(found.cautions[scheduler])
    if len(found.schedulers) > 1:
        _print_differences(found, level)
    _print_interval_notes(found, level)


def _interval_cells(row: JsonDict) -> list[str]:
    show = printing.duration if row["measure"].endswith("_s") else printing.number
    percentile, bca = (f"{show(row[f'{name}_low'])} … {show(row[f'{name}_high'])}" for name in ("percentile", "bca"))
    if row["note"]:
        bca = "see note" if bca == percentile else f"{bca} (see note)"
    return [show(row["original"]), show(row["mean"]), percentile, bca]


def _print_verdicts(rows: list[JsonDict]) -> None:
    """Print each verdict once, with its metrics."""
    from thinktime.metrics import CATALOGUE
    from thinktime.study.comparison.verdict import legend

    for verdict in legend(row["verdict"] for row in rows):
        labels = [CATALOGUE[row["measure"]].label for row in rows if row["verdict"] == verdict.name]
        printing.row("verdict", f"{rows[0]['a']} against {rows[0]['b']}, {verdict.label}: {'; '.join(labels)}")


def _print_differences(found: Bootstrap, level: float) -> None:
    from thinktime.metrics import CATALOGUE

    rows = found.differences(level=level).to_dicts()
    for a, b in dict.fromkeys((row["a"], row["b"]) for row in rows):
        head = ("original", "resamples", f"{level:.0%} percentile", f"{level:.0%} BCa", f"{a} lower")
        table = printing.new_table(f"{a} − {b}", *head)
        for row in (row for row in rows if (row["a"], row["b"]) == (a, b)):
            table.add_row(CATALOGUE[row["measure"]].label, *_interval_cells(row), f"{row['a_below_b']:.1%}")
        printing.show(table)
        _print_verdicts([row for row in rows if (row["a"], row["b"]) == (a, b)])


def _print_interval_notes(found: Bootstrap, level: float) -> None:
    rows = [row for table in tables(found, level).values() for row in table.to_dicts() if row["note"]]
    for words in dict.fromkeys(row["note"] for row in rows):
        about = ", ".join(f"{_row_subject(row)} {row['measure']}" for row in rows if row["note"] == words)
        printing.row("note", f"{about}: {words}")


def _row_subject(row: JsonDict) -> str:
    return str(row["scheduler"]) if "scheduler" in row else f"{row['a']} − {row['b']}"


def _print_loads(found: LoadSweep, level: float) -> None:
    from thinktime.metrics import CATALOGUE

    name, runs = found.about["log"]["name"], found.about["resamples"]
    printing.heading(f"{name}: {runs:,} resamples at each of {len(found.loads)} loads")
    summary = found.summary(level)
    for scheduler in found.schedulers:
        table = printing.new_table(scheduler, "unsaturated", *(CATALOGUE[measure].label for measure in found.measures))
        for row in summary.filter(scheduler=scheduler).to_dicts():
            shown = [
                (printing.duration if measure.endswith("_s") else printing.number)(row[measure])
                for measure in found.measures
            ]
            table.add_row(f"load {row['load']:g}", f"{row['unsaturated']:.0%}", *shown)
        printing.show(table)
        printing.cautions(found.cautions[scheduler])
    printing.row("note", "means over the runs that did not saturate")
