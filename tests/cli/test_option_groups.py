"""Options are declared once: a group's fields become options, and a command receives one parsed object."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from thinktime.cli import parsing
from thinktime.cli.options import (
    file_path,
    flag,
    option,
    option_group,
    repeated_option,
    required_option,
    text,
    with_options,
)
from thinktime.errors import InputError


@option_group("Soup")
class SoupOptions:
    heat_s: float = option("--heat", parsing.seconds, default="5m", help="How long.")
    salt: float | None = option("--salt", parsing.decimal, help="How much.")
    herb: tuple[str, ...] = repeated_option("--herb", text, names=lambda: ["basil", "mint"], help="One of {names}.")
    pot: Path = required_option("--pot", file_path, help="Where.")
    lid: bool = flag("--lid/--no-lid", default=True, help="Cover it.")

    @property
    def minutes(self) -> float:
        return self.heat_s / 60


def cooked(*arguments: str) -> SoupOptions:
    """Run a command that takes the group, and return what it received."""
    app, received = typer.Typer(), []

    @app.command()
    @with_options
    def cook(dish: str, soup: SoupOptions, twice: bool = False) -> None:
        received.append((dish, soup, twice))

    done = CliRunner().invoke(app, ["dinner", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    dish, soup, twice = received[0]
    assert (dish, twice) == ("dinner", False)
    assert isinstance(soup, SoupOptions)
    return soup


def test_defaults_are_what_one_would_type() -> None:
    soup = cooked("--pot", "big")
    assert (soup.heat_s, soup.minutes, soup.salt, soup.herb, soup.lid) == (300.0, 5.0, None, (), True)
    assert soup.pot == Path("big")


def test_values_are_parsed() -> None:
    soup = cooked("--pot", "big", "--heat", "1h", "--salt", "2.5", "--herb", "mint", "--herb", "basil", "--no-lid")
    assert (soup.heat_s, soup.salt, soup.herb, soup.lid) == (3600.0, 2.5, ("mint", "basil"), False)


def test_a_wrong_value_names_its_option() -> None:
    with pytest.raises(InputError, match=r"--heat must be a duration such as .* \(got 'long'\)"):
        cooked("--pot", "big", "--heat", "long")


def test_the_help_has_panel_default_and_names() -> None:
    app = typer.Typer()

    @app.command()
    @with_options
    def cook(soup: SoupOptions) -> None:
        """Cook."""

    words = " ".join(CliRunner().invoke(app, ["--help"]).output.replace("│", " ").split())
    assert "─ Soup ─" in words
    assert "default: 5m" in words
    assert "One of basil, mint." in words
