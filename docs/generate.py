"""Write the files that are made from the program: reference pages and the names that type checkers see.

`python docs/generate.py` writes them. A test fails when a committed file is out of date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

REFERENCE = Path(__file__).resolve().parent / "reference"
STUB = REFERENCE.parents[1] / "src" / "thinktime" / "__init__.pyi"
NOTICE = "<!-- made by docs/generate.py: change the program, not this page -->\n"


def schedulers_page() -> str:
    from thinktime.spec import REGISTRY

    policies = "".join(_policy(name, spec) for name, spec in sorted(REGISTRY["scheduler"].items()))
    return f"# Schedulers\n\n{NOTICE}\n{ABOUT_SCHEDULERS}\n{policies}{_orders()}\n{_keys()}"


ABOUT_SCHEDULERS = """\
In Python a scheduler is a spec, `tt.Easy(order="sjf")`; on the command line the same is `easy:order=sjf`.
When to use which is in the [guide](../guides/schedulers.md), what each does exactly in
[semantics](../background/semantics.md).
"""


def allocators_page() -> str:
    from thinktime.spec import REGISTRY

    policies = "".join(_policy(name, spec) for name, spec in sorted(REGISTRY["allocator"].items()))
    return f"# Allocators\n\n{NOTICE}\n{ABOUT_ALLOCATORS}\n{policies}".rstrip() + "\n"


ABOUT_ALLOCATORS = """\
An allocator chooses the nodes of a cluster that a job gets, all of them or none. In Python it is a spec,
`tt.BestFit(ranking="normalized")`; on the command line the same is `--allocator best-fit:ranking=normalized`. A counted
machine has no nodes and takes none. Clusters and allocators are in the [guide](../guides/nodes.md).
"""


def plugins_page() -> str:
    from thinktime.own_spec import OwnSpec
    from thinktime.spec import REGISTRY

    ours = {name: spec for name, spec in sorted(REGISTRY["plugin"].items()) if not issubclass(spec, OwnSpec)}
    plugins = "".join(_policy(name, spec) for name, spec in ours.items())
    return f"# Plugins\n\n{NOTICE}\n{ABOUT_PLUGINS}\n{plugins}".rstrip() + "\n"


ABOUT_PLUGINS = """\
A plugin adds data to a simulation on a cluster. In Python plugins are specs, `plugins=[tt.Failures(mtbf_h=1000)]`; on
the command line the same is `--plugin failures:mtbf_h=1000`, in a study a rule, `plugins = ["failures:mtbf_h=1000"]`.
What they are for, and how to write one, is in the [guide](../guides/plugins.md).
"""


def generators_page() -> str:
    from thinktime.spec import REGISTRY

    models = "".join(_policy(name, spec) for name, spec in sorted(REGISTRY["generator"].items()))
    models = models.replace("`tt.Default()`, `default`", "`tt.default_workload()`, `default`")
    return f"# Generators\n\n{NOTICE}\n{ABOUT_GENERATORS}\n{models}".rstrip() + "\n"


ABOUT_GENERATORS = """\
A generator makes jobs: `tt.Lublin(jobs=900).workload(seed=1)` in memory, `.blocks(seed=1, rows=None)` as a stream,
`.write_swf(path, seed=1)` as a log. On the command line and in studies the same is `lublin:jobs=900`. What the models
are is in the [guide](../guides/generating.md).
"""


def techniques_page() -> str:
    from thinktime.spec import REGISTRY

    techniques = "".join(f"## {name}\n\n{_about(spec)}\n" for name, spec in REGISTRY["technique"].items())
    return f"# Techniques\n\n{NOTICE}\n{ABOUT_TECHNIQUES}\n{techniques}".rstrip() + "\n"


ABOUT_TECHNIQUES = """\
A technique cuts the loop of a job into chunks of tasks that idle cores ask for. In Python and on the command line it
is a text, `gss` or `rand:smallest=1,largest=8`. N tasks, P cores, R tasks remain; μ and σ are mean and deviation of a
task. Formulas, sources and choices are in the [background](../background/self_scheduling.md).
"""


def _policy(name: str, spec: Any) -> str:
    return f"## {spec.__name__}\n\n`tt.{spec.__name__}()`, `{name}`\n\n{_about(spec)}\n"


def _about(spec: Any) -> str:
    """What it says of itself, and its options."""
    rows = [f"| `{option}` | `{default!r}` |\n" for option, default in spec._defaults().items()]
    options = "".join(["\n| option | default |\n|---|---|\n", *rows]) if rows else "\nNo options.\n"
    text = "\n".join(line.strip() for line in spec.__doc__.splitlines())
    return f"{text.strip()}\n{options}"


def _orders() -> str:
    from thinktime.schedulers.orders import ALIASES, ORDERS

    rows = []
    for name, (formula, first) in ORDERS.items():
        aliases = ", ".join(f"`{alias}`" for alias, of in ALIASES.items() if of == name)
        rows.append(f"| `{name}` | {aliases} | {formula} | {first} |\n")
    return f"{ABOUT_ORDERS}\n| order | also called | key | first is |\n|---|---|---|---|\n{''.join(rows)}"


ABOUT_ORDERS = """\
## Orders

`order` and `backfill_order` of `Easy` and `key` of `Priority` take these names, or an expression of the keys below.
The smallest key goes first; ties go in the order of joining the queue. n = processors, w = estimate, s = submit time,
wait = now − s, times in seconds. A key that is not a number counts as 0 (F1 to F4 of a job submitted before time 0).
"""


def _keys() -> str:
    from thinktime.schedulers.keys import COLUMNS, FUNCTIONS, KEYS, VALUES

    rows = [f"| `{name}` | {meaning} |\n" for name, meaning in {**KEYS, **COLUMNS, **VALUES}.items()]
    functions = ", ".join(f"`{name}`" for name in FUNCTIONS)
    return f"{ABOUT_KEYS.format(functions=functions)}\n| key | meaning |\n|---|---|\n{''.join(rows)}"


ABOUT_KEYS = """\
## Keys

An expression is made of numbers and these, with `+ - * / **`, comparisons and the functions {functions}; in Python
`tt.key.wait / 60`, as text `wait / 60`. What plugins of your own publish is `tt.key.value("price")`, as text
`value(price)`. The guide on [policies of your own](../guides/own_policies.md) shows how.
"""


def command_line_page() -> str:
    from thinktime.cli.app import COMMANDS, load
    from thinktime.cli.error_messages import EXIT_CODES

    codes = "".join(f"| {code} | {meaning} |\n" for code, meaning in EXIT_CODES.items())
    commands = "".join(part for name in COMMANDS for part in _command(f"thinktime {name}", load(name)))
    return f"# Command line\n\n{NOTICE}\n{ABOUT_COMMANDS}{codes}\n{commands}".rstrip() + "\n"


ABOUT_COMMANDS = """\
Every command has `--help` with an example and `--json` for machines. Progress goes to stderr. Control characters in
names, headers and labels are printed as visible text such as `\\x1b`.

## Exit codes

| code | meaning |
|---|---|
"""


def _command(name: str, command: Any) -> Iterator[str]:
    yield f"## `{name}`\n\n{_help(command)}\n\n"
    if hasattr(command, "commands"):
        for sub, inner in command.commands.items():
            yield from _command(f"{name} {sub}", inner)
        return
    rows = [_row(parameter) for parameter in command.params if "--help" not in parameter.opts]
    yield "".join(["| argument or option | default | meaning |\n|---|---|---|\n", *rows, "\n"])


def _help(command: Any) -> str:
    paragraphs = (command.help or "").replace("\n\n", "\0").replace("\n", " ").split("\0")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _row(parameter: Any) -> str:
    names = [*parameter.opts, *parameter.secondary_opts]
    if parameter.param_type_name == "argument":
        names = [parameter.metavar or parameter.name]
    value = parameter.default
    default = "" if value in (None, False) or callable(value) else f"`{value}`"
    meaning = (parameter.help or "").replace("|", "\\|")
    return f"| {', '.join(f'`{name}`' for name in names)} | {default} | {meaning} |\n"


def stub() -> str:
    """Return `__init__.pyi`: every public name, imported from its layer or its policy file."""
    import thinktime as tt

    lines = [f"from {_module(name)} import {name} as {name}" for name in tt.__all__ if name != "__version__"]
    layers = [f"from thinktime import {name} as {name}" for name in tt._LAYERS]
    head = "# Made by docs/generate.py: change the program, not this file.\n\n"
    return head + "\n".join(sorted([*lines, *layers])) + "\n\n__version__: str\n"


def _module(name: str) -> str:
    import thinktime as tt

    return f"thinktime.{tt._LAYER_OF[name]}" if name in tt._LAYER_OF else getattr(tt, name).__module__


#: page → what makes it
PAGES: dict[str, Callable[[], str]] = {
    "schedulers.md": schedulers_page,
    "allocators.md": allocators_page,
    "plugins.md": plugins_page,
    "generators.md": generators_page,
    "techniques.md": techniques_page,
    "command_line.md": command_line_page,
}


if __name__ == "__main__":
    for name, make in PAGES.items():
        (REFERENCE / name).write_text(make(), encoding="utf-8")
    STUB.write_text(stub(), encoding="utf-8")
