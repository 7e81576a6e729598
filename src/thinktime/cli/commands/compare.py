"""`thinktime compare`: paired differences of saved runs of the same log, with confidence intervals."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import typer

from thinktime.cli import parsing, printing
from thinktime.cli.options import (
    Json,
    Overwrite,
    RunDirectories,
    Trust,
    figure_file,
    names,
    option,
    option_group,
    repeated_option,
    text,
    with_options,
)
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support import terminal
from thinktime.support.output_files import require_new
from thinktime.trust import process as allowing

if TYPE_CHECKING:
    from thinktime.study.comparison.compared import Comparison
    from thinktime.study.comparison.run_blocks import By

app = typer.Typer(add_completion=False, rich_markup_mode="rich")


@option_group()
class CompareOptions:
    """What is compared, and how."""

    metric: tuple[str, ...] = repeated_option(
        "--metric",
        text,
        metavar="NAME",
        help="Metric to compare (default: mean wait, mean bounded slowdown, utilisation). Repeatable.",
    )
    by: str = option(
        "--by",
        text,
        default="auto",
        metavar="NAME",
        names=partial(names.keys_of, "study.comparison.run_blocks", "BY"),
        help="Blocks in which runs are paired: {names}. auto takes weeks, or 20 batches of jobs for short logs.",
    )
    level: float = option("--level", parsing.decimal, default="0.95", metavar="F", help="Confidence level.")
    warmup_s: float = option(
        "--warmup",
        parsing.seconds,
        default="0",
        metavar="DURATION",
        help="Exclude this initial period, for example 7d.",
    )
    cooldown_s: float = option(
        "--cooldown",
        parsing.seconds,
        default="0",
        metavar="DURATION",
        help="Exclude this final period, for example 1d.",
    )
    out: Path | None = option(
        "--out",
        figure_file,
        metavar="FILE",
        help="Draw the differences in the first metric to this file (.png, .pdf or .svg).",
    )


@app.command("compare")
@with_options
def compare(
    runs: RunDirectories,
    options: CompareOptions,
    overwrite: Overwrite = False,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """Compare saved runs of the same log: paired differences from the first run, with confidence intervals.

    Jobs that were killed, rejected or never ended are reported as cautions.

    Example: thinktime compare runs/KTH-SP2-1996-2.1-cln-fcfs-1a2b3c4d runs/KTH-SP2-1996-2.1-cln-easy-5e6f7a8b

    Example: thinktime compare demo/fcfs demo/easy --metric wait_mean_s --by day --out differences.png
    """
    if len(runs) < 2:
        raise InputError(f"compare needs at least two run directories (got {len(runs)})")
    if options.out is not None:
        require_new(options.out, overwrite, *runs)
    with allowing(trust):
        found = _compare_directories(runs, options, trust)
    drawn = [] if options.out is None else _draw_differences(found, options.out)
    if as_json:
        by_name = dict(zip(_labels_of(found), map(str, runs), strict=True))
        printing.as_json({"runs": by_name, **found.to_dict(), "paths": {"figures": printing.paths(drawn)}})
        return
    terminal.line(str(found))
    if drawn:
        printing.blank()
        printing.row("figure", *printing.paths(drawn))


def _compare_directories(directories: list[Path], options: CompareOptions, trust: bool) -> Comparison:
    from thinktime.metrics import CATALOGUE
    from thinktime.result import Result
    from thinktime.study.comparison.compare import compare

    with Stage("comparing"):
        results = [Result.load(directory, trust=trust) for directory in directories]
        return compare(
            results,
            metric=list(options.metric) or CATALOGUE.default(),
            by=cast("By", options.by),
            level=options.level,
            warmup_s=options.warmup_s,
            cooldown_s=options.cooldown_s,
        )


def _labels_of(found: Comparison) -> tuple[str, ...]:
    return next(iter(found.metrics.values())).table.names


def _draw_differences(found: Comparison, out: Path) -> list[Path]:
    from thinktime.metrics import CATALOGUE
    from thinktime.plots.kit.style import save
    from thinktime.plots.studies.intervals import paired_differences

    metric, compared = next(iter(found.metrics.items()))
    row, baseline = CATALOGUE[metric], compared.table.names[0]
    verdicts = {contrast.name: contrast.verdict for contrast in compared.contrasts}
    quantity: dict[str, Any] = {"quantity": f"difference in {row.label}", "seconds": row.unit == "s"}
    with Stage("drawing"):
        values = {contrast.name: _interval(contrast) for contrast in compared.contrasts}
        title = f"{row.label}: difference from {baseline}"
        drawn = paired_differences(
            values, **quantity, confidence=found.level, title=title, metric=metric, verdicts=verdicts
        )
        return save(drawn, out)


def _interval(contrast: Any) -> tuple[float, float, float]:
    if contrast.paired is None:
        return float("nan"), contrast.difference, float("nan")
    interval = contrast.paired.difference
    return interval.low, interval.estimate, interval.high
