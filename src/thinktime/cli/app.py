"""The list of commands. The module of a command is imported when the command is used, so that `--help` is quick."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from thinktime import __version__, trust
from thinktime.errors import InputError
from thinktime.spec import suggestion

#: command → what it does; its module thinktime.cli.commands.<command> has a typer `app`
COMMANDS = {
    "demo": "Generate a workload, simulate it under two schedulers and draw the results.",
    "run": "Simulate a log and write a run directory.",
    "compare": "Compare saved runs: paired differences with confidence intervals.",
    "plot": "Draw one figure of saved runs.",
    "inspect": "Describe a log, a run directory or a cluster.",
    "import": "Turn accounting data of Slurm (sacct) into a log.",
    "trace": "Write what each core of a run did: OTF2, Perfetto, Paje, a figure.",
    "sessions": "Find sessions, batches and think times in a log.",
    "generate": "Generate jobs with a workload model.",
    "resample": "Make a new log from the users of a log: longer, busier, or similar.",
    "bootstrap": "Estimate confidence intervals from many resamples of a log.",
    "study": "Run many configurations and compare them.",
    "report": "Write the report of a study as one HTML page.",
    "reproduce": "Compare the printed values of a paper with ours.",
    "check": "Check the invariants of saved runs.",
    "logs": "List and download logs of the Parallel Workloads Archive.",
    "bench": "Measure the speed of thinktime and compare it with its goals.",
}

#: Commands that may import modules and start programs named in their input; `study run` and `resume` may, too.
SIMULATING = ("demo", "run", "bootstrap", "reproduce", "bench")


HELP_NAMES = ["-h", "--help"]


class LazyGroup(TyperGroup):
    """List the commands of the table above, and load the one that is called."""

    def list_commands(self, ctx: object) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: object, cmd_name: str) -> Any:
        """Return a placeholder, which is enough for the list of commands."""
        return TyperCommand(name=cmd_name, help=COMMANDS[cmd_name]) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command with its options. Shell completion asks for unknown commands too."""
        name, *rest = args
        if name not in COMMANDS and ctx.resilient_parsing:
            return name, None, rest
        if name not in COMMANDS:
            raise InputError(
                f"no command named {name!r}{suggestion(name, COMMANDS)}: choose one of {', '.join(COMMANDS)}"
            )
        ctx.with_resource(trust.process(name in SIMULATING))
        return name, load(name), rest


def load(name: str) -> Any:
    """Return the command of this name, with all its options."""
    from typer.main import get_command

    module = {"import": "import_logs"}.get(name, name)  # `import` is a word of Python
    command_app = import_module(f"thinktime.cli.commands.{module}").app
    command_app._add_completion = False
    return with_plain_texts(get_command(command_app))


class AsTyped:
    """Pass values on: flags are bool already, and our own parsers read the texts."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        return () if value is None and (param.multiple or param.nargs == -1) else value


def _shown_type(parameter: Any, ctx: Any) -> str:
    """Return what the help shows next to an option: its metavar, nothing for flags and arguments."""
    return parameter.metavar or "" if parameter.param_type_name == "option" else ""


def with_plain_texts(command: Any) -> Any:
    """Skip typer's coercion of texts and flags, which imports pydantic and takes 40 ms; show no Python types."""
    help_option = command.get_help_option(typer.Context(command, help_option_names=HELP_NAMES))
    for parameter in (*command.params, help_option):
        described = getattr(parameter, "type_descriptor", None)
        if getattr(described, "annotation", None) in (str, bool, list[str]) and hasattr(parameter, "_runtime_param"):
            parameter._runtime_param = AsTyped()
        if hasattr(parameter, "display_type_rich"):
            parameter.display_type_rich = partial(_shown_type, parameter)
    for each in getattr(command, "commands", {}).values():
        with_plain_texts(each)
    return command


app = typer.Typer(
    cls=LazyGroup,
    rich_markup_mode="rich",
    add_completion=True,
    invoke_without_command=True,
    context_settings={"help_option_names": HELP_NAMES},
)


@app.callback(epilog="Start with: thinktime demo")
def thinktime(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """A laboratory for batch scheduling: simulate logs of parallel machines and compare schedulers."""
    if version:
        typer.echo(f"thinktime {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
