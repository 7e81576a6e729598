"""Draws the pictures of the gallery in `docs/guides/figures.md`, one for each kind of figure, and writes the page.

`python docs/make_gallery.py` draws all pictures (about a minute; needs the logs KTH-SP2 and HPC2N), `python
docs/make_gallery.py gantt run_overview` some, `python docs/make_gallery.py --page` only writes the page. The code below
a picture is the `example` of its kind, evaluated with the names of `Subjects`.
"""

from __future__ import annotations

import re
import sys
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

import thinktime as tt
from thinktime import plots
from thinktime.plots.kit import style

DOCS = Path(__file__).resolve().parent
FOLDER, PAGE = DOCS / "images" / "gallery", DOCS / "guides" / "figures.md"
LOG = "KTH-SP2-1996-2.1-cln"
DPI, COLOURS = 100, 128
BEGIN, END = "<!-- gallery: made by docs/make_gallery.py -->", "<!-- end of the gallery -->"
HEADINGS = {
    "run": "One run",
    "runs": "Several runs",
    "workload": "Workloads",
    "sessions": "Sessions",
    "replays": "Users who react",
    "description": "Descriptions of workloads",
    "comparison": "Comparisons of workloads",
    "bootstrap": "Bootstrap",
    "sweep": "Load sweeps",
    "values": "Numbers by name",
}


class Subjects:
    """The names in the examples; each is computed when a picture needs it."""

    tt = tt
    hour, day = 3600.0, 86400.0
    means: ClassVar = {"fcfs": (4100.0, 5000.0, 6100.0), "easy": (410.0, 500.0, 610.0), "sjf": (300.0, 420.0, 500.0)}
    differences_of_means: ClassVar = {
        "sjf": (-410.0, -300.0, -180.0),
        "conservative": (-50.0, 10.0, 60.0),
        "ljf": (30, 400, 900),
    }
    ranks: ClassVar = {"fcfs": 3.6, "sjf": 1.4, "easy": 2.1, "conservative": 2.9}
    sizes: ClassVar = {"jobs": np.array([1e3, 2e4, 5e4, 1e5]), "tasks": np.array([1e5, 2e6, 5e6, 1e7])}
    seconds = np.array([0.1, 1.9, 4.4, 9.0])

    @cached_property
    def log(self) -> tt.Workload:
        return tt.read_swf(LOG)

    @cached_property
    def runs(self) -> dict[str, tt.Result]:
        return {name: tt.simulate(self.log, 100, name, decisions=True) for name in ("fcfs", "easy", "conservative")}

    @cached_property
    def run(self) -> tt.Result:
        return self.runs["easy"]

    @cached_property
    def cluster_run(self) -> tt.Result:
        power = tt.Power(idle_w=90, processor_w=35, off_after_s=3600, boot_s=60)
        thermal = tt.Thermal(resistance=0.12, tau_s=900, coupling=0.2, row=12, sample_s=900)
        jobs = tt.default_workload(weeks=2, load=0.4)
        return tt.simulate(jobs, tt.Cluster.named("seth"), "easy", plugins=[power, thermal])

    @cached_property
    def seth_runs(self) -> dict[str, tt.Result]:
        log, seth = tt.read_swf("HPC2N-2002-2.2-cln"), tt.Cluster.named("seth")
        return {name: tt.simulate(log, seth, "easy", allocator=name) for name in ("first-fit", "worst-fit")}

    @cached_property
    def seth_run(self) -> tt.Result:
        return self.seth_runs["first-fit"]

    @cached_property
    def sampled_runs(self) -> dict[str, tt.Result]:
        return {name: tt.simulate(self.log, 100, name) for name in ("fcfs", "easy", "conservative")}

    @cached_property
    def loop_run(self) -> tt.Result:
        loop = tt.Loop(technique="gss", variation=0.5, tasks_per_core=6)
        return tt.simulate(tt.default_workload(weeks=1), 64, "easy", applications=loop)

    @cached_property
    def begin(self) -> float:
        return float(np.nanmedian(self.loop_run.columns["start_s"]))

    @cached_property
    def graphs(self) -> dict[str, Any]:
        from thinktime.workload import session_graph, sessions

        cuts = {"a0": 0.0, "a60": 3600.0}
        return {name: session_graph(sessions(self.log, threshold_s=cut)) for name, cut in cuts.items()}

    @cached_property
    def replays(self) -> dict[str, tuple[tt.Result, tt.Result]]:
        users = tt.SessionReplay(threshold_min=60)
        return {
            name: (tt.simulate(self.log, 100, name), tt.simulate(self.log, 100, name, users=users))
            for name in ("easy", "fcfs")
        }

    @cached_property
    def submit_times(self) -> dict[str, tuple[np.ndarray, ...]]:
        return {name: tuple(run.columns["submit_s"] for run in pair) for name, pair in self.replays.items()}

    @cached_property
    def lateness(self) -> dict[str, Any]:
        return {name: reacting.lateness(by="user") for name, (_, reacting) in self.replays.items()}

    @cached_property
    def differences(self) -> dict[str, np.ndarray]:
        return {name: reacting - rigid for name, (rigid, reacting) in self.submit_times.items()}

    @cached_property
    def week_times(self) -> dict[str, np.ndarray]:
        from thinktime.metrics import week_s

        reacting = {name: week_s(self.log, times[1]) for name, times in self.submit_times.items()}
        return {"recorded": week_s(self.log), **reacting}

    @cached_property
    def windows(self) -> dict[str, dict[str, Any]]:
        names = ("rigid", "a60")
        return {
            name: {label: run.long_windows() for label, run in zip(names, pair, strict=True)}
            for name, pair in self.replays.items()
        }

    @cached_property
    def prefixes(self) -> dict[str, tuple[list[int], list[float]]]:
        sizes = [1000, 5000, 10000, 20000]
        users = tt.SessionReplay(threshold_min=60)
        parts = [self.log.select(np.arange(len(self.log)) < size) for size in sizes]
        late = [tt.simulate(part, 100, "easy", users=users).lateness(by="user") for part in parts]
        return {"easy": (sizes, [float(np.nanmean(each.additional_s)) for each in late])}

    @cached_property
    def activity(self) -> dict[str, np.ndarray]:
        return {name: reacting.activity()["activity_s"].to_numpy() for name, (_, reacting) in self.replays.items()}

    @cached_property
    def description(self) -> Any:
        return tt.describe(self.log, shuffles=100)

    @cached_property
    def others(self) -> list[Any]:
        return [tt.describe(tt.default_workload(weeks=40))]

    @cached_property
    def comparison(self) -> Any:
        spread = [tt.describe(tt.resample(self.log, seed=seed), medians=False) for seed in range(20)]
        return self.description.compare(self.others, spread=spread)

    @cached_property
    def bootstrap(self) -> tt.Bootstrap:
        return tt.bootstrap(self.log, tt.Machine(processors=100), [tt.Easy(), tt.FCFS()], resamples=200, seed=1)

    @cached_property
    def sweep(self) -> tt.LoadSweep:
        loads = [0.8, 0.9, 1.0, 1.1, 1.2]
        schedulers = [tt.Easy(), tt.FCFS()]
        return tt.load_sweep(self.log, tt.Machine(processors=100), schedulers, loads=loads, resamples=20, seed=1)

    @cached_property
    def loads(self) -> dict[str, dict[float, Any]]:
        factors = (0.8, 0.9, 1.0, 1.1, 1.2, 1.3)
        ways = {"arrivals": "arrivals × F", "run_times": "run times × F", "sizes": "sizes × F"}
        crude = {
            name: {factor: tt.simulate(tt.scale_load(self.log, factor, by=by), 100) for factor in factors}
            for by, name in ways.items()
        }
        resamplers = {factor: tt.Resampler(self.log, load=factor) for factor in factors}
        drawn = {
            factor: [tt.simulate(each.workload(seed), 100) for seed in range(30)] for factor, each in resamplers.items()
        }
        return {**crude, "resampled users × F": drawn}

    @cached_property
    def doses(self) -> dict[str, tt.Bootstrap]:
        machine = tt.Machine(processors=100)
        loads = {"load × 1": 1.0, "load × 1.1": 1.1}
        return {
            name: tt.bootstrap(self.log, machine, [tt.Easy()], resamples=100, seed=1, load=load)
            for name, load in loads.items()
        }

    @cached_property
    def logs(self) -> dict[str, tt.Workload]:
        return {"KTH-SP2": self.log, "a resample": tt.resample(self.log, seed=1)}

    @cached_property
    def work(self) -> dict[str, np.ndarray]:
        return {name: (log["processors"] * log["run_s"]) for name, log in self.logs.items()}

    @cached_property
    def _techniques(self) -> dict[str, dict[str, list[tt.Result]]]:
        jobs = tt.default_workload(weeks=1)
        return {
            scheduler: {
                technique: [
                    tt.simulate(
                        jobs, 64, scheduler, applications=tt.Loop(technique=technique, variation=0.5), seed=seed
                    )
                    for seed in range(3)
                ]
                for technique in ("static", "ss", "gss", "fac")
            }
            for scheduler in ("fcfs", "sjf", "easy")
        }

    @cached_property
    def times(self) -> dict[str, dict[str, np.ndarray]]:
        return {
            scheduler: {name: np.array([_makespan(run) for run in found]) for name, found in by_technique.items()}
            for scheduler, by_technique in self._techniques.items()
        }

    @cached_property
    def core_seconds(self) -> dict[str, Any]:
        found = {f"easy {name}": runs[0].core_seconds for name, runs in self._techniques["easy"].items()}
        return {name: each() if callable(each) else each for name, each in found.items()}

    @cached_property
    def changes(self) -> dict[str, dict[str, np.ndarray]]:
        return {
            scheduler: {
                name: found / by_technique["static"] for name, found in by_technique.items() if name != "static"
            }
            for scheduler, by_technique in self.times.items()
        }

    @cached_property
    def ratios(self) -> dict[str, dict[str, dict[int, np.ndarray]]]:
        jobs = tt.default_workload(weeks=1)

        def lasted(technique: str, tasks: int, variation: float, seed: int = 0) -> float:
            loop = tt.Loop(technique=technique, variation=variation, tasks_per_core=tasks)
            return _makespan(tt.simulate(jobs, 64, "easy", applications=loop, seed=seed))

        return {
            "easy": {
                technique: {
                    tasks: np.array([lasted(technique, tasks, 0.5, seed) for seed in range(3)])
                    / lasted(technique, tasks, 0.0)
                    for tasks in (1, 2, 4, 8, 16)
                }
                for technique in ("static", "ss", "gss")
            }
        }


def _makespan(run: tt.Result) -> float:
    return float(np.nanmax(run.columns["end_s"]) - np.nanmin(run.columns["submit_s"]))


def draw(names: list[str]) -> None:
    """Write the pictures of these kinds, small and with few colours."""
    from PIL import Image

    subjects = Subjects()
    FOLDER.mkdir(exist_ok=True)
    for name in names:
        drawn = eval(plots.kinds()[name].example, {}, _Names(subjects))
        path = FOLDER / f"{name}.png"
        with style.look(), path.open("wb") as file:
            style.write_png(drawn, file, DPI)
        Image.open(path).convert("RGB").quantize(COLOURS).save(path, optimize=True)
        print(f"{path.stat().st_size / 1000:6.0f} kB  {name}")


class _Names(dict[str, Any]):
    """The subjects as names for `eval`."""

    def __init__(self, subjects: Subjects) -> None:
        self.subjects = subjects

    def __missing__(self, name: str) -> Any:
        return getattr(self.subjects, name)


def gallery() -> str:
    """The part of the page between the marks."""
    parts = [BEGIN]
    for needs, heading in HEADINGS.items():
        parts += [f"## {heading}", f"From {plots.SUBJECTS[needs]}."]
        for name, kind in plots.kinds(needs).items():
            parts += [
                f"### {name}",
                f"![{kind.caption}](../images/gallery/{name}.png)",
                f"`{kind.example}`",
                kind.caption,
            ]
    return "\n\n".join([*parts, END])


def write_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(f"{BEGIN}.*{END}", lambda _: gallery(), page, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    asked = sys.argv[1:]
    if asked != ["--page"]:
        draw(asked or list(plots.kinds()))
    write_page()
