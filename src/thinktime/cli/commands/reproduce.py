"""`thinktime reproduce`: the printed values of a paper and ours, with tolerance and verdict."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument

from thinktime.cli import parsing, printing
from thinktime.cli.error_messages import INCOMPLETE
from thinktime.cli.options import (
    Json,
    file_path,
    flag,
    formats_option,
    option,
    option_group,
    with_options,
)
from thinktime.errors import InputError

if TYPE_CHECKING:
    from thinktime_reproduce import Reproduced

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

Name = Annotated[
    str, Argument(metavar="NAME", help="Name of a reproduction, for example madon2024; `list` prints all names.")
]


@option_group()
class ReproduceOptions:
    """How a paper is reproduced."""

    logs: Path | None = option(
        "--logs", file_path, metavar="DIR", help="Folder of the logs (default: $THINKTIME_LOGS or the cache)."
    )
    out: Path = option(
        "--out",
        file_path,
        default="reproductions",
        metavar="DIR",
        help="Write runs, verdicts and figures into DIR/NAME.",
    )
    threads: int | None = option(
        "--threads", parsing.whole, metavar="N", help="Number of simultaneous simulations (default: all cores)."
    )
    formats: tuple[str, ...] = formats_option(panel=None)
    accasim: Path | None = option(
        "--accasim", file_path, metavar="PYTHON", help="Also run AccaSim with this Python and compare."
    )
    readings: bool = flag(
        "--readings",
        help="Simulate each alternative reading of the paper and print its distance to the printed values.",
    )


@app.command("reproduce")
@with_options
def reproduce(name: Name, given: ReproduceOptions, as_json: Json = False) -> None:
    """Repeat the experiments of a paper and compare the printed values with ours.

    Exit code 0 if all comparable values are met, 3 if one is missed.

    Example: thinktime reproduce madon2024 --logs logs

    Example: thinktime reproduce galleguillos2020 --logs logs --accasim accasim/bin/python

    Example: thinktime reproduce zakay2014 --logs logs --readings
    """
    if name == "list":
        _list_reproductions(as_json)
        return
    from thinktime.study.executors import Local
    from thinktime.traces.find import logs_folder
    from thinktime_reproduce import run_reproduction

    chosen, executor = _reproduction(name), Local(given.threads)
    peers = {"accasim": given.accasim} if given.accasim is not None else {}
    logs, out = given.logs or logs_folder(), given.out
    if given.readings:
        _print_readings(chosen, logs, out, as_json)
        return
    with _reproduction_bars(executor) as hear:
        done = run_reproduction(chosen, logs, out, executor, given.formats, hear, peers, hear.stage)
    printing.as_json(done.to_dict()) if as_json else _print_reproduction(done)
    if done.missed:
        raise typer.Exit(INCOMPLETE)


def _print_readings(chosen: Any, logs: Path, out: Path, as_json: bool) -> None:
    """Print the results of each alternative reading of the paper."""
    from thinktime.cli.printing.progress import Stage
    from thinktime_reproduce import try_readings

    (head, rows), written = try_readings(chosen, logs, out, Stage)
    if as_json:
        printing.as_json([dict(zip(head, row, strict=True)) for row in rows])
        return
    printing.heading(f"{chosen.name}: alternative readings, all simulated")
    for model in dict.fromkeys(row[0] for row in rows):
        table = printing.new_table(model, *head[2:])
        for row in rows:
            if row[0] == model:
                table.add_row(*row[1:])
        printing.blank()
        printing.show(table)
    if any(name.endswith("*") for name in head):
        printing.row("*", "the reading was chosen on these logs; the others test it")
    printing.row("written", str(written))


def _reproduction(name: str) -> Any:
    from thinktime.spec import suggestion
    from thinktime_reproduce import REPRODUCTIONS

    if name not in REPRODUCTIONS:
        near = suggestion(name, REPRODUCTIONS)
        raise InputError(f"no reproduction named {name!r}{near}: choose one of {', '.join(REPRODUCTIONS)}")
    return REPRODUCTIONS[name]


def _list_reproductions(as_json: bool) -> None:
    from thinktime_reproduce import REPRODUCTIONS

    if as_json:
        printing.as_json({name: each.paper for name, each in REPRODUCTIONS.items()})
        return
    for name, each in REPRODUCTIONS.items():
        printing.heading(name)
        printing.row("paper", each.paper)
        names = (" or ".join(each.files(label)) for label in each.logs)
        printing.row("logs", ", ".join(dict.fromkeys(names)))


@contextmanager
def _reproduction_bars(executor: Any) -> Iterator[Any]:
    """A progress bar for each study of the reproduction, and each stage, one after the other."""
    bars = _Bars(executor)
    try:
        yield bars
    finally:
        bars.close()


class _Bars:
    """Called with a study that begins; `stage` is for other steps."""

    def __init__(self, executor: Any) -> None:
        self.executor, self.shown = executor, []  # type: ignore[var-annotated]

    def __call__(self, label: str, study: Any) -> Any:
        from thinktime.study.progress import Progress

        self.close()
        self.shown.append(Progress(len(study.tasks()), self.executor.running))
        return self.shown[-1].__enter__().count

    def stage(self, words: str, total: float | None = None, unit: str = "") -> Any:
        from thinktime.cli.printing.progress import Stage

        self.close()
        return Stage(words, total, unit)

    def close(self) -> None:
        while self.shown:
            self.shown.pop().__exit__(None, None, None)


SHORT = {
    "digits": "to the digit",
    "tolerance": "within tolerance",
    "claim": "claims",
    "cost": "faster or smaller",
    "own": "own aims",
}
OTHER_VERSION = "*"  # marks rows with another version of the log than the paper's


def _print_reproduction(done: Reproduced) -> None:
    printing.heading(f"{done.reproduction.name}: {done.reproduction.paper}")
    for note in done.reproduction.notes:
        printing.row("note", note)
    for label, log in done.logs.items():
        printing.row("log", f"{label}: {log['file']}, SHA-256 {log['sha256'][:12]}…")
    for warning in done.warnings:
        printing.row("WARNING", warning)
    for table, source in dict.fromkeys((each.claim.table, each.claim.source) for each in done.verdicts):
        chosen = [each for each in done.verdicts if (each.claim.table, each.claim.source) == (table, source)]
        _print_claims(table, source, chosen)
    _print_counts(done)
    printing.row(
        "written", *(str(done.directory / f"verdicts.{kind}") for kind in ("json", "csv")), *map(str, done.figures)
    )


def _print_counts(done: Reproduced) -> None:
    """Print one row per class: classes are different kinds of evidence, so no sum is printed."""
    from thinktime_reproduce import CLASSES

    table = printing.new_table(
        "class of claim", "met", "missed", "need another log", "met, held out", "missed, held out"
    )
    for category, found in done.counts.items():
        cells = ("met", "missed", "needs", "met_held_out", "missed_held_out")
        if any(found.values()):
            table.add_row(CLASSES[category], *(f"{found[cell]:,}" for cell in cells))
    printing.blank()
    printing.show(table)


def _print_claims(title: str, source: str, verdicts: list[Any]) -> None:
    """Print the rows on available logs, then remarks; rows that need another log are only counted."""

    judged = [each for each in verdicts if each.verdict != "needs"]
    ruled = any(each.claim.judged for each in judged)
    table = printing.new_table(title, "quantity", source, "ours", "tolerance", *(["rule"] if ruled else []), "verdict")
    for each in judged:
        table.add_row(*_verdict_cells(each), *([each.claim.judged] if ruled else []), _verdict_word(each))
    printing.blank()
    if not judged:
        printing.row(title, *_needs(verdicts))
        return
    printing.show(table)
    for words in (*_remarks(judged), *_needs(verdicts)):
        printing.row("", words)


def _verdict_cells(verdict: Any) -> tuple[str, ...]:
    from thinktime_reproduce.claim import EQUAL, SIGNS

    claim, mark = verdict.claim, OTHER_VERSION if verdict.version else ""
    ours = "–" if verdict.ours is None else f"{verdict.ours:,.{claim.digits + 1}f}"
    tolerance = f"± {_short_tolerance(claim.allowed)}" if claim.kind == EQUAL else ""
    return f"{claim.row}{mark}", claim.quantity, f"{SIGNS[claim.kind]}{claim.paper}", ours, tolerance


def _short_tolerance(value: float) -> str:
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 0.001 else f"{value:.6f}".rstrip("0")


def _verdict_word(verdict: Any) -> Any:
    """Return the verdict; for a printed value that is met, how closely."""
    from rich.text import Text

    if verdict.verdict == "missed":
        return Text("MISSED", style="bold red")
    words = {"digits": "same digits", "tolerance": "within tolerance"}
    return Text(words.get(verdict.category, "met"), style="green")


def _remarks(verdicts: list[Any]) -> Iterator[str]:
    """Yield remarks: missed rows, versions of logs, reasons of tolerances, rules and the logs they were chosen on."""
    claims = [each.claim for each in verdicts]
    missed = [each for each in verdicts if each.verdict == "missed"]
    for why in dict.fromkeys(each.why for each in missed):
        yield f"missed ({', '.join(dict.fromkeys(each.claim.log for each in missed if each.why == why))}): {why}"
    if others := dict.fromkeys((each.claim.log, each.version) for each in verdicts if each.version):
        yield f"{OTHER_VERSION} another version than the paper's: " + "; ".join(
            f"{log} {_versions(of)}" for log, of in others
        )
    yield from dict.fromkeys(f"tolerance: {each.tolerance.reason}" for each in claims if each.tolerance)
    for rule in dict.fromkeys(rule for claim in claims for rule in claim.rules):
        found = rule.held_out(verdicts).items()
        elsewhere = ", ".join(f"{met} of {judged} {SHORT[category]}" for category, (met, judged) in found)
        met = f"; met on other logs: {elsewhere}" if elsewhere else ""
        yield f"rule: {rule.words}; chosen on {', '.join(rule.chosen_on)}{met}"


def _versions(both: str) -> str:
    from thinktime_reproduce.logs import version

    read, _, own = both.partition(", paper ")
    return f"{version(read)} (paper {version(own)})"


def _needs(verdicts: list[Any]) -> Iterator[str]:
    from collections import Counter

    counted = Counter(each.why for each in verdicts if each.verdict == "needs")
    for why, rows in counted.items():
        yield f"{rows} {'rows' if rows > 1 else 'row'}: {why}"
