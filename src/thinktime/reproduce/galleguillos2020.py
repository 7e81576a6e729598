"""Galleguillos, Kiziltan, Netti, Soto 2020: AccaSim. Eight dispatchers on Seth, and a dispatcher that rejects all.

{FIFO, SJF, LJF, EBF} × {first fit, best fit} on the 120 nodes of Seth, log of HPC2N. EBF is simulated as AccaSim
released it (EBF) and by the book (EASY), for the two are not the same: docs/background/accasim_ebf.md. The paper shows
box plots and says in words what is to be seen in them; the words are bounds here. The time and the memory of simulators
are those of processes (`galleguillos2020_speed`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from thinktime import plots
from thinktime.reproduce.claim import ABOVE, BELOW, COST, OWN, Claim, Verdict
from thinktime.reproduce.galleguillos2020_runs import (
    ALLOCATORS,
    COUNTED,
    LOGS,
    METACENTRUM,
    RICC,
    SCHEDULERS,
    SETH,
    WITH_MEMORY,
    WITHOUT_MEMORY,
    Facts,
    facts,
    on_seth,
    study,
)
from thinktime.reproduce.galleguillos2020_speed import (
    ACCASIM,
    beside_accasim,
    measure,
    processes_of_table_2,
    table_1,
)
from thinktime.reproduce.galleguillos2020_values import (
    PROTOTYPE,
    PROTOTYPE_QUANTITIES,
    REST_MS,
    TABLE_2,
)
from thinktime.reproduce.reproduction import Findings, Reproduction

#: "Independently of their allocators": less than this share apart
IMMATERIAL = 0.02
#: The paper's own rest of the time differs by a fifth between dispatchers; ours is a thousandth of it.
CONSTANT = 1.5
SMOOTH = 10  # parts of the curve of decision times; AccaSim's 30 are of one that has every queue size on its own

QUEUES = (
    "as released, EBF starts whatever fits, and its mean queue is SJF's to two parts in a thousand; by the book it"
    " keeps what it promised to the head, and more jobs wait (docs/background/accasim_ebf.md)"
)
BUSY = "the rest is a tenth of a microsecond here, a thousandth of the paper's: on busy cores it is not constant"
CHEAP = "here a pass looks only at jobs that may start, so that backfilling costs little more than sorting"

Take = Callable[[Facts], float]


def _versus(one: str, other: str, take: Take, platform: str = WITH_MEMORY) -> Callable[[Findings], float]:
    """How many times as much one dispatcher has as another."""
    return lambda found: take(on_seth(found, one, platform)) / take(on_seth(found, other, platform))


def _median(of: Facts) -> float:
    return of.slowdown.median


def _mean(of: Facts) -> float:
    return of.slowdown.mean


def _queue(of: Facts) -> float:
    return of.queue.mean


def _bound(table: str, row: str, quantity: str, kind: str, bound: float, ours: Callable[[Findings], float | None],
           why: str = "", digits: int = 2, evidence: str = "") -> Claim:  # fmt: skip
    return Claim(table, row, quantity, f"{bound:.{digits}f}", SETH, ours, kind, evidence, tried=why)


# --- Figures 10 and 11: slowdowns above 1, and queue sizes by event -----------------------------------------


def _better() -> Iterator[Claim]:
    """SJF and EBF achieve the best results; their slowdowns are mainly below the median of FIFO and LJF."""
    for good in ("SJF", "EBF", "EASY"):
        for bad in ("FIFO", "LJF"):
            for name, take in (("median slowdown", _median), ("mean slowdown", _mean)):
                ours = _versus(f"{bad}-FF", f"{good}-FF", take)
                yield _bound("Fig. 10", f"{bad} / {good}", name, ABOVE, 1.0, ours)
            below = _share_below(f"{good}-FF", f"{bad}-FF")
            yield _bound("Fig. 10", f"{good} below the median of {bad}", "share of jobs", ABOVE, 0.5, below)
            ours = _versus(f"{bad}-FF", f"{good}-FF", _queue)
            yield _bound("Fig. 11", f"{bad} / {good}", "mean queue", ABOVE, 1.0, ours)


def _share_below(one: str, other: str) -> Callable[[Findings], float]:
    return lambda found: float(np.mean(on_seth(found, one).slowdowns < _median(on_seth(found, other))))


def _between() -> Iterator[Claim]:
    """SJF has lower slowdowns overall, but a higher mean than EBF, and a slightly higher mean queue."""
    for backfilling in ("EBF", "EASY"):
        for platform in (WITH_MEMORY, WITHOUT_MEMORY):
            row = f"SJF / {backfilling}, {platform}"
            pair = ("SJF-FF", f"{backfilling}-FF")
            typical, mean, queue = (_versus(*pair, take, platform) for take in (_median, _mean, _queue))
            yield _bound("Fig. 10", row, "median slowdown", BELOW, 1.0, typical)
            yield _bound("Fig. 10", row, "mean slowdown", ABOVE, 1.0, mean)
            yield _bound("Fig. 11", row, "mean queue", ABOVE, 1.0, queue, QUEUES, digits=3)


def _allocators() -> Iterator[Claim]:
    """Which nodes are taken does not matter where all are alike."""
    for scheduler in SCHEDULERS:
        for table, name, take in (
            ("Fig. 10", "median slowdown", _median),
            ("Fig. 10", "mean slowdown", _mean),
            ("Fig. 11", "mean queue", _queue),
        ):
            apart = _apart(_versus(f"{scheduler}-BF", f"{scheduler}-FF", take))
            yield _bound(table, f"{scheduler}, BF against FF", f"{name}, apart", BELOW, IMMATERIAL, apart, digits=3)


def _apart(ratio: Callable[[Findings], float]) -> Callable[[Findings], float]:
    return lambda found: abs(ratio(found) - 1.0)


# --- Figures 12 and 13, and Table 2: what deciding costs ----------------------------------------------------


def _costs() -> Iterator[Claim]:
    yield _bound("Fig. 12", "all dispatchers", "the rest at a time point, ms", BELOW, REST_MS, _dearest_rest, digits=1,
                 evidence=COST)  # fmt: skip
    for allocator in ALLOCATORS:
        rests, row = _rests(allocator), f"all dispatchers with {allocator}"
        yield _bound("Fig. 12", row, "median rest, dearest / cheapest", BELOW, CONSTANT, rests, BUSY, digits=1)
    for backfilling in ("EBF", "EASY"):
        for allocator in ALLOCATORS:
            pair = (backfilling, allocator)
            row = f"{backfilling}-{allocator} / dearest other"
            yield _bound("Fig. 12", row, "time of deciding", ABOVE, 1.0, _dearer(*pair), CHEAP, digits=1)
            row = f"{backfilling}-{allocator} minus steepest other"
            yield _bound("Fig. 13", row, "growth, ns a waiting job", ABOVE, 0.0, _steeper(*pair), CHEAP, digits=1)


def _dearest_rest(found: Findings) -> float:
    return max(on_seth(found, dispatcher).rest_ms for dispatcher in TABLE_2)


def _rests(allocator: str) -> Callable[[Findings], float]:
    """Each allocator for itself: with best fit, nodes that are given back take their place in its ranking. Of the
    median time point: a tenth of a microsecond is lost in a mean as soon as somebody else gets the core."""

    def ours(found: Findings) -> float:
        rest_s = [on_seth(found, each).median_rest_s for each in TABLE_2 if each.endswith(allocator)]
        return max(rest_s) / min(rest_s) if min(rest_s) > 0 else float("nan")

    return ours


def _own_and_most(found: Findings, one: str, allocator: str, take: Take) -> tuple[float, float]:
    """Of one dispatcher, and the most of FIFO, SJF and LJF."""
    others = [take(on_seth(found, f"{other}-{allocator}")) for other in ("FIFO", "SJF", "LJF")]
    return take(on_seth(found, f"{one}-{allocator}")), max(others)


def _dearer(one: str, allocator: str) -> Callable[[Findings], float]:
    def ours(found: Findings) -> float:
        own, most = _own_and_most(found, one, allocator, lambda of: of.decision_s)
        return own / most

    return ours


def _steeper(one: str, allocator: str) -> Callable[[Findings], float]:
    """By how much more deciding grows with the queue; others hardly grow, or seem to fall."""

    def ours(found: Findings) -> float:
        own, most = _own_and_most(found, one, allocator, lambda of: of.growth_s * 1e9)
        return own - most

    return ours


def _deciding() -> Iterator[Claim]:
    for dispatcher, (_, seconds, _, _) in TABLE_2.items():
        ours, quantity = _decision_s(dispatcher), "time of deciding, s"
        yield _bound("Table 2", dispatcher, quantity, BELOW, seconds, ours, digits=0, evidence=COST)


def _decision_s(dispatcher: str) -> Callable[[Findings], float]:
    return lambda found: on_seth(found, dispatcher).decision_s


# --- the prototype ------------------------------------------------------------------------------------------


def _prototype() -> Iterator[Claim]:
    for scheduler, values in PROTOTYPE.items():
        for k, (quantity, text) in enumerate(zip(PROTOTYPE_QUANTITIES, values, strict=True)):
            ours = _counted(scheduler, k)
            yield Claim("240 processors counted", scheduler, quantity, text, COUNTED, ours, evidence=OWN,
                        source="prototype")  # fmt: skip


def _counted(scheduler: str, k: int) -> Callable[[Findings], float]:
    def ours(found: Findings) -> float:
        of = facts(found, COUNTED, scheduler=scheduler)
        quarters = np.quantile(of.slowdowns, (0.25, 0.5, 0.75), method="lower").tolist()  # as the prototype took them
        above = (len(of.slowdowns), of.slowdown.mean, *quarters)
        return float((of.mean_wait_s, of.mean_slowdown, *above, of.queue.mean, of.queue.most)[k])

    return ours


# --- figures ------------------------------------------------------------------------------------------------


def draw(findings: Findings, verdicts: Sequence[Verdict], directory: Path, formats: Sequence[str]) -> list[Path]:
    """Figs. 10 to 13, with EASY beside the paper's dispatchers."""
    if SETH not in findings.studies:
        return []
    runs = {f"{s}-{a}": on_seth(findings, f"{s}-{a}") for s in SCHEDULERS for a in ALLOCATORS}
    slowdowns = {name: of.slowdowns for name, of in runs.items()}
    bars = {name: (of.decision_s / of.points, of.rest_s / of.points) for name, of in runs.items()}
    figures = {
        "fig10_slowdown": plots.slowdown_boxes(slowdowns, bound_s=0, without_one=True),
        "fig11_queue_size": plots.queue_boxes({name: of.queues for name, of in runs.items()}),
        "fig12_time_per_time_point": plots.decision_bars(bars),
        "fig13_time_by_queue": plots.decision_by_queue(
            {name: (of.sizes, of.mean_s) for name, of in runs.items()}, smooth=SMOOTH
        ),
    }
    return [path for name, figure in figures.items() for path in plots.save(figure, directory / name, formats)]


def _claims() -> list[Claim]:
    parts = (_better, _between, _allocators, _costs, _deciding, processes_of_table_2, table_1, _prototype)
    return [claim for part in parts for claim in part()]


GALLEGUILLOS2020 = Reproduction(
    name="galleguillos2020",
    paper="C. Galleguillos, Z. Kiziltan, A. Netti, R. Soto. AccaSim: a customizable workload management simulator for"
    " job dispatching research in HPC systems. Cluster Computing, 2020",
    logs=LOGS,
    study=study,
    claims=_claims(),
    notes=(
        "EBF is AccaSim's, as released: the reservation is never tested, and the head is tried again only when it is"
        " due; EASY is backfilling by the book",
        "slowdowns are those above 1, as AccaSim's box plots have them; queue sizes count once an event",
        "requests have the memory that the log says; AccaSim 1.1.3 asks for none on this log, because the first job"
        " has none and it looks no further, so that is simulated too",
        "the paper prints no slowdowns and queues: what it says of its figures are bounds, and the numbers beside ours"
        " under `prototype` are those of an independent program on counted processors",
        "times are CPU times of processes on this machine, the paper's on its own",
    ),
    draw=draw,
    jobs={SETH: 202871, RICC: 447794, METACENTRUM: 5731100},
    needs={
        SETH: "needs HPC2N-2002-2.2-cln.swf",
        COUNTED: "needs HPC2N-2002-2.2-cln.swf",
        RICC: "needs RICC-2010-2.swf",
        METACENTRUM: "needs METACENTRUM-2013-3.swf",
    },
    measure=measure,
    peers=(ACCASIM,),
    beside=beside_accasim,
)
