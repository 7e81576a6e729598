"""Readings of zakay2014: what its text leaves open, each alternative as one change of the reading that is used.

The paper says neither which jobs of a log were simulated, nor which processor field, nor what the scheduler believes of
a job that runs longer than its estimate, nor how long after its last submission a session of a fluid user ends.
`thinktime reproduce zakay2014 --readings` simulates every alternative on every log with all seeds. The reading used
has the smallest mean error on the logs of CHOSEN_ON, in the column of the conventional waits, and for the end of fluid
sessions in that of the fluid ones. The other logs judge it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thinktime.study import Study
from thinktime_reproduce.readings import tried
from thinktime_reproduce.reproduction import Findings, Stage, Table
from thinktime_reproduce.zakay2014.values import (
    ADJUSTED,
    CM5,
    CONVENTIONAL,
    DISTRIBUTION,
    FLUID,
    HPC2N,
    KTH,
    MODELS,
    TABLE_1,
)

SEEDS = 10
CHOSEN_ON = (KTH, HPC2N, CM5)

#: The reading that is used. The last four are the user models of Table I.
USED: Mapping[str, str] = {
    "filter": "base",
    "processors": "requested",
    "remove": "estimate <= 0",
    "estimates": "requested",
    "overrun": "extend-blind",
    "scheduler": "easy:extra_nodes=false,count_ties=false",
    CONVENTIONAL: "rigid",
    ADJUSTED: "adjusted",
    DISTRIBUTION: "distribution-based",
    FLUID: "fluid:stays_min=15",
}
STAYS = ("0", "10", "20", "30", "60")
FIXED = (CONVENTIONAL, ADJUSTED)  # the models that draw nothing
REACTING = (ADJUSTED, DISTRIBUTION, FLUID)


@dataclass(frozen=True)
class Reading:
    """An alternative: what it changes in USED, and for which models that matters or was tried."""

    changes: Mapping[str, str] = field(default_factory=dict)
    models: tuple[str, ...] = MODELS

    @property
    def options(self) -> dict[str, str]:
        return {**USED, **self.changes}


def _easy(**options: str) -> dict[str, str]:
    given = {"extra_nodes": "false", "count_ties": "false"} | options
    return {"scheduler": "easy:" + ",".join(f"{name}={value}" for name, value in given.items())}


def _sessions(minutes: str) -> dict[str, str]:
    """Sessions that end after a gap of other than an hour."""
    models = {name: USED[name] for name in REACTING}
    more = f"threshold_min={minutes}"
    return {name: f"{text},{more}" if ":" in text else f"{text}:{more}" for name, text in models.items()}


AS_USED = "as used"
READINGS: dict[str, Reading] = {
    AS_USED: Reading(),
    "overruns known: extend": Reading({"overrun": "extend"}),
    "overruns killed: kill": Reading({"overrun": "kill"}),
    "processors allocated": Reading({"processors": "allocated"}),
    "larger processor field": Reading({"processors": "max"}, FIXED),
    "jobs without estimate kept": Reading({"remove": ""}),
    "run time and estimate > 0": Reading({"filter": "strict"}, FIXED),
    "jobs as pyss repairs them": Reading({"filter": "pyss", "remove": ""}, FIXED),
    "extra processors at the shadow": Reading(_easy(extra_nodes="true")),
    "shadow computed once": Reading(_easy(recompute="false")),
    "all ends at the shadow counted": Reading(_easy(count_ties="true"), FIXED),
    "backfilling by shortest job": Reading(_easy(backfill_order="sjf"), FIXED),
    "perfect estimates": Reading({"estimates": "perfect"}),
    "estimates at least twice the run time": Reading({"estimates": "at_least:2"}, FIXED),
    "extend, allocated, all jobs, 0 min": Reading(
        {"overrun": "extend", "processors": "allocated", "remove": "", FLUID: "fluid"}
    ),
    **{f"fluid sessions end {m} min after": Reading({FLUID: f"fluid:stays_min={m}"}, (FLUID,)) for m in STAYS},
    "sessions end after 30 min": Reading(_sessions("30"), REACTING),
    "sessions end after 120 min": Reading(_sessions("120"), REACTING),
    "one session per user": Reading(_sessions("1e9"), (ADJUSTED,)),
    "patience in hours": Reading({DISTRIBUTION: f"distribution-based:impatience={0.05 / 60}"}, (DISTRIBUTION,)),
    "patience in seconds": Reading({DISTRIBUTION: "distribution-based:impatience=3"}, (DISTRIBUTION,)),
}


def study(label: str, log: Path, names: Sequence[str] = (AS_USED,), models: Sequence[str] = MODELS) -> Study:
    """The runs of some readings of a log. FIFO, for Fig. 10, belongs to the reading used."""
    chosen = [(READINGS[name].options, model) for name in names for model in models if model in READINGS[name].models]
    cells = [_cell_of_reading(label, options, model) for options, model in chosen]
    if AS_USED in names:
        fifo = {**USED, "scheduler": "fcfs"}
        cells += [
            _cell_of_reading(label, fifo, model) | {"seed": 1} for model in (CONVENTIONAL, FLUID) if model in models
        ]
    return Study.of(
        name=f"zakay2014-{label}",
        question="Which waits does a simulation predict whose users behave as users do?",
        workloads=[_workload(label, log, text) for text in _distinct(cells, "workload")],
        schedulers=[{"name": text, "spec": text} for text in _distinct(cells, "scheduler")],
        users=[{"name": text, "spec": text} for text in _distinct(cells, "users")],
        estimates=[{"name": text, "spec": text} for text in _distinct(cells, "estimates")],
        rules=[{"name": name, "overrun": name} for name in _distinct(cells, "rules")],
        metrics=["wait_mean_s"],
        seeds=SEEDS,
        only=cells,
    )


def _cell_of_reading(label: str, options: Mapping[str, str], model: str) -> dict[str, Any]:
    """The run of a model under a reading; its entries are named by what they are."""
    workload = "; ".join(f"{name}={options[name]}" for name in ("filter", "processors", "remove"))
    return {
        "workload": f"{label}: {workload}",
        "scheduler": options["scheduler"],
        "users": options[model],
        "estimates": options["estimates"],
        "rules": options["overrun"],
    }


def cell(label: str, model: str, scheduler: str = USED["scheduler"]) -> dict[str, Any]:
    """The run of a model under the reading used."""
    return _cell_of_reading(label, {**USED, "scheduler": scheduler}, model)


def _distinct(cells: Sequence[Mapping[str, Any]], dimension: str) -> list[str]:
    return list(dict.fromkeys(each[dimension] for each in cells))


def _workload(label: str, log: Path, name: str) -> dict[str, Any]:
    options = dict(part.split("=", 1) for part in name.removeprefix(f"{label}: ").split("; "))
    remove = {"remove": options.pop("remove")} if options["remove"] else {}
    options.pop("remove", None)
    return {"name": name, "log": str(log), **options, **remove}


# --- simulating alternatives ----------------------------------------------------------------------------------


def waits(findings: Findings, label: str, names: Sequence[str], models: Sequence[str]) -> dict[tuple[str, str], float]:
    """(reading, model) → mean wait over the seeds, in seconds. Runs are kept in a store beside the log's own."""
    from thinktime_reproduce.runner import run

    of = study(label, findings.logs[label], names, models)
    store = run(f"{label}-readings", of, findings.directory or Path())
    found = Findings({label: of}, {label: store}, findings.logs)
    pairs = [(name, model) for name in names for model in models if model in READINGS[name].models]
    cells = {pair: _cell_of_reading(label, READINGS[pair[0]].options, pair[1]) for pair in pairs}
    means = {pair: found.mean(label, "wait_mean_s", **cells[pair]) for pair in pairs}
    return {pair: value for pair, value in means.items() if value is not None}


def others(label: str, model: str) -> Callable[[Findings], str]:
    """For a row that is missed: its mean wait under every other reading."""

    def values(findings: Findings) -> dict[str, float | None]:
        names = [name for name in READINGS if name != AS_USED]
        return {name: wait_s for (name, _), wait_s in waits(findings, label, names, [model]).items()}

    return tried(label, f"{label}, {model}, mean wait in s", TABLE_1[label, model], values, digits=0)


# --- choosing -------------------------------------------------------------------------------------------------

Errors = Mapping[tuple[str, str, str], float]  # (reading, model, log) → ours / paper − 1


def errors(findings: Findings, label: str) -> dict[tuple[str, str, str], float]:
    """Of every reading on one log."""
    found = waits(findings, label, list(READINGS), MODELS)
    return {(name, model, label): w / TABLE_1[label, model] - 1 for (name, model), w in found.items()}


def score(found: Errors, name: str, model: str, labels: Sequence[str]) -> float | None:
    """The mean absolute error of a reading in one column of Table I over some logs; None if one is missing."""
    values = [abs(found[name, model, label]) for label in labels if (name, model, label) in found]
    return sum(values) / len(values) if values and len(values) == len(labels) else None


def best(found: Errors, model: str, labels: Sequence[str] = CHOSEN_ON) -> str | None:
    """The reading with the smallest error on these logs."""
    scores = {name: score(found, name, model, labels) for name in READINGS}
    known = {name: value for name, value in scores.items() if value is not None}
    return min(known, key=lambda name: known[name]) if known else None


def lines(found: Errors, labels: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """A row for each model and reading: error on each log in per cent, then the means on the two groups of logs."""
    groups = [[label for label in labels if (label in CHOSEN_ON) == inside] for inside in (True, False)]
    for model in MODELS:
        for name, reading in READINGS.items():
            if model in reading.models:
                each = [_percent(found.get((name, model, label))) for label in labels]
                means = [_percent(score(found, name, model, group), "") for group in groups]
                yield (model, name, *each, *means)


def errors_table(findings: Findings, stage: Stage) -> Table:
    """All readings on all logs that are there; a star marks the logs on which the choice was made."""
    found: dict[tuple[str, str, str], float] = {}
    for label in findings.logs:
        with stage(f"{label}: simulating {len(READINGS)} readings"):
            found |= errors(findings, label)
    labels = sorted(findings.logs, key=lambda label: label not in CHOSEN_ON)
    head = [f"{label}*" if label in CHOSEN_ON else label for label in labels]
    return ("model", "reading", *head, "mean*", "mean"), list(lines(found, labels))


def _percent(error: float | None, sign: str = "+") -> str:
    return "–" if error is None else f"{100 * error:{sign}.1f}"
