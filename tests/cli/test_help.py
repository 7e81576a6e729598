"""Help: quick, with an example under every command, and without the heavy parts of the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import thinktime as package
from tests.cli.commands import COMMANDS, environment, thinktime
from thinktime.cli.options import names
from thinktime.spec import REGISTRY

HEAVY = ("numpy", "polars", "matplotlib", "scipy")


def test_help_lists_exactly_the_commands_that_exist(tmp_path: Path) -> None:
    outcome = thinktime(tmp_path, "--help")
    assert outcome.code == 0
    commands = outcome.out.partition("Commands ")[2].splitlines()
    listed = [line.split()[1] for line in commands if line.startswith("│ ") and line[2] != " "]
    assert tuple(listed) == COMMANDS


def test_no_arguments_show_the_help(tmp_path: Path) -> None:
    outcome = thinktime(tmp_path)
    assert (outcome.code, outcome.out) == (0, thinktime(tmp_path, "--help").out)


@pytest.mark.parametrize("name", [*((name,) for name in COMMANDS if name != "logs"), ("logs", "get")])
def test_every_command_has_an_example(tmp_path: Path, name: tuple[str, ...]) -> None:
    outcome = thinktime(tmp_path, *name, "--help")
    assert outcome.code == 0
    assert f"Example: thinktime {name[0]} " in " ".join(outcome.out.split())


def test_version(tmp_path: Path) -> None:
    assert thinktime(tmp_path, "--version").out == f"thinktime {package.__version__}\n"


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["inspect", "--help"], ["--version"]])
def test_help_needs_no_heavy_module(tmp_path: Path, arguments: list[str]) -> None:
    probe = (
        "import sys\n"
        "from thinktime.cli import main\n"
        "try:\n"
        f"    main({arguments!r})\n"
        "except SystemExit as done:\n"
        "    assert not done.code\n"
        f"print('loaded:', [name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.stderr == "loaded: []\n"


@pytest.mark.parametrize(
    ("kind", "option"),
    [("scheduler", "--scheduler"), ("allocator", "--allocator"), ("users", "--users"), ("plugin", "--plugin")],
)
def test_the_help_lists_the_names_of_the_registry(tmp_path: Path, kind: str, option: str) -> None:
    """Policies that a test registers are of another module."""
    ours = [name for name, spec in REGISTRY[kind].items() if spec.__module__.startswith("thinktime.")]
    assert sorted(names.registered(kind)) == sorted(ours)
    words = thinktime(tmp_path, "run", "--help").out.replace("│", " ").split()
    assert option in words
    assert {name for name in ours if name not in [word.strip(".,;") for word in words]} == set()


@pytest.mark.parametrize("kind", ["application", "technique", "generator"])
def test_names_in_the_source_are_those_of_the_registry(kind: str) -> None:
    ours = [name for name, spec in REGISTRY[kind].items() if spec.__module__.startswith("thinktime.")]
    assert sorted(names.registered(kind)) == sorted(ours)


def test_lists_in_the_source_are_those_of_the_program() -> None:
    from thinktime.plots.kit.style import FORMATS
    from thinktime.simulation.settings import ADMISSION, OVERRUN, OVERSIZED, SAME_INSTANT
    from thinktime.tracing.write import FORMATS as TRACES
    from thinktime.workload import DELIMITERS, FILTERS, PROCESSORS
    from thinktime.workload.peak_window import BY
    from thinktime_bench import PARTS

    lists: dict[tuple[str, str], Any] = {
        ("workload.reading.filters", "FILTERS"): FILTERS,
        ("workload.reading.job_columns", "PROCESSORS"): PROCESSORS,
        ("workload.user_sessions.sessions", "DELIMITERS"): DELIMITERS,
        ("workload.peak_window", "BY"): BY,
        ("simulation.settings", "ADMISSION"): ADMISSION,
        ("simulation.settings", "OVERRUN"): OVERRUN,
        ("simulation.settings", "OVERSIZED"): OVERSIZED,
        ("simulation.settings", "SAME_INSTANT"): SAME_INSTANT,
        ("tracing.write", "FORMATS"): TRACES,
        ("plots.kit.style", "FORMATS"): FORMATS,
        ("thinktime_bench", "PARTS"): PARTS,
    }
    for (module, variable), expected in lists.items():
        assert names.keys_of(module, variable) == tuple(expected), (module, variable)
