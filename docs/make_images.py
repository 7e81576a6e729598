"""Draw the pictures of the guides into docs/images: `python docs/make_images.py [NAME…]`. Some need $THINKTIME_LOGS."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import thinktime as tt
from thinktime import plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

IMAGES = Path(__file__).resolve().parent / "images"
MACHINE = tt.Machine(processors=128)
KTH = "KTH-SP2-1996-2.1-cln"
DPI = 90
SMALL_DPI = {"describing": 60}


def tutorial() -> Figure:
    log = tt.read_swf(KTH)
    machine = tt.Machine(processors=100)
    runs = {"FCFS": tt.simulate(log, machine, tt.FCFS()), "EASY": tt.simulate(log, machine, tt.Easy())}
    return plots.queue_over_time(runs)


def reading_logs() -> Figure:
    return plots.workload_overview(tt.read_swf(KTH))


def slurm_logs() -> Figure:
    """Draw the recorded queue (first fit stands for the cluster) and that of EASY."""
    log = tt.default_workload(jobs=3000)
    runs = {"recorded": tt.simulate(log, MACHINE, tt.FCFS(skip=True)), "EASY": tt.simulate(log, MACHINE, tt.Easy())}
    return plots.queue_over_time(runs)


def default_workload() -> Figure:
    return plots.workload_overview(tt.default_workload())


def generating() -> Figure:
    return plots.workload_overview(
        tt.Lublin(jobs=20_000, processors=128, load=0.7, estimates="tsafrir").workload(seed=1)
    )


def estimates() -> Figure:
    return plots.estimate_accuracy(tt.read_swf(KTH))


def schedulers() -> Figure:
    policies = (
        tt.FCFS(skip=True),
        tt.SJF(),
        tt.Easy(),
        tt.Easy(backfill_order="sjf"),
        tt.Easy(order="sjf"),
        tt.Conservative(),
    )
    log = tt.default_workload()
    return plots.slowdown_ecdf({policy.text(): tt.simulate(log, MACHINE, policy) for policy in policies})


def own_policies() -> Figure:
    k, log = tt.key, tt.default_workload(weeks=4)
    own = tt.Easy(order=-(k.wait + k.estimate) / k.maximum(k.estimate, 60), backfill_order=k.area)
    policies = {"fcfs": tt.FCFS(), "easy": tt.Easy(), "own order": own}
    return plots.slowdown_ecdf({name: tt.simulate(log, MACHINE, policy) for name, policy in policies.items()})


def attributes() -> Figure:
    log = tt.default_workload(weeks=4)
    log = log.with_attributes({"project": np.where(log["user"] % 3 == 0, "astro", "bio")})
    astro_first = tt.Easy(order=tt.key.where(tt.key["project"] == "astro", 0, 1))
    runs = {"EASY": tt.simulate(log, MACHINE, tt.Easy()), "astro first": tt.simulate(log, MACHINE, astro_first)}
    waits = {
        f"{name}: {project}": jobs["start_s"] - jobs["submit_s"]
        for name, run in runs.items()
        for (project,), jobs in sorted(run.jobs.group_by("project"))
    }
    return plots.wait_boxes(waits, title="Wait by project")


def nodes() -> Figure:
    cluster = tt.Cluster(groups=[{"name": "n", "nodes": 16, "core": 8}])
    run = tt.simulate(tt.default_workload(weeks=1), cluster, tt.Easy(), allocator=tt.BestFit())
    return plots.gantt(run, window=(86400.0, 2 * 86400.0))


def plugins() -> Figure:
    power = tt.Power(idle_w=90, processor_w=35, off_w=4, off_after_s=900, boot_s=150)
    breaks = tt.Failures(mtbf_h=2000, mttr_h=6)
    return plots.power_over_time(
        tt.simulate(tt.default_workload(weeks=2), tt.Cluster.named("seth"), tt.Easy(), plugins=[breaks, power])
    )


def recorded_by_easy(weeks: int) -> tt.Workload:
    """Return a generated log with the waits of EASY as recorded waits."""
    from dataclasses import replace

    log = tt.default_workload(weeks=weeks)
    run = tt.simulate(log, MACHINE, tt.Easy())
    return replace(log, columns={**log.columns, "wait_s": run.columns["start_s"] - run.columns["submit_s"]})


def reacting_users() -> Figure:
    log, slow = recorded_by_easy(8), MACHINE.scaled(speed=0.7)
    submitted = [
        tt.simulate(log, slow, tt.Easy(), users=users).columns["submit_s"] for users in (tt.Rigid(), tt.SessionReplay())
    ]
    return plots.submissions_compared({"speed 0.7": (submitted[0], submitted[1])})


def sessions() -> Figure:
    from thinktime.workload import session_graph
    from thinktime.workload import sessions as find_sessions

    log = tt.default_workload(weeks=2)
    graph = session_graph(find_sessions(log))
    return plots.user_graph(log, graph, 60.0, sessions=9)


def partly_temporary(users: int) -> tt.Workload:
    """Return a generated log in which some users are active for a few weeks only."""
    log = tt.default_workload(weeks=30, users=users)
    week = log["submit_s"] // (7 * 86400)
    return log.select((log["user"] <= users // 2) | (np.abs(week - log["user"] % 30) < 3))


def resampling() -> Figure:
    log = partly_temporary(60)
    return plots.weekly_jobs({"log": log, "resample, load 1.2": tt.resample(log, seed=1, load=1.2)})


def bootstrap() -> Figure:
    found = tt.bootstrap(partly_temporary(40), MACHINE, [tt.Easy()], resamples=200, seed=1)
    return plots.resample_histograms(found)


def load_sweep() -> Figure:
    loads = [0.6, 0.8, 1.0, 1.2, 1.4]
    found = tt.load_sweep(partly_temporary(40), MACHINE, [tt.Easy(), tt.FCFS()], loads, resamples=10, seed=1)
    return plots.load_sweep(found, ["wait_mean_s", "bounded_slowdown_mean"])


def describing() -> Figure:
    from thinktime.description import Settings, compare_workloads

    compared = compare_workloads(tt.default_workload(), resamples=20, settings=Settings(medians=False))
    return plots.user_marginals(compared.base, compared.others, compared.spread)


def two_levels() -> Figure:
    log, machine = tt.default_workload(), tt.Machine(processors=256)
    loops = tt.Loop(variation=0.25, tasks_per_core=8, overhead_s=2.0)
    spent = {}
    for technique in ("static", "ss", "gss", "fac", "af"):
        run = tt.simulate(log, machine, tt.FCFS(), applications=loops.replace(technique=technique))
        spent[technique] = run.core_seconds()
    return plots.core_second_bars(spent, 256)


def traces() -> Figure:
    cluster = tt.Cluster(groups=[{"name": "node", "nodes": 4, "core": 16}])
    loop = tt.Loop(technique="gss", variation=0.25, tasks_per_core=8)
    run = tt.simulate(tt.default_workload(jobs=300, processors=64), cluster, tt.FCFS(), applications=loop)
    return plots.core_gantt(run, window=(14 * 3600.0, 15 * 3600.0))


def statistics() -> Figure:
    log = tt.default_workload(weeks=24, load=0.6)
    policies = (tt.Easy(), tt.Easy(order="sjf"), tt.Conservative())
    found = tt.compare([tt.simulate(log, MACHINE, policy) for policy in policies], metric="wait_mean_s")
    return found.plot()


def study_intervals() -> Figure:
    import tempfile

    from thinktime.statistics import t_interval

    schedulers = ["sjf", "easy", "easy:backfill_order=sjf", "conservative"]
    workloads = [{"generator": "default", "weeks": 2}]
    study = tt.Study.of(name="backfilling", workloads=workloads, schedulers=schedulers, seeds=10)
    with tempfile.TemporaryDirectory() as folder:
        table = study.run(f"{folder}/store").table
    values = {}
    for name in table["scheduler"].unique(maintain_order=True):
        found = t_interval(table.filter(scheduler=name)["wait_mean_s"].to_numpy())
        values[name] = (found.low, found.estimate, found.high)
    return plots.intervals(values, quantity="mean wait", seconds=True)


def same_instant() -> Figure:
    """Two jobs that are submitted together, under SJF with one pass per instant and with one pass per event."""
    from thinktime.plots.kit import style

    jobs = {"submit_s": [0.0, 0.0, 6.0], "run_s": [8.0, 2.0, 3.0], "processors": [4, 4, 4]}
    log = tt.Workload.from_columns(**jobs)
    with style.look():
        figure, several = style.panels(1, 2, title="SJF on 4 processors: long and short are submitted together at 0 s")
        for axes, rule in zip(several, ("batch", "each-end-first"), strict=True):
            run = tt.simulate(log, 4, "sjf", same_instant=rule)
            axes.barh([0, 1, 2], run.columns["run_s"], left=run.columns["start_s"], color=style.PALETTE[:3])
            axes.set_yticks([0, 1, 2], ["long", "short", "later"])
            axes.set(title=rule, xlabel="time [s]", xlim=(0, 14), ylim=(2.6, -0.6))
    return figure


def driving_a_simulation() -> Figure:
    sim = tt.Simulation(tt.default_workload(weeks=1), MACHINE, tt.Easy())
    return plots.gantt(sim.run(until=2 * 86400).result(), window=(1.5 * 86400, 2.2 * 86400), axis="elapsed")


def reproductions() -> Figure:
    """Every printed value of one paper against ours."""
    import csv
    import tempfile

    from thinktime.plots.kit import style
    from thinktime.traces.find import logs_folder
    from thinktime_reproduce import REPRODUCTIONS, run_reproduction

    with tempfile.TemporaryDirectory() as folder:
        run_reproduction(REPRODUCTIONS["madon2024"], logs_folder(), Path(folder))
        with open(f"{folder}/madon2024/verdicts.csv", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["class"] in ("digits", "tolerance") and row["ours"]]
    with style.look():
        figure, (axes,) = style.panels(title="madon2024 on KTH-SP2: printed values and ours")
        for verdict, colour in (("met", style.BLUE), ("missed", style.VERMILLION)):
            pairs = [(float(row["paper"]), float(row["ours"])) for row in rows if row["verdict"] == verdict]
            x, y = zip(*[pair for pair in pairs if min(pair) > 0], strict=True)
            axes.loglog(x, y, "o", color=colour, markersize=4, alpha=0.7, label=f"{verdict} ({len(pairs)})")
        axes.axline((1, 1), (10, 10), color=style.GREY, linewidth=0.8)
        axes.set(xlabel="paper", ylabel="thinktime")
        axes.legend()
    return figure


def large_logs() -> Figure:
    """Peak memory and rate of streamed runs, from `thinktime bench --only stream` on an AMD EPYC."""
    from thinktime.plots.kit import style

    jobs = np.array([1e6, 10e6, 50e6])
    with style.look():
        figure, (memory, rate) = style.panels(columns=2, title="thinktime run --stream: EASY on 128 processors")
        memory.semilogx(jobs, [66, 69, 75], "o-", color=style.BLUE)
        memory.set(xlabel="jobs", ylabel="peak memory [MB]", ylim=(0, 110))
        rate.semilogx(jobs, [0.78, 1.08, 1.14], "o-", color=style.VERMILLION)
        rate.set(xlabel="jobs", ylabel="million jobs per CPU second", ylim=(0, 1.3))
    return figure


#: file → function
PICTURES: dict[str, Callable[[], Figure]] = {
    each.__name__: each
    for each in (
        tutorial, reading_logs, slurm_logs, default_workload, generating, estimates, schedulers, own_policies,
        attributes, nodes, plugins, reacting_users, sessions, resampling, bootstrap, load_sweep, describing, two_levels,
        traces, statistics, study_intervals, same_instant, driving_a_simulation, reproductions, large_logs,
    )
}  # fmt: skip


def main(names: list[str]) -> None:
    for name in names or PICTURES:
        figure = PICTURES[name]()
        figure.savefig(IMAGES / f"{name}.png", dpi=SMALL_DPI.get(name, DPI))
        print(name, f"{(IMAGES / f'{name}.png').stat().st_size / 1000:.0f} kB", figure.get_size_inches())


if __name__ == "__main__":
    main(sys.argv[1:])
