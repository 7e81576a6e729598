"""`thinktime reproduce`: a paper's printed values beside ours, with tolerance and verdict."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from thinktime.cli import options as o
from thinktime.errors import InputError

if TYPE_CHECKING:
    from thinktime.reproduce import Reproduced

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

Name = Annotated[str, Argument(metavar="NAME", help="A reproduction, such as madon2024; `list` names them all.")]
Logs = Annotated[Path | None, Option("--logs", help="Folder of the logs; by default $THINKTIME_LOGS or the cache.")]
Accasim = Annotated[
    Path | None, Option("--accasim", metavar="PYTHON", help="A Python that has AccaSim: run it beside ours.")
]
Out = Annotated[Path, Option("--out", help="Runs, verdicts and figures go to a folder NAME in this one.")]


@app.command("reproduce")
def reproduce(
    name: Name,
    logs: Logs = None,
    out: Out = Path("reproductions"),
    threads: Annotated[int | None, Option("--threads", help="Runs at once; by default all cores.")] = None,
    formats: o.Formats = "png",
    accasim: Accasim = None,
    as_json: o.Json = False,
) -> None:
    """Carry out the experiments of a paper and compare its printed values with ours.

    Exit code 0 if all that could be compared are met, 1 if one is missed.

    Example: thinktime reproduce madon2024 --logs logs

    Example: thinktime reproduce galleguillos2020 --logs logs --accasim accasim/bin/python
    """
    if name == "list":
        _list(as_json)
        return
    from thinktime.cli import pictures, say
    from thinktime.reproduce import carry_out
    from thinktime.study.executors import Local
    from thinktime.traces.catalogue import logs_folder

    chosen, executor, kinds = _find(name), Local(threads), pictures.parse_formats(formats)
    peers = {"accasim": accasim} if accasim is not None else {}
    with _bars(executor) as hear:
        done = carry_out(chosen, logs or logs_folder(), out, executor, kinds, hear, peers, hear.stage)
    say.as_json(done.to_dict()) if as_json else _print(done)
    if done.count("missed"):
        raise typer.Exit(1)


def _find(name: str) -> Any:
    from thinktime.reproduce import REPRODUCTIONS
    from thinktime.spec import suggestion

    if name not in REPRODUCTIONS:
        near = suggestion(name, REPRODUCTIONS)
        raise InputError(f"no reproduction is called {name!r}{near}: choose one of {', '.join(REPRODUCTIONS)}")
    return REPRODUCTIONS[name]


def _list(as_json: bool) -> None:
    from thinktime.cli import say
    from thinktime.reproduce import REPRODUCTIONS

    if as_json:
        say.as_json({name: each.paper for name, each in REPRODUCTIONS.items()})
        return
    for name, each in REPRODUCTIONS.items():
        say.heading(name)
        say.row("paper", each.paper)
        names = (" or ".join(each.files(label)) for label in each.logs)
        say.row("logs", ", ".join(dict.fromkeys(names)))


@contextmanager
def _bars(executor: Any) -> Iterator[Any]:
    """A progress bar for each study of the reproduction, and each stage, one after the other."""
    bars = _Bars(executor)
    try:
        yield bars
    finally:
        bars.close()


class _Bars:
    """Called with a study that begins; `stage` is for what is no study."""

    def __init__(self, executor: Any) -> None:
        self.executor, self.shown = executor, []  # type: ignore[var-annotated]

    def __call__(self, label: str, study: Any) -> Any:
        from thinktime.study.progress import Progress

        self.close()
        self.shown.append(Progress(len(study.tasks()), self.executor.running))
        return self.shown[-1].__enter__().hear

    def stage(self, words: str, total: float | None = None, unit: str = "") -> Any:
        from thinktime.cli.progress import Stage

        self.close()
        return Stage(words, total, unit)

    def close(self) -> None:
        while self.shown:
            self.shown.pop().__exit__(None, None, None)


def _print(done: Reproduced) -> None:
    from thinktime.cli import say

    say.heading(f"{done.reproduction.name}: {done.reproduction.paper}")
    for note in done.reproduction.notes:
        say.row("note", note)
    for label, log in done.logs.items():
        say.row("log", f"{label}: {log['file']}, SHA-256 {log['sha256'][:12]}…")
    for warning in done.warnings:
        say.row("WARNING", warning)
    for table, source in dict.fromkeys((each.claim.table, each.claim.source) for each in done.verdicts):
        _print_table(
            table, source, [each for each in done.verdicts if (each.claim.table, each.claim.source) == (table, source)]
        )
    say.blank()
    met, missed, needs = (done.count(verdict) for verdict in ("met", "missed", "needs"))
    say.row("verdict", f"{met} met, {missed} missed, {needs} need another log")
    say.row("written", str(done.directory / "verdicts.json"), *map(str, done.figures))


BOUNDS = {"above": "> ", "below": "< "}


def _print_table(title: str, source: str, verdicts: list[Any]) -> None:
    from rich.text import Text

    from thinktime.cli import say

    table = say.new_table(title, "quantity", source, "ours", "tolerance", "verdict")
    for each in verdicts:
        claim, colour = each.claim, {"met": "green", "missed": "bold red"}.get(each.verdict, "dim")
        ours = "–" if each.ours is None else f"{each.ours:,.{claim.digits + 1}f}"
        bound = BOUNDS.get(claim.kind, "")
        paper, tolerance = f"{bound}{claim.paper:,.{claim.digits}f}", "" if bound else f"± {claim.tolerance:,.3g}"
        word = Text(each.verdict.upper() if each.verdict == "missed" else each.verdict, style=colour)
        table.add_row(claim.row, claim.quantity, paper, ours, tolerance, word)
    say.blank()
    say.show(table)
    for why in dict.fromkeys(each.why for each in verdicts if each.why):
        say.row("", why)
