"""What `thinktime study` prints about a study: progress, failures, results."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from thinktime.cli import printing
from thinktime.support.json_types import JsonDict, JsonTable

if TYPE_CHECKING:
    from thinktime.study import Store, Study

FAILURES = 5  # different errors that are listed


def facts_of(study: Study, store: Store) -> JsonDict:
    """Return the facts about the runs of the grid; the store may have more."""
    from thinktime.study.outcomes import cautions_by_configuration
    from thinktime.study.store import of_study

    tasks = study.tasks()
    outcomes = list(of_study(store, study))
    failed = [each for each in outcomes if each["error"] is not None]
    return {
        "study": study.name,
        "question": study.question,
        "store": str(store.directory),
        "runs": len(tasks),
        "done": len(outcomes) - len(failed),
        "failed": len(failed),
        "missing": len(tasks) - len(outcomes),
        "seconds": sum(each.get("seconds") or 0.0 for each in outcomes),
        "once": study.unseeded() if len(study.seeds) > 1 else 0,
        "failures": [{"cell": each["cell"], "error": each["error"]} for each in failed],
        "cautions": {name: each.to_dict() for name, each in cautions_by_configuration(study, outcomes).items()},
        "never_reused": study.never_reused(),
        "damaged_lines": store.damaged,
        "table": table_of(study, outcomes),
    }


def table_of(study: Study, outcomes: list[Any]) -> list[JsonDict]:
    """Return one row per log and configuration: number of runs, mean of each metric over the seeds, cautions."""
    from thinktime.study.outcomes import by_configuration, pooled_cautions

    return [
        {
            "log": log,
            "configuration": name,
            "runs": len(runs),
            **{metric: _metric_mean(runs, metric) for metric in study.metrics},
            "cautions": pooled_cautions(runs).to_dict(),
        }
        for log in dict.fromkeys(str(task.cell["workload"]) for task in study.tasks())
        for name, runs in by_configuration(study, [each for each in outcomes if _log_of(each) == log]).items()
    ]


def _log_of(outcome: Any) -> str:
    return str(outcome["cell"]["workload"])


def print_run(facts: JsonTable) -> None:
    print_status(facts)
    printing.blank()
    again = [("study", "resume")] if facts["failed"] or facts["missing"] else []
    several = (
        len({row["configuration"] for row in facts["table"] if row["runs"]}) > 1
    )  # otherwise there is nothing to compare
    look = [*([("study", "compare")] if several else []), *([("report",)] if facts["done"] else [])]
    printing.commands("next", *(printing.command(*words, facts["store"]) for words in (*again, *look)))


def print_status(facts: JsonTable) -> None:
    from thinktime.metrics import Cautions, compared

    printing.heading(f"{facts['study']}: {facts['done']:,} of {facts['runs']:,} runs done")
    if facts["question"]:
        printing.row("question", facts["question"])
    printing.row("runs", _run_counts(facts))
    printing.row("store", facts["store"])
    for words in _study_notes(facts):
        printing.row("note", words)
    for words in _failure_lines(facts["failures"]):
        printing.row("failed", words)
    found = {name: Cautions.from_dict(said) for name, said in facts["cautions"].items()}
    for words in compared(found):
        printing.row("caution", words)
    if facts["done"]:
        _print_tables(facts["table"])


def _failure_lines(failures: list[JsonDict]) -> list[str]:
    """Return each error once, with the number of runs."""
    counts = Counter(failure["error"] for failure in failures)
    first = {failure["error"]: failure["cell"] for failure in reversed(failures)}
    shown = [f"{', '.join(map(str, first[error].values()))}: {error}" for error in list(counts)[:FAILURES]]
    more = [f" (and {count - 1:,} more runs)" if count > 1 else "" for count in counts.values()]
    return [words + also for words, also in zip(shown, more, strict=False)]


def _run_counts(facts: JsonTable) -> str:
    new = f"{facts['computed']:,} computed now, {facts['there']:,} already there; " if "computed" in facts else ""
    took = printing.duration(facts["seconds"])
    return f"{new}{facts['failed']:,} failed, {facts['missing']:,} missing; {took} of simulation"


def _study_notes(facts: JsonTable) -> list[str]:
    from thinktime.study.study import NEVER_REUSED

    notes = []
    if facts["once"]:
        notes.append(f"{facts['once']:,} configurations use no random numbers: they run once, not once per seed")
    notes += [f"{name}: {NEVER_REUSED}" for name in facts["never_reused"]]
    if facts["damaged_lines"]:
        notes.append(f"{len(facts['damaged_lines']):,} damaged lines in the store; their runs are computed again")
    return notes


def _print_tables(table: list[JsonDict]) -> None:
    """Print one table per log: a mean over different logs says little about any of them."""
    logs = dict.fromkeys(line["log"] for line in table)
    for log in logs:
        printing.blank()
        if len(logs) > 1:
            printing.heading(log)
        _print_configurations([line for line in table if line["log"] == log])


def _print_configurations(table: list[JsonDict]) -> None:
    from thinktime.metrics import CATALOGUE

    names = [name for name in table[0] if name in CATALOGUE]
    cautioned = any(line["cautions"] for line in table)
    shown = printing.new_table("configuration", "runs", *(CATALOGUE[name].label for name in names))
    if cautioned:
        shown.add_column("caution")
    for line in table:
        shown.add_row(*_configuration_cells(line, names), *([_short_cautions(line)] if cautioned else []))
    printing.show(shown)


def _configuration_cells(line: JsonTable, names: list[str]) -> list[str]:
    from thinktime.metrics import CATALOGUE

    return [
        line["configuration"],
        f"{line['runs']:,}",
        *(_metric_cell(line[name], CATALOGUE[name].unit) for name in names),
    ]


def _short_cautions(line: JsonTable) -> str:
    from thinktime.metrics import Cautions

    return Cautions.from_dict(line["cautions"]).short()


def _metric_cell(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    return printing.duration(value) if unit == "s" else f"{printing.number(value)} {unit}".strip()


def _metric_mean(runs: list[Any], metric: str) -> float | None:
    known = [run["summary"][metric] for run in runs if run["summary"].get(metric) is not None]
    return sum(known) / len(known) if known else None
