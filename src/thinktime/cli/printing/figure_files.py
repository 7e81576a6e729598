"""Which figures commands draw, and where they are written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from thinktime.support.json_types import JsonTable

if TYPE_CHECKING:
    from thinktime.result import Result
    from thinktime.workload import Workload

FOLDER = "figures"


def of_run(result: Result, folder: Path, formats: Sequence[str], all_panels: bool) -> list[Path]:
    """Write the overview of a run, or with `all_panels` each panel as a separate file."""
    from thinktime.plots.runs.overview import run_figures, run_overview

    return _save(run_figures(result) if all_panels else {"run_overview": run_overview(result)}, folder, formats)


def of_workload(workload: Workload, folder: Path, formats: Sequence[str], all_panels: bool) -> list[Path]:
    """Write the overview of a workload, or with `all_panels` each panel as a separate file."""
    from thinktime.plots.logs.overview import workload_figures, workload_overview

    figures = workload_figures(workload) if all_panels else {"workload_overview": workload_overview(workload)}
    return _save(figures, folder, formats)


def _save(figures: JsonTable, folder: Path, formats: Sequence[str]) -> list[Path]:
    from thinktime.plots.kit.style import save

    return [path for name, figure in figures.items() for path in save(figure, folder / name, formats)]
