"""Galleguillos, Kiziltan, Netti, Soto 2020: AccaSim. Eight dispatchers on Seth, and a dispatcher that rejects all.

{FIFO, SJF, LJF, EBF} × {first fit, best fit} on the 120 nodes of Seth, log of HPC2N. EBF is simulated as AccaSim
released it (EBF) and by the book (EASY), because they differ: docs/background/accasim_ebf.md. The paper shows
box plots and describes them in words; the words are bounds here. Time and memory are those of
repeated processes (`costs`); generated jobs are in `generated`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from thinktime import plots
from thinktime_reproduce.claim import ABOVE, AT_MOST, BELOW, COST, OWN, Claim, Rule, Verdict
from thinktime_reproduce.galleguillos2020 import costs, generated
from thinktime_reproduce.galleguillos2020.runs import (
    ALLOCATORS,
    COUNTED,
    FULL,
    LOGS,
    METACENTRUM,
    RICC,
    SCHEDULERS,
    SETH,
    WITH_MEMORY,
    WITHOUT_MEMORY,
    Effort,
    Facts,
    facts,
    on_seth,
    study,
)
from thinktime_reproduce.galleguillos2020.speed import ACCASIM, measure
from thinktime_reproduce.galleguillos2020.values import (
    PROTOTYPE,
    PROTOTYPE_QUANTITIES,
    REST_MS,
    REST_S,
    TABLE_2,
)
from thinktime_reproduce.reproduction import Findings, Reproduction

#: "Independently of their allocators": less than this share apart
IMMATERIAL = 0.02
SMOOTH = 10  # parts of the curve of decision times; AccaSim's 30 are of one that has every queue size on its own

Take = Callable[[Facts], float]


def _versus(one: str, other: str, take: Take, platform: str = WITH_MEMORY) -> Callable[[Findings], float]:
    """How many times as much one dispatcher has as another."""
    return lambda found: take(on_seth(found, one, platform)) / take(on_seth(found, other, platform))


def _median(of: Facts) -> float:
    return of.slowdown.median


def _mean_slowdown_of(of: Facts) -> float:
    return of.slowdown.mean


def _mean_queue_of(of: Facts) -> float:
    return of.queue.mean


TRIMMED = Rule("the rest of the time at a time point is its mean without the longest tenth, not its median", (SETH,))


def _bound(table: str, row: str, quantity: str, kind: str, bound: float, ours: Callable[[Findings], float | None],
           why: str | Callable[[Findings], str] = "", digits: int = 2, evidence: str = "",
           rules: tuple[Rule, ...] = ()) -> Claim:  # fmt: skip
    return Claim(table, row, quantity, f"{bound:.{digits}f}", SETH, ours, kind, evidence, tried=why, rules=rules)


# --- Figures 10 and 11: slowdowns above 1, and queue sizes by event -----------------------------------------


def _better() -> Iterator[Claim]:
    """SJF and EBF achieve the best results; their slowdowns are mainly below the median of FIFO and LJF."""
    for good in ("SJF", "EBF", "EASY"):
        for bad in ("FIFO", "LJF"):
            for name, take in (("median slowdown", _median), ("mean slowdown", _mean_slowdown_of)):
                ours = _versus(f"{bad}-FF", f"{good}-FF", take)
                yield _bound("Fig. 10", f"{bad} / {good}", name, ABOVE, 1.0, ours)
            below = _share_below(f"{good}-FF", f"{bad}-FF")
            yield _bound("Fig. 10", f"{good} below the median of {bad}", "share of jobs", ABOVE, 0.5, below)
            ours = _versus(f"{bad}-FF", f"{good}-FF", _mean_queue_of)
            yield _bound("Fig. 11", f"{bad} / {good}", "mean queue", ABOVE, 1.0, ours)


def _share_below(one: str, other: str) -> Callable[[Findings], float]:
    return lambda found: float(np.mean(on_seth(found, one).slowdowns < _median(on_seth(found, other))))


def _claims_of_sjf_over_backfilling() -> Iterator[Claim]:
    """SJF has lower slowdowns overall, but a higher mean than EBF, and a slightly higher mean queue."""
    for backfilling in ("EBF", "EASY"):
        for platform in (WITH_MEMORY, WITHOUT_MEMORY):
            row = f"SJF / {backfilling}, {platform}"
            pair = ("SJF-FF", f"{backfilling}-FF")
            typical, mean, queue = (
                _versus(*pair, take, platform) for take in (_median, _mean_slowdown_of, _mean_queue_of)
            )
            yield _bound("Fig. 10", row, "median slowdown", BELOW, 1.0, typical)
            yield _bound("Fig. 10", row, "mean slowdown", ABOVE, 1.0, mean)
            tried = _other_queue_ratios(*pair, platform)
            yield _bound("Fig. 11", row, "mean queue", ABOVE, 1.0, queue, tried, digits=3)


def _other_queue_ratios(one: str, other: str, platform: str) -> Callable[[Findings], str]:
    """The ratio of mean queues by other readings."""
    readings: dict[str, Take] = {
        "before deciding": lambda of: of.queue_before,
        "weighted with time": lambda of: of.queue_over_time,
        "without the events at which no job waits, an option of AccaSim's plots": lambda of: _waiting(of.queues),
    }

    def words(found: Findings) -> str:
        ratios = ", ".join(
            f"{name}: {_versus(one, other, take, platform)(found):.3f}" for name, take in readings.items()
        )
        return f"other means of the queue give {ratios}"

    return words


def _waiting(queues: np.ndarray) -> float:
    return float(queues[queues > 0].mean())


def _allocators() -> Iterator[Claim]:
    """Which nodes are taken does not matter where all are alike."""
    for scheduler in SCHEDULERS:
        for table, name, take in (
            ("Fig. 10", "median slowdown", _median),
            ("Fig. 10", "mean slowdown", _mean_slowdown_of),
            ("Fig. 11", "mean queue", _mean_queue_of),
        ):
            apart = _ratio_off_one(_versus(f"{scheduler}-BF", f"{scheduler}-FF", take))
            yield _bound(table, f"{scheduler}, BF against FF", f"{name}, apart", BELOW, IMMATERIAL, apart, digits=3)


def _ratio_off_one(ratio: Callable[[Findings], float]) -> Callable[[Findings], float]:
    return lambda found: abs(ratio(found) - 1.0)


# --- Figures 12 and 13, and Table 2: what deciding costs ----------------------------------------------------


def _costs() -> Iterator[Claim]:
    yield _bound("Fig. 12", "all dispatchers", "the rest at a time point, ms", BELOW, REST_MS, _dearest_rest, digits=1,
                 evidence=COST)  # fmt: skip
    yield _bound("Fig. 12", "all dispatchers", "the rest in all, s", BELOW, REST_S, _longest_rest, digits=0,
                 evidence=COST)  # fmt: skip
    for allocator in ALLOCATORS:
        row, quantity = f"all dispatchers with {allocator}", "usual rest at a time point, dearest / cheapest"
        ours, words = _rests(allocator), _rest_words(allocator)
        yield _bound("Fig. 12", row, quantity, AT_MOST, printed_rests(), ours, words, rules=(TRIMMED,))
    for backfilling in ("EBF", "EASY"):
        for allocator in ALLOCATORS:
            pair = (backfilling, allocator)
            row = f"{backfilling}-{allocator} minus steepest other"
            ours, tried = _steeper(*pair), _growths(allocator)
            yield _bound("Fig. 13", row, "growth, ns a waiting job", ABOVE, 0.0, ours, tried, digits=1)


def _dearest_rest(found: Findings) -> float:
    return max(on_seth(found, dispatcher).rest_ms for dispatcher in TABLE_2)


def _longest_rest(found: Findings) -> float:
    return max(on_seth(found, dispatcher).rest_s for dispatcher in TABLE_2)


def printed_rests() -> float:
    """How constant the paper's rest of the time is: the largest over the smallest of Table 2, total minus deciding."""
    rests = [float(total) - float(deciding) for (total, _), (deciding, _), *_ in TABLE_2.values()]
    return max(rests) / min(rests)


def _rests(allocator: str) -> Callable[[Findings], float]:
    """Each allocator for itself: with best fit, nodes that are given back take their place in its ranking."""

    def ours(found: Findings) -> float:
        rest_s = [on_seth(found, each).usual_rest_s for each in TABLE_2 if each.endswith(allocator)]
        return max(rest_s) / min(rest_s) if min(rest_s) > 0 else float("nan")

    return ours


def _rest_words(allocator: str) -> Callable[[Findings], str]:
    def words(found: Findings) -> str:
        rests = {each: on_seth(found, each).usual_rest_s * 1e6 for each in TABLE_2 if each.endswith(allocator)}
        told = ", ".join(f"{name} {rest:.2f}" for name, rest in rests.items())
        return f"usual rest at a time point, µs: {told}; the paper's is around {1e3 * REST_MS:.0f} µs"

    return words


def _growths(allocator: str) -> Callable[[Findings], str]:
    def words(found: Findings) -> str:
        growth = {each: on_seth(found, f"{each}-{allocator}").growth_s * 1e9 for each in SCHEDULERS}
        return f"ns a waiting job with {allocator}: {', '.join(f'{name} {ns:.2f}' for name, ns in growth.items())}"

    return words


def _own_and_most(found: Findings, one: str, allocator: str, take: Take) -> tuple[float, float]:
    """Of one dispatcher, and the most of FIFO, SJF and LJF."""
    others = [take(on_seth(found, f"{other}-{allocator}")) for other in ("FIFO", "SJF", "LJF")]
    return take(on_seth(found, f"{one}-{allocator}")), max(others)


def _steeper(one: str, allocator: str) -> Callable[[Findings], float]:
    """By how much more deciding grows with the queue; others hardly grow, or seem to fall."""

    def ours(found: Findings) -> float:
        own, most = _own_and_most(found, one, allocator, lambda of: of.growth_s * 1e9)
        return own - most

    return ours


# --- the prototype ------------------------------------------------------------------------------------------


def _prototype() -> Iterator[Claim]:
    for scheduler, values in PROTOTYPE.items():
        for k, (quantity, text) in enumerate(zip(PROTOTYPE_QUANTITIES, values, strict=True)):
            ours = _fact_of_counted_run(scheduler, k)
            yield Claim("240 processors counted", scheduler, quantity, text, COUNTED, ours, evidence=OWN,
                        source="prototype")  # fmt: skip


def _fact_of_counted_run(scheduler: str, k: int) -> Callable[[Findings], float]:
    def ours(found: Findings) -> float:
        of = facts(found, COUNTED, scheduler=scheduler)
        quarters = np.quantile(of.slowdowns, (0.25, 0.5, 0.75), method="lower").tolist()  # as the prototype took them
        above = (len(of.slowdowns), of.slowdown.mean, *quarters)
        return float((of.mean_wait_s, of.mean_slowdown, *above, of.queue.mean, of.queue.most)[k])

    return ours


# --- figures ------------------------------------------------------------------------------------------------


def draw(
    findings: Findings, verdicts: Sequence[Verdict], directory: Path, formats: Sequence[str], effort: Effort = FULL
) -> list[Path]:
    """Figs. 10 to 17, with EASY beside the paper's dispatchers."""
    figures = _of_dispatchers(findings) if SETH in findings.studies else {}
    drawn = [path for name, figure in figures.items() for path in plots.save(figure, directory / name, formats)]
    return [*drawn, *generated.draw(findings, effort.share, directory, formats)]


def _of_dispatchers(findings: Findings) -> dict[str, Any]:
    runs = {f"{s}-{a}": on_seth(findings, f"{s}-{a}") for s in SCHEDULERS for a in ALLOCATORS}
    slowdowns = {name: of.slowdowns for name, of in runs.items()}
    bars = {name: (of.decision_s / of.points, of.rest_s / of.points) for name, of in runs.items()}
    sizes = {name: (of.sizes, of.mean_s) for name, of in runs.items()}
    return {
        "fig10_slowdown": plots.slowdown_boxes(slowdowns, bound_s=0, without_one=True),
        "fig11_queue_size": plots.queue_boxes({name: of.queues for name, of in runs.items()}),
        "fig12_time_per_time_point": plots.decision_bars(bars),
        "fig13_time_by_queue": plots.decision_by_queue(sizes, smooth=SMOOTH),
    }


NOTES = (
    "EBF is AccaSim's, as released: the reservation is never tested, and the head is tried again only when it is due;"
    " EASY is backfilling by the book",
    "slowdowns are those above 1, as AccaSim's box plots have them; queue sizes count once per event",
    "requests have the memory that the log says; AccaSim 1.1.3 asks for none on this log, because the first job has"
    " none and it looks no further, so that is simulated too",
    "the paper prints no slowdowns and queues: its sentences on the figures are bounds, and the numbers under"
    " `prototype` are those of an independent program on counted processors",
    "Figs. 14 to 17: the paper says very similar and prints no number; alike here means at most 5 % of the submissions"
    " in another hour, weekday or month, and work at most 0.10 apart (Kolmogorov and Smirnov)",
    "times are CPU times of processes on this machine, the paper's are real times on its own",
)


def reproduction(effort: Effort = FULL) -> Reproduction:
    """With fewer repetitions or generated jobs than the paper's: for a quick look, and for tests."""
    parts = (
        _better,
        _claims_of_sjf_over_backfilling,
        _allocators,
        _costs,
        _prototype,
        partial(generated.claims, effort.share),
    )
    repeated = f"processes are repeated {effort.repeats} times; σ divides by n − 1" if effort.repeats > 1 else ""
    return Reproduction(
        name="galleguillos2020",
        paper="C. Galleguillos, Z. Kiziltan, A. Netti, R. Soto. AccaSim: a customizable workload management simulator"
        " for job dispatching research in HPC systems. Cluster Computing, 2020",
        logs=LOGS,
        study=study,
        claims=[claim for part in parts for claim in part()],
        notes=(*NOTES, *([repeated] if repeated else [])),
        draw=partial(draw, effort=effort),
        jobs={SETH: 202871, RICC: 447794, METACENTRUM: 5731100},
        needs={label: f"needs {name}" for label, name in LOGS.items()},
        measure=partial(measure, repeats=effort.repeats),
        peers=(ACCASIM,),
        beside=costs.claims,
    )


GALLEGUILLOS2020 = reproduction()
