"""The result of one simulation: jobs, timeline, metrics, files and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from thinktime.drawing import draw
from thinktime.metrics.jobs import TAU_S
from thinktime.metrics.window import Window
from thinktime.result.directory import save_load
from thinktime.result.measures import ResultMeasures
from thinktime.result.summary_options import summary_options

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Result(ResultMeasures):
    """The result of one simulation, one row per job in the workload's order.

    Tables: `jobs`, `timeline`, `placements`, `attempts`, `reports`, `decisions`, `to_pandas()`. Metrics: `summary()`,
    `per_user()`, `fairness()`, `lateness()`, `saturation()`, `cautions`. Figures: `plot()`, `gantt()`. Files: `save()`,
    `load()`, `write_csv()`, `write_swf()`, `write_batsim()`, `write_accasim()`. Equal runs compare equal: `digest` is
    the hash of what was simulated.

    Examples
    --------
    >>> import thinktime as tt
    >>> run = tt.simulate(tt.default_workload(jobs=200), 128, "fcfs")
    >>> run.jobs.columns[:4]
    ['job', 'user', 'submit_s', 'start_s']
    """

    def __repr__(self) -> str:
        told = f"; {self.cautions.short()}" if self.cautions else ""
        return f"<Result {self.digest[:12]}: {len(self)} jobs on {self.processors} processors{told}>"

    def _repr_html_(self) -> str:
        from thinktime.metrics.summary import result_table

        return result_table(self)

    def plot(self, figure: str = "run_overview") -> Figure:
        """Return a figure of the run, which shows itself in a notebook.

        Parameters
        ----------
        figure : str
            A function of `tt.plots` that takes one run: `run_overview` (default), `wait_distribution`,
            `utilisation_over_time`, `queue_over_time`, `gantt`, …

        Returns
        -------
        matplotlib.figure.Figure
            `tt.plots.save(figure, "x.png")` writes it.
        """
        return draw(figure, self)

    def gantt(
        self,
        *,
        window: tuple[float, float] | None = None,
        colour: Literal["size", "user", "occupancy"] = "size",
        axis: Literal["date", "elapsed"] | None = None,
        title: str = "",
    ) -> Figure:
        """Return a Gantt chart: which processors ran which job when.

        Parameters
        ----------
        window : (float, float), optional
            Begin and end in seconds (default: the whole run).
        colour : {"size", "user", "occupancy"}
            What the colour of a job shows (default: its size).
        axis : {"date", "elapsed"}, optional
            Write dates, or hours since the window begins (default: dates if the log has them).
        title : str
            Title of the figure.
        """
        return draw("gantt", self, window=window, colour=colour, axis=axis, title=title)

    def save(
        self,
        directory: str | PathLike[str],
        overwrite: bool = False,
        *,
        window: Window | None = None,
        warmup_s: float = 0.0,
        cooldown_s: float = 0.0,
        exclude: Sequence[str] = ("rejected",),
        exclude_users: Sequence[float] = (),
        tau_s: float = TAU_S,
        quantiles: bool = True,
    ) -> None:
        """Write a run directory: `jobs.parquet`, `timeline.parquet`, `run.json`; all of it or nothing.

        Parameters
        ----------
        directory : str or path
            Where the run is written.
        overwrite : bool
            Replace a run that is in the directory (default False).
        window, warmup_s, cooldown_s, exclude, exclude_users, tau_s, quantiles
            Options of the summary in run.json, as in `summary`.
        """
        options = summary_options(
            window=window,
            warmup_s=warmup_s,
            cooldown_s=cooldown_s,
            exclude=exclude,
            exclude_users=exclude_users,
            tau_s=tau_s,
            quantiles=quantiles,
        )
        save_load.save(self, Path(directory), overwrite, **options)

    @classmethod
    def load(cls, directory: str | PathLike[str], *, trust: bool = False) -> Result:
        """Return the run that `save` wrote.

        Parameters
        ----------
        directory : str or path
            The run directory.
        trust : bool
            Let `tasks` start the simulator that run.json names (default False).
        """
        return cls(**save_load.load(Path(directory)), trusted=trust)

    def write_csv(self, path: str | PathLike[str]) -> None:
        """Write `jobs` as CSV.

        Parameters
        ----------
        path : str or path
            The file.
        """
        from thinktime.result.exports.swf_csv import write_csv

        write_csv(self, Path(path))

    def write_swf(self, path: str | PathLike[str], header: Mapping[str, str] | None = None) -> None:
        """Write the simulated schedule in the Standard Workload Format.

        Parameters
        ----------
        path : str or path
            The file; packed if it ends in .gz, .xz or .bz2.
        header : mapping, optional
            Further header fields, such as `{"UnixStartTime": "0"}`.
        """
        from thinktime.result.exports.swf_csv import write_swf

        write_swf(self, Path(path), header)

    def write_batsim(self, path: str | PathLike[str]) -> None:
        """Write the schedule as Batsim's `_jobs.csv`, which evalys reads.

        Parameters
        ----------
        path : str or path
            The file.
        """
        from thinktime.result.exports.batsim import write_batsim

        write_batsim(self, Path(path))

    def write_accasim(self, path: str | PathLike[str], benchmark: str | PathLike[str] | None = None) -> None:
        """Write the schedule of a cluster as AccaSim's schedule file.

        Parameters
        ----------
        path : str or path
            The schedule file.
        benchmark : str or path, optional
            Also write AccaSim's file of time points; the run needs `decisions=True`.
        """
        from thinktime.result.exports.accasim import write_accasim

        write_accasim(self, Path(path), None if benchmark is None else Path(benchmark))
