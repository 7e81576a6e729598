"""Options are declared once: a field of an option group is an option of the command line.

    @option_group("Metrics")
    class MetricOptions:
        tau_s: float = option("--tau", seconds, default="10", help="Bound of the bounded slowdown.")

A command decorated with `with_options` that has a parameter of type `MetricOptions` takes `--tau` and receives one
object with parsed values. The help, shell completion and the reference page read the same declaration.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, cast, dataclass_transform

import typer

Parse = Callable[[str, str], Any]
Names = Callable[[], Iterable[str]]
Group = TypeVar("Group")
KEY, PANEL = "option", "_panel"


@dataclass(frozen=True)
class Declared:
    """One option: how it is typed, explained, completed, and turned into a value."""

    name: str
    help: str
    parse: Parse | None  # from the option's name and its text; None: a flag
    default: str | bool | None = None
    several: bool = False
    metavar: str | None = None
    panel: str | None = None
    names: Names | None = None  # what may be typed: replaces {names} in the help, and is completed
    show_default: bool = True
    required: bool = False

    def typer_option(self, panel: str | None) -> Any:
        """Return the option as typer takes it."""
        known = {} if self.names is None else {"autocompletion": completion_of(self.names)}
        return typer.Option(
            self.name,
            help=filled(self.help, self.names),
            metavar=self.metavar,
            rich_help_panel=self.panel or panel,
            show_default=self.show_default,
            **cast(Any, known),
        )

    @property
    def typer_type(self) -> Any:
        if self.parse is None:
            return bool | None if self.default is None else bool
        if self.required:
            return str
        return list[str] | None if self.several else str | None

    @property
    def typer_default(self) -> Any:
        if self.required:
            return inspect.Parameter.empty
        return None if self.several else self.default

    def value(self, given: Any) -> Any:
        """Return the parsed value of what typer has received."""
        if self.parse is None:
            return given
        name = self.name.partition("/")[0]
        if self.several:
            return tuple(self.parse(name, text) for text in given or filter(None, [self.default]))
        return None if given is None else self.parse(name, given)


def option(
    name: str,
    parse: Parse,
    *,
    help: str,
    default: str | None = None,
    metavar: str | None = None,
    panel: str | None = None,
    names: Names | None = None,
    show_default: bool = True,
) -> Any:
    """Declare an option with a value. `default` is the text one would type; None: not given."""
    declared = Declared(name, help, parse, default, False, metavar, panel, names, show_default)
    return _field(declared, default, has_default=default is None or parse is text)


def required_option(name: str, parse: Parse, *, help: str, metavar: str | None = None, panel: str | None = None) -> Any:
    """Declare an option that must be given."""
    return _field(Declared(name, help, parse, None, False, metavar, panel, required=True), None, has_default=False)


def repeated_option(
    name: str,
    parse: Parse,
    *,
    help: str,
    default: str | None = None,
    metavar: str | None = None,
    panel: str | None = None,
    names: Names | None = None,
) -> Any:
    """Declare an option that may be given several times; its value is a tuple."""
    declared = Declared(name, help, parse, default, True, metavar, panel, names)
    return _field(declared, (), has_default=default is None)


def flag(name: str, *, help: str, default: bool | None = False, panel: str | None = None) -> Any:
    """Declare an option without a value: `--overwrite`, or `--figures/--no-figures`."""
    return _field(
        Declared(name, help, None, default, panel=panel, show_default=default is not None), default, has_default=True
    )


def _field(declared: Declared, default: object, has_default: bool) -> Any:
    metadata = {KEY: declared}
    return (
        dataclasses.field(default=default, metadata=metadata) if has_default else dataclasses.field(metadata=metadata)
    )


@dataclass_transform(
    kw_only_default=True, frozen_default=True, field_specifiers=(option, required_option, repeated_option, flag)
)
def option_group(panel: str | None = None) -> Callable[[type[Group]], type[Group]]:
    """Make a class a frozen group of options, shown under the heading `panel` in the help."""

    def made(cls: type[Group]) -> type[Group]:
        setattr(cls, PANEL, panel)
        return dataclass(frozen=True, kw_only=True)(cls)

    return made


def text(option: str, given: str) -> str:
    """Return a value that needs no parsing."""
    return given


def filled(help: str, names: Names | None) -> str:
    """Return the help with the known names in place of `{names}`."""
    return help if names is None or "{names}" not in help else help.replace("{names}", ", ".join(names()))


def completion_of(names: Names) -> Callable[[str], list[str]]:
    """Return what typer calls to complete a value."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return complete


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Expand the option groups among a command's parameters into options; pass one object per group."""
    own = inspect.signature(command, eval_str=True)
    groups = {each.name: each.annotation for each in own.parameters.values() if hasattr(each.annotation, PANEL)}

    def called(**given: Any) -> None:
        built = {name: _built(group, given) for name, group in groups.items()}
        command(**{name: built.get(name, given.get(name)) for name in own.parameters})

    parameters = [new for each in own.parameters.values() for new in _expanded(each, groups.get(each.name))]
    called.__doc__, called.__name__ = command.__doc__, command.__name__
    called.__annotations__ = {each.name: each.annotation for each in parameters}
    called.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    return called


def _expanded(parameter: inspect.Parameter, group: Any) -> list[inspect.Parameter]:
    """Return a plain parameter, or one parameter per option of a group."""
    if group is None:
        return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
    panel = getattr(group, PANEL)
    return [
        inspect.Parameter(
            each.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=declared.typer_default,
            annotation=Annotated[declared.typer_type, declared.typer_option(panel)],
        )
        for each in dataclasses.fields(group)
        if (declared := each.metadata.get(KEY))
    ]


def _built(group: Any, given: dict[str, Any]) -> Any:
    declared = {each.name: each.metadata[KEY] for each in dataclasses.fields(group)}
    return group(**{name: option.value(given[name]) for name, option in declared.items()})
