"""`thinktime bench`: measure the speed of thinktime and compare it with its goals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from thinktime.cli import printing
from thinktime.cli.options import (
    Json,
    file_path,
    flag,
    names,
    option,
    option_group,
    repeated_option,
    text,
    with_options,
)
from thinktime.errors import InputError
from thinktime.spec import one_of

if TYPE_CHECKING:
    from thinktime_bench import Measurement

app = typer.Typer(add_completion=False, rich_markup_mode="rich")


@option_group()
class BenchOptions:
    """What is measured."""

    logs: Path | None = option(
        "--logs", file_path, metavar="DIR", help="Folder of the logs (default: the logs folder, see `thinktime logs`)."
    )
    quick: bool = flag("--quick", help="Measure one small log, with few repetitions: seconds instead of minutes.")
    only: tuple[str, ...] = repeated_option(
        "--only",
        text,
        metavar="PART",
        names=partial(names.keys_of, "thinktime_bench", "PARTS"),
        help="Measure only this part: {names}. Repeatable.",
    )
    save: Path | None = option(
        "--save", file_path, metavar="FILE", help="Also write the measurements to this JSON file."
    )


Compare = Annotated[
    tuple[Path, Path] | None,
    Option(
        "--compare",
        metavar="BEFORE AFTER",
        help="Measure nothing; compare two files of --save, or two folders of them.",
        show_default=False,
    ),
]


@app.command("bench")
@with_options
def bench(given: BenchOptions, compare: Compare = None, as_json: Json = False) -> None:
    """Measure how fast thinktime is on this machine, and compare with its goals.

    Measures the engine on the logs that are present (KTH, CTC, HPC2N, Curie, RICC)
    or on the default workload; long queues; clusters; user models; reading logs; whole
    commands; and the memory of streamed runs of up to 50 million jobs (10 GB of temporary files).

    The numbers of jobs and events and the mean waits show that results have not changed. A
    ratio of at least 1 meets the goal.

    Example: thinktime bench --quick

    Example: thinktime bench --only engine --only queue

    Example: thinktime bench --only engine --save after.json

    Example: thinktime bench --compare before.json after.json
    """
    if compare is not None:
        _compare(*compare, as_json)
        return
    logs, only, save = given.logs, given.only, given.save
    if logs is not None and not logs.is_dir():
        raise InputError(f"--logs must be a folder (got {logs})")
    if save is not None and save.exists():
        raise InputError(f"{save} exists: choose another file for --save")
    from thinktime_bench import PARTS, history

    for name in only:
        one_of("--only", name, tuple(PARTS))
    found = _measure([name for name in PARTS if not only or name in only], logs, given.quick, show=not as_json)
    content = history.content_of(found)
    if save is not None:
        history.save(content, save)
    if as_json:
        printing.as_json(content)


def _compare(before: Path, after: Path, as_json: bool) -> None:
    """Print how each row that both sides have changed."""
    from thinktime_bench import history

    found = history.compare(before, after)
    if as_json:
        printing.as_json({"changes": [one.to_dict() for one in found]})
        return
    table = printing.new_table("", "before", "after", "ratio", "noise", "verdict")
    for one in found:
        verdict = one.verdict if one.same_work else f"{one.verdict}, but of other work"
        values = (f"{value:.3g} {one.unit}" for value in (one.before, one.after))
        table.add_row(f"{one.part}: {one.name}", *values, f"{one.ratio:.2f}", f"{one.noise:.0%}", verdict)
    printing.show(table)


def _measure(parts: list[str], logs: Path | None, quick: bool, show: bool) -> list[Measurement]:
    """All of it; with `show`, a part's table is printed as soon as it is complete."""
    found = []
    for part in parts:
        of_part = list(_measure_part(part, logs, quick))
        if show:
            _print_part(part, of_part)
        found += of_part
    return found


def _measure_part(part: str, logs: Path | None, quick: bool) -> Iterator[Measurement]:
    from thinktime.cli.printing.progress import Stage
    from thinktime_bench import cases

    for case in cases(part, logs, quick=quick):
        with Stage(f"measuring {part}: {case.name}"):
            found = case.run()
        yield from found


def _print_part(part: str, found: list[Measurement]) -> None:
    from thinktime_bench import PARTS

    printing.heading(f"{part}: {PARTS[part]}")
    table = printing.new_table("", "measured", "goal", "ratio", "jobs", "events", "wait, s", "best of")
    for one in found:
        table.add_row(one.name, *_measurement_cells(one))
    printing.show(table)
    for line in _detail_lines(found):
        printing.row("", line)
    printing.blank()


def _measurement_cells(one: Measurement) -> list[str]:
    goal = "" if one.goal is None else f"{one.goal:g}"
    ratio = "" if one.ratio is None else f"{one.ratio:.2f}"
    details = one.details
    wait = f"{details['mean_wait_s']:,.1f}" if "mean_wait_s" in details else ""
    counts = [f"{details[name]:,}" if name in details else "" for name in ("jobs", "events")]
    return [f"{one.value:.3g} {one.unit}", goal, ratio, *counts, wait, str(one.repeats) if one.finished else "given up"]


#: Details that have no column, and how they are said.
NOTES = {
    "queued_time_mean": "mean queue over time {:,.0f} jobs,",
    "queued_event_mean": "over events {:,.0f},",
    "queued_least": "min {:,},",
    "queued_most": "max {:,}",
    "lines": "{:,} lines,",
    "bytes": "{:,} bytes,",
    "mean_lateness_s": "mean lateness of submissions {:,.1f} s",
    "sum_of_run_times_s": "run times sum to {:,.0f} s",
    "read_s": "of the quickest run: read {:.2f} s,",
    "simulate_s": "simulate {:.2f} s,",
    "write_s": "write {:.2f} s,",
    "start_and_imports_and_summary_s": "start, imports and summary {:.2f} s,",
    "same_starts_as_in_memory": "the same starts as in memory: {}",
    "engine_alone_s": "the engine alone {:.3f} s,",
    "simulate_again_s": "tt.simulate {:.3f} s",
    "accasim_cpu_s": "AccaSim 1.1.3 took {:.0f} s of CPU time,",
    "accasim_wall_s": "{:.0f} s by the clock (benchmarks/README.md)",
}


def _detail_lines(found: list[Measurement]) -> list[str]:
    """One line for each set of details that there is."""
    said: dict[str, Any] = {}
    for one in found:
        text = " ".join(words.format(one.details[key]) for key, words in NOTES.items() if key in one.details)
        if text:
            said.setdefault(text.rstrip(","), one.name.rpartition(",")[0] or one.name)
    return [f"{name}: {text}" for text, name in said.items()]
