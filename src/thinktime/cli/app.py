"""The list of commands. A command's module is imported when it is used, so that `--help` is quick."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from thinktime import __version__, trust
from thinktime.errors import InputError
from thinktime.spec import suggestion

#: command → what it does; its module is thinktime.cli.<command> and has a typer `app`
COMMANDS = {
    "demo": "A first look: generate a workload, schedule it twice, draw it.",
    "run": "Simulate a log and write a run directory.",
    "inspect": "What is in a log, or in a run directory.",
    "trace": "What every core of a run did: OTF2, Perfetto, Paje, a picture.",
    "sessions": "The structure in a log: sessions, batches, think times.",
    "generate": "Jobs of a model, any number of them: default, lublin, accasim.",
    "resample": "A new log from the users of another: longer, or busier.",
    "bootstrap": "How sure a result is: intervals from many resamples of a log.",
    "study": "A grid of runs: init, run, status, resume, compare, export.",
    "report": "The report of a study: one HTML page, the answer first.",
    "reproduce": "A paper's printed values beside ours, with tolerance and verdict.",
    "check": "Check every invariant of saved runs.",
    "logs": "Logs of the Parallel Workloads Archive: list, get, path.",
    "bench": "How fast the engine is here, against its goals.",
}

#: Commands that may import and start what the user names. All others only read; `study run` and `resume` allow it.
SIMULATING = ("demo", "run", "bootstrap", "reproduce", "bench")


class LazyGroup(TyperGroup):
    """Lists commands by the table above, and loads the one that is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A placeholder: enough for the list of commands."""
        return TyperCommand(name=cmd_name, help=COMMANDS[cmd_name]) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command itself."""
        name, *rest = args
        if name not in COMMANDS:
            near = suggestion(name, COMMANDS)
            raise InputError(f"no command is called {name!r}{near}: choose one of {', '.join(COMMANDS)}")
        ctx.with_resource(trust.process(name in SIMULATING))
        return name, load(name), rest


def load(name: str) -> Any:
    """The command behind a name, with all its options."""
    from typer.main import get_command

    command_app = import_module(f"thinktime.cli.commands.{name}").app
    command_app._add_completion = False
    return get_command(command_app)


app = typer.Typer(
    cls=LazyGroup,
    rich_markup_mode="rich",
    add_completion=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(epilog="Begin with: thinktime demo")
def thinktime(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """A laboratory for batch scheduling: replay logs of parallel machines, schedule them, compare."""
    if version:
        typer.echo(f"thinktime {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
