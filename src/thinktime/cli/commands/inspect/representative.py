"""`thinktime inspect --compare`: is a log representative of another? Measures, distances and verdicts."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from thinktime.cli import log_argument, printing
from thinktime.cli.commands.inspect.cluster import is_cluster
from thinktime.cli.options import USUAL_READING, ReadingOptions
from thinktime.cli.printing import figure_files
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError

if TYPE_CHECKING:
    from thinktime.cli.commands.inspect import CompareOptions
    from thinktime.description import Comparison, Description, Row
    from thinktime.workload import Workload


def compare_logs(
    logs: list[str],
    reading: ReadingOptions,
    options: CompareOptions,
    drawn: tuple[Path | None, tuple[str, ...]] | None,
    as_json: bool,
) -> None:
    """Compare logs and print the result; `drawn` holds the folder and the formats of the figures, if any."""
    _require_logs(logs)
    comparison = _describe_and_compare([_read_to_compare(log, reading) for log in logs], options)
    paths = _draw_comparison(comparison, *drawn) if drawn else []
    if as_json:
        printing.as_json({**comparison.as_dict(), "paths": {"figures": printing.paths(paths)}})
        return
    print_comparison(comparison)
    if paths:
        printing.row("figures", *printing.paths(paths))


def _require_logs(logs: list[str]) -> None:
    for log in logs:
        if Path(log).is_dir() or is_cluster(log):
            what = "a run directory" if Path(log).is_dir() else "a cluster"
            raise InputError(f"{log} is {what}: --compare needs logs")


def _read_to_compare(log: str, reading: ReadingOptions) -> Workload:
    how = USUAL_READING if log == log_argument.DEFAULT else reading  # filters do not apply to generated workloads
    return log_argument.read(log, how)[0]


def _describe_and_compare(workloads: list[Workload], options: CompareOptions) -> Comparison:
    from thinktime.description import Settings, compare_workloads

    with Stage("describing", len(workloads) + options.resamples, "workloads") as stage:

        def report(what: str, done: int) -> None:
            stage.done = done if what == "described" else len(workloads) + done

        base, *others = workloads
        number, shuffles, seed = options.resamples, options.shuffles, options.seed
        return compare_workloads(
            base, others, resamples=number, settings=Settings(shuffles=shuffles, seed=seed), told=report
        )


def _draw_comparison(comparison: Comparison, out: Path | None, formats: tuple[str, ...]) -> list[Path]:
    from thinktime import plots

    folder = out or Path(figure_files.FOLDER) / f"{comparison.base.name}-compared"
    with Stage("drawing"):
        figures = plots.description_figures(comparison)
        return [path for name, figure in figures.items() for path in plots.save(figure, folder / name, formats)]


# --- for people -----------------------------------------------------------------------------------------------


def print_comparison(found: Comparison) -> None:
    printing.heading(_description_line(found.base))
    for each in found.others:
        printing.row("compared", _description_line(each))
    if found.spread:
        printing.row("judged by", f"{len(found.spread)} resamples of {found.base.name} by user")
    for other in dict.fromkeys(row.other for row in found.rows):
        printing.blank()
        _print_measures(found, other)
    printing.blank()
    _print_similarity([found.base, *found.others])
    _print_shuffles([found.base, *found.others])
    for other in dict.fromkeys(row.other for row in found.rows):
        printing.row("verdict", found.verdict(other))
    _print_notes(found)


def _description_line(found: Description) -> str:
    return f"{found.name}: {found.jobs:,} jobs, {found.users:,} users, {found.span_s / 86400:,.1f} days"


def _print_measures(found: Comparison, other: str) -> None:
    """Print one table per other log, because each has its own distances."""
    from thinktime.description import ITSELF

    other_columns = ("resampled", "±") if other == ITSELF else (_shortened(other, 14),)
    table = printing.new_table(
        "measure",
        _shortened(found.base.name, 16 - 4 * len(other_columns)),
        *other_columns,
        "distance",
        "max",
        "p",
        "verdict",
    )
    for column in table.columns:
        column.no_wrap = True
    for row in found.of(other):
        if row.missing:
            continue
        table.add_row(row.measure.words, _value(row, row.base_value), *_other_values(row), *_judged_row_cells(row))
    printing.show(table)
    for sentence in dict.fromkeys(row.missing for row in found.of(other) if row.missing):
        left_out = [row.measure.words for row in found.of(other) if row.missing == sentence]
        printing.row("", f"not measured: {'; '.join(left_out)} ({sentence})")


def _judged_row_cells(row: Row) -> tuple[str, str, str, str]:
    """Return the distance, that of the farthest resample, p and the verdict."""
    farthest = f"{row.spread.max():.3f}" if len(row.spread) else "–"
    p = "–" if math.isnan(row.p) else f"{row.p:.3f}"
    return f"{row.distance:.3f}", farthest, p, row.verdict


def _other_values(row: Row) -> tuple[str, ...]:
    """Return the value of the other log; for resamples, mean and standard deviation."""
    from thinktime.description import ITSELF

    if row.other != ITSELF:
        return (_value(row, row.other_value),)
    spread = float(row.spread_values.std(ddof=1)) if len(row.spread_values) > 1 else float("nan")
    return _value(row, row.other_value), _value(row, spread)


def _value(row: Row, value: float) -> str:
    """Return durations in a convenient unit, other values with three digits, large ones with all."""
    from thinktime.description import MARGINALS

    unit = MARGINALS[row.measure.name][1] if row.measure.name in MARGINALS else ""
    if unit == "s" or math.isnan(value):
        return printing.duration(value)
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _shortened(name: str, letters: int) -> str:
    return name if len(name) <= letters else f"{name[: letters // 2]}…{name[-(letters // 2 - 1) :]}"


def _print_similarity(described: list[Description]) -> None:
    """Tables II to IV."""
    from thinktime.description import ATTRIBUTES

    rows = [(each, name) for name in ATTRIBUTES for each in described if name in each.similarity]
    if not rows:
        return
    table = printing.new_table("similar jobs, users", "users", "0 > 1", "equal", "0 < 1", "1 > 2", "equal", "1 < 2")
    for each, name in rows:
        near, far = each.similarity[name].shares(0, 1), each.similarity[name].shares(1, 2)
        shares = (near.larger, near.equal, near.smaller, far.larger, far.equal, far.smaller)
        table.add_row(
            f"{ATTRIBUTES[name]}, {_shortened(each.name, 30)}", f"{near.users:,}", *(f"{x:.3f}" for x in shares)
        )
    printing.show(table)


def _print_shuffles(described: list[Description]) -> None:
    """Print the test of similarity within sessions (Fig. 2)."""
    from thinktime.description import ATTRIBUTES

    for each in described:
        for name, found in each.permutation.items():
            printing.row(
                "shuffles",
                f"{each.name}: {ATTRIBUTES[name]} within a session have similarity {found.original:.3f};"
                f" shuffled {len(found.shuffled):,} times: mean {found.shuffled.mean():.3f},"
                f" max {found.shuffled.max():.3f} (p {found.p:.3g})",
            )


def _print_notes(found: Comparison) -> None:
    for sentence in found.notes:
        printing.row("note", sentence)
    for each in (found.base, *found.others):
        for sentence in dict.fromkeys((*each.missing.values(), *each.notes)):
            printing.row("note", sentence if each.name in sentence else f"{each.name}: {sentence}")
