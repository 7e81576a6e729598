"""Zakay, Feitelson 2014: users who keep their behaviour. Table I, the mean wait under four user models and EASY.

What the paper leaves open was chosen on some logs and is judged on the others (`readings`). Models that draw
at random run with ten seeds, and their mean is judged. What text and figures say is in `text`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from thinktime import plots
from thinktime.errors import InputError
from thinktime.metrics import week_s
from thinktime.result import Result
from thinktime_reproduce.claim import Claim, Ours, Rule, Tolerance, Verdict
from thinktime_reproduce.reproduction import Findings, Reproduction
from thinktime_reproduce.zakay2014.readings import CHOSEN_ON, SEEDS, cell, errors_table, others, study
from thinktime_reproduce.zakay2014.text import runs_of, text_claims
from thinktime_reproduce.zakay2014.values import (
    ADJUSTED,
    CONVENTIONAL,
    DISTRIBUTION,
    FLUID,
    LOGS,
    MODELS,
    TABLE_1,
)

RULE = Rule(
    "requested processors; jobs without an estimate left out; overruns not foreseen (extend-blind); EASY without extra"
    " processors",
    CHOSEN_ON,
)
STAYS = Rule("a fluid user's session ends 15 minutes after its last submission", CHOSEN_ON)

CHAOS = "a second more in some run times moves a mean wait by some per cent, and the paper's run is one such outcome"
DRAWN = f"the paper's run is one draw, ours the mean of {SEEDS} seeds"
TOLERANCES = {
    CONVENTIONAL: Tolerance(CHAOS, relative=0.05),
    ADJUSTED: Tolerance(f"{CHAOS}; delays pass it on from batch to batch", relative=0.15),
    FLUID: Tolerance(DRAWN, relative=0.15),
}
#: 95 % of single draws lie within this many standard deviations of the mean of ten others (Student, 9 degrees)
DEVIATIONS = 2.262 * (1 + 1 / SEEDS) ** 0.5
SINGLE = f"{DRAWN}: 95 % of single draws lie within {DEVIATIONS:.2f} standard deviations of that mean"


def _wait(label: str, model: str) -> Ours:
    return lambda findings: findings.mean(label, "wait_mean_s", **cell(label, model))


def _claims() -> Iterator[Claim]:
    for label in LOGS:
        for model in TOLERANCES:
            yield _claim(label, model, TOLERANCES[model])


def _claim(label: str, model: str, tolerance: Tolerance) -> Claim:
    return Claim(
        "Table I",
        f"{label}, {model}",
        "mean wait, s",
        str(TABLE_1[label, model]),
        label,
        _wait(label, model),
        tolerance=tolerance,
        rules=(RULE, STAYS) if model == FLUID else (RULE,),
        tried=others(label, model),
    )


def drawn(findings: Findings) -> list[Claim]:
    """The distribution-based waits: how far a single draw may lie from our mean follows from our own draws."""
    return [_claim(label, DISTRIBUTION, _tolerance_of_draws(findings, label)) for label in LOGS]


def _tolerance_of_draws(findings: Findings, label: str) -> Tolerance:
    """From our own draws; without them the row is missed, or needs the log, whatever the width."""
    try:
        waits_s = findings.values(label, "wait_mean_s", **cell(label, DISTRIBUTION)) if label in findings.logs else []
    except InputError:
        waits_s = []
    width_s = DEVIATIONS * float(np.std(waits_s, ddof=1)) if len(waits_s) > 1 else 0.0
    return Tolerance(SINGLE, absolute=max(width_s, 0.5))


# --- figures ---------------------------------------------------------------------------------------------------


def draw(findings: Findings, verdicts: Sequence[Verdict], directory: Path, formats: Sequence[str]) -> list[Path]:
    """Figs. 5 to 10 for each log, in a folder of its name, from the runs of the first seed."""
    found = []
    for label in findings.logs:
        for name, figure in _zakay2014_figures(findings, label).items():
            found += plots.save(figure, directory / label / name, formats)
    return found


def _zakay2014_figures(findings: Findings, label: str) -> dict[str, Any]:
    workload, easy, fifo = runs_of(findings, label)
    queues = {f"{model}, {name}": of[model] for model in fifo for name, of in (("easy", easy), ("fifo", fifo))}
    found = {
        "fig07_09_activity": plots.activity_lengths({model: _activity_s(easy[model]) for model in MODELS}),
        "fig10_queue_length": plots.queue_ecdf(queues),
    }
    if workload.unix_start_s is not None:
        weeks = {model: week_s(workload, easy[model].columns["submit_s"]) for model in MODELS}
        found["fig05_06_08_arrivals"] = plots.submissions_by_hour(weeks)
    return found


def _activity_s(run: Result) -> np.ndarray:
    return run.activity()["activity_s"].to_numpy()


ZAKAY2014 = Reproduction(
    name="zakay2014",
    paper="N. Zakay, D. G. Feitelson. Preserving User Behavior Characteristics in Trace-Based Simulation of Parallel"
    " Job Scheduling. MASCOTS, 2014",
    logs=LOGS,
    study=study,
    claims=[*_claims(), *text_claims((RULE, STAYS))],
    beside=drawn,
    draw=draw,
    readings=errors_table,
    notes=(
        f"open questions of the paper were settled on {', '.join(CHOSEN_ON)}; the other logs judge the answers",
        "`thinktime reproduce zakay2014 --readings` simulates all alternatives on all logs",
        f"models that draw at random: means of {SEEDS} seeds; figures: the first seed",
    ),
)
