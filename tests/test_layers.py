"""Imports go one way: a layer imports only lower ones, wherever in a file the import stands.

The native engine knows no Python except in binding/, and reads no files except in io/.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared_data import ROOT

PACKAGE, ENGINE = ROOT / "src" / "thinktime", ROOT / "engine"
#: Packages that use the laboratory; its command line alone loads them, inside their commands.
APPLICATIONS = ("thinktime_reproduce", "thinktime_bench")

#: Lowest first; layers of one row do not import each other.
ORDER = [
    {"errors", "_engine"},
    {"trust", "support"},
    {"spec"},
    {"drawing"},
    {"statistics"},
    {"traces"},
    {"workload"},
    {"generate", "resampling"},
    {"description"},
    {"metrics"},
    {"platforms"},
    {"schedulers", "allocators", "users", "applications", "plugins"},
    {"result"},
    {"simulation", "tracing"},
    {"study"},
    {"bootstrapping"},
    {"plots"},
    {"report", "testing"},
    {"cli"},
    {"__main__"},
]
LEVEL = {layer: level for level, row in enumerate(ORDER) for layer in row}
FILES = sorted(PACKAGE.rglob("*.py"))


def layer_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(source: str, folder: Path) -> Iterator[tuple[int, str]]:
    """Line and layer of every import of our own, inside functions and type checks too."""
    package = ["thinktime", *folder.relative_to(PACKAGE).parts]
    for node in ast.walk(ast.parse(source)):
        for name in imported(node, package):
            if name.partition(".")[0] == "thinktime":
                yield node.lineno, [*name.split("."), "thinktime"][1]  # type: ignore[attr-defined]


def imported(node: ast.AST, package: list[str]) -> list[str]:
    """The full names of the modules that an import statement loads."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    base = package[: len(package) - node.level + 1] if node.level else []
    module = ".".join([*base, *filter(None, [node.module])])
    return [module] if "." in module else [f"{module}.{alias.name}" for alias in node.names]


def test_every_folder_is_a_layer() -> None:
    layers = {layer_of(path) for path in FILES} - {"__init__"}
    assert layers == set(LEVEL) - {"_engine"}, "a new layer needs its place in the order"


def test_the_page_lists_every_layer() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    layers = [f"`{layer}`" for layer in LEVEL if not layer.startswith("_")]
    assert [name for name in [*layers, *(f"`{folder}/`" for folder in ENGINE_LEVEL)] if name not in page] == []


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(PACKAGE)) for path in FILES])
def test_a_layer_imports_only_lower_ones(path: Path) -> None:
    """`thinktime` itself has the version and loads the layers on demand: it is below and above them."""
    own = layer_of(path)
    if own == "__init__":
        return
    for line, other in imports(path.read_text(encoding="utf-8"), path.parent):
        if other in (own, "__version__", "thinktime"):
            continue
        assert LEVEL[other] < LEVEL[own], f"{path.relative_to(ROOT)}:{line} imports {other}"


def applications_of(source: str, *, everywhere: bool) -> set[str]:
    """The applications that a source imports: everywhere, or where the module itself is loaded."""
    module = ast.parse(source)
    nodes = ast.walk(module) if everywhere else iter(module.body)
    names = {name.partition(".")[0] for node in nodes for name in imported(node, ["thinktime"])}
    return names & set(APPLICATIONS)


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(PACKAGE)) for path in FILES])
def test_only_commands_load_reproductions_and_benchmarks(path: Path) -> None:
    """They use the laboratory; the laboratory works without them."""
    in_a_command = layer_of(path) == "cli"
    assert not applications_of(path.read_text(encoding="utf-8"), everywhere=not in_a_command)


def test_the_lint_sees_imports_in_functions_and_relative_ones() -> None:
    source = """
from thinktime import spec, streams
import thinktime.result.checks.invariants
from ..simulation import simulate
def f():
    from thinktime.cli import main
    from . import orders
    import numpy
"""
    found = [layer for _, layer in sorted(imports(source, PACKAGE / "schedulers"))]
    assert found == ["spec", "streams", "result", "simulation", "cli", "schedulers"]


def test_the_lint_sees_applications_in_functions() -> None:
    source = "import thinktime_bench.engine\ndef f():\n    from thinktime_reproduce import judge\n"
    assert applications_of(source, everywhere=False) == {"thinktime_bench"}
    assert applications_of(source, everywhere=True) == set(APPLICATIONS)


# --- the engine ---------------------------------------------------------------------------------------------

SOURCES = sorted([*ENGINE.rglob("*.h"), *ENGINE.rglob("*.cc")])
#: Lowest first; folders of one row do not include each other. Policies and the loop meet only in `system`.
ENGINE_ORDER = [
    {"core", "io"},
    {"description", "platform"},
    {"checks", "system"},
    {"allocators", "applications", "plugins", "schedulers", "simulation", "users"},
    {"binding"},
]
ENGINE_LEVEL = {folder: level for level, row in enumerate(ENGINE_ORDER) for folder in row}
FILE_HEADERS = {
    "fstream",
    "cstdio",
    "stdio.h",
    "filesystem",
    "fcntl.h",
    "unistd.h",
    "sys/mman.h",
    "sys/stat.h",
}


def included(source: str) -> list[str]:
    return re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', source, re.MULTILINE)


def engine_folder(path: Path) -> str:
    return path.relative_to(ENGINE).parts[0]


def wrong_includes(folder: str, headers: list[str]) -> list[str]:
    """Headers of engine folders that are not below `folder`."""
    others = [(name, name.split("/")[0]) for name in headers if (ENGINE / name).exists()]
    return [name for name, other in others if other != folder and ENGINE_LEVEL[other] >= ENGINE_LEVEL[folder]]


def test_every_engine_folder_has_its_place() -> None:
    assert {engine_folder(path) for path in SOURCES} == set(ENGINE_LEVEL)


@pytest.mark.parametrize("path", SOURCES, ids=[str(path.relative_to(ENGINE)) for path in SOURCES])
def test_an_engine_folder_includes_only_lower_ones(path: Path) -> None:
    """A native test of a policy may also include the loop's state, to have a system to work on."""
    allowed = {"simulation/system_state.h"} if path.name.endswith("_test.cc") else set()
    assert set(wrong_includes(engine_folder(path), included(path.read_text(encoding="utf-8")))) <= allowed


@pytest.mark.parametrize("path", SOURCES, ids=[str(path.relative_to(ENGINE)) for path in SOURCES])
def test_the_engine_knows_no_python_and_no_files(path: Path) -> None:
    """Only binding/ includes nanobind; only io/ (and binding/) may read files."""
    headers = included(path.read_text(encoding="utf-8"))
    if engine_folder(path) != "binding":
        assert not [name for name in headers if name.startswith("nanobind") or name == "Python.h"]
    if engine_folder(path) not in ("binding", "io"):
        assert not FILE_HEADERS & set(headers)


def test_no_engine_class_opens_itself_to_another() -> None:
    """The loop changes the system through SystemState; no class needs a friend."""
    assert not [path for path in SOURCES if re.search(r"^\s*friend\b", path.read_text(encoding="utf-8"), re.MULTILINE)]


def test_the_lint_sees_an_upward_and_a_sideways_include() -> None:
    assert wrong_includes("core", ["platform/nodes.h", "core/types.h", "vector"]) == ["platform/nodes.h"]
    assert wrong_includes("schedulers", ["simulation/simulation.h", "system/system.h"]) == ["simulation/simulation.h"]
    assert wrong_includes("plugins", ["schedulers/order.h"]) == ["schedulers/order.h"]


def test_only_the_binding_touches_python() -> None:
    touching = {engine_folder(path) for path in SOURCES if "nanobind" in path.read_text()}
    assert touching == {"binding"}
