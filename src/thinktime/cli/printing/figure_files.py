"""Pictures for the commands: which ones are drawn, and where they go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError
from thinktime.spec import text_of

if TYPE_CHECKING:
    from thinktime.result import Result
    from thinktime.workload import Workload

FOLDER = "figures"


def parse_formats(text: str) -> tuple[str, ...]:
    """`png,pdf` as the formats that figures are saved in."""
    from thinktime.plots.kit.style import FORMATS

    names = tuple(name.strip().lower().lstrip(".") for name in text.split(",") if name.strip())
    unknown = [name for name in names if name not in FORMATS]
    if unknown or not names:
        raise InputError(f"--formats is {text!r}: choose from {', '.join(FORMATS)}, separated by commas")
    return names


def of_run(result: Result, folder: Path, formats: Sequence[str], all_panels: bool) -> list[Path]:
    """The overview of a run, and with `all_panels` each panel as a file of its own."""
    from thinktime import plots

    titled = replace(result, spec=_title(result.spec))
    overview = {} if all_panels else {"run_overview": plots.run_overview(titled)}
    return _save(overview or plots.run_figures(titled), folder, formats)


def of_workload(workload: Workload, folder: Path, formats: Sequence[str], all_panels: bool) -> list[Path]:
    """The same of a workload."""
    from thinktime import plots

    overview = {} if all_panels else {"workload_overview": plots.workload_overview(workload)}
    return _save(overview or plots.workload_figures(workload), folder, formats)


def _save(figures: Mapping[str, Any], folder: Path, formats: Sequence[str]) -> list[Path]:
    from thinktime import plots

    return [path for name, figure in figures.items() for path in plots.save(figure, folder / name, formats)]


def _title(spec: Mapping[str, Any]) -> dict[str, Any]:
    """What a title says: the log and the scheduler as one types it, not their hashes."""
    return {"workload": spec["workload"]["name"], "scheduler": text_of("scheduler", spec["scheduler"])}
