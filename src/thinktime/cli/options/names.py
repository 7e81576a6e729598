"""Names that options take, for the help and shell completion, without importing what they name.

The registry imports a layer, and layers import numpy. Here the same names are read from the source: the `name="…"` of
the registered classes, and the keys of a dictionary. A test compares them with the registry.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from thinktime.spec import LAYERS

REGISTERED = re.compile(r'^class \w+\(.*\bname="([^"]+)"', re.MULTILINE)
PACKAGE = Path(__file__).resolve().parents[2]


@cache
def registered(kind: str) -> tuple[str, ...]:
    """Return the names of the specs of a kind ("scheduler", "users", …)."""
    layer, apart = PACKAGE / LAYERS[kind].replace(".", "/"), PACKAGE / LAYERS["technique"] / "techniques.py"
    files = [apart] if kind == "technique" else [file for file in sorted(layer.glob("*.py")) if file != apart]
    return tuple(name for file in files for name in REGISTERED.findall(file.read_text(encoding="utf-8")))


@cache
def keys_of(module: str, variable: str) -> tuple[str, ...]:
    """Return the keys of a dictionary, the items of a tuple or the values of a Literal that a module defines."""
    found = find_spec(module) if "." not in module else None
    path = Path(str(found.origin)) if found else PACKAGE / (module.replace(".", "/") + ".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    value = _assigned(tree, variable)
    if isinstance(value, ast.Call) and isinstance(value.args[0], ast.Name):  # get_args(Overrun)
        literal = _assigned(tree, value.args[0].id)
        value = literal.slice if isinstance(literal, ast.Subscript) else None
    items = value.keys if isinstance(value, ast.Dict) else value.elts if isinstance(value, ast.Tuple) else []
    return tuple(str(item.value) for item in items if isinstance(item, ast.Constant))


def _assigned(module: ast.Module, variable: str) -> ast.expr | None:
    """Return what a module assigns to a variable."""
    for node in module.body:
        if isinstance(node, ast.AnnAssign | ast.Assign):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Name) and target.id == variable:
                return node.value
    raise LookupError(f"no variable {variable}")


def logs() -> list[str]:
    """Return the names of the logs in the logs folders."""
    from thinktime.traces.find import log_folders, logs_in

    return list(logs_in(*log_folders()))


FIGURE = re.compile(r'^@figure\(\s*"(?:run|runs)".*?^def (\w+)\(', re.MULTILINE | re.DOTALL)


@cache
def figure_kinds() -> tuple[str, ...]:
    """Return the kinds of figures that are drawn from runs."""
    files = sorted((PACKAGE / "plots").rglob("*.py"))
    return tuple(name for file in files for name in FIGURE.findall(file.read_text(encoding="utf-8")))
