"""Help: quick, with an example under every command, and without the heavy parts of the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import thinktime as package
from tests.cli.commands import COMMANDS, environment, thinktime

HEAVY = ("numpy", "polars", "matplotlib", "scipy")


def test_help_lists_exactly_the_commands_that_exist(tmp_path: Path) -> None:
    outcome = thinktime(tmp_path, "--help")
    assert outcome.code == 0
    listed = [line.split()[1] for line in outcome.out.splitlines() if line.startswith("│ ") and "-" not in line[:4]]
    assert tuple(name for name in listed if name.isalpha()) == COMMANDS


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


def test_the_help_names_every_scheduler_and_filter() -> None:
    """Written by hand there, so that `--help` need not import them."""
    from thinktime.cli import options
    from thinktime.spec import REGISTRY
    from thinktime.workload.reading.filters import FILTERS

    schedulers, filters = (text.__metadata__[0].help for text in (options.Scheduler, options.Filter))
    assert [name for name in REGISTRY["scheduler"] if name not in schedulers] == []
    assert [name for name in FILTERS if name not in filters] == []
