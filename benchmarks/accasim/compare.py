"""How much faster than AccaSim 1.1.3, on the same log, machine and policy, in the same session.

    python benchmarks/accasim/compare.py [--log HPC2N|KTH] [--only fifo|easy|reject] [--logs FOLDER] [--json FILE]

Needs thinktime, and a network or a package folder for pip: AccaSim is installed into build/accasim, an
environment of its own. Each comparison is ours, AccaSim once, ours again; of ours the best counts. AccaSim's
total time is its process from start to end, with the writers that it forks. Ours is (a) the process of
`thinktime run` from the packed log to the written run directory, and (b) the engine alone, from jobs in memory
to starts. AccaSim's log is unpacked beforehand (it reads plain text only),
and its fields of memory are blanked: a request of 0, which Seth has, makes its EASY divide by zero.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.platforms import Machine
from thinktime.result import Result
from thinktime.schedulers import Scheduler
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.fcfs import FCFS
from thinktime.schedulers.reject import Reject
from thinktime.simulation import simulate
from thinktime.simulation.requests import requests_of
from thinktime.simulation.settings import Settings
from thinktime.traces.find import logs_folder
from thinktime.workload import Workload, read_swf
from thinktime_bench import process
from thinktime_bench.engine import measure_requests

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE.parents[1] / "build" / "accasim"
VERSION = "1.1.3"
REPEATS = 4  # of ours, before and again after AccaSim


@dataclass(frozen=True)
class System:
    """A log and its machine, as in AccaSim's configuration."""

    log: str
    nodes: int
    cores: int  # of a node
    cores_per_processor: int
    start_s: int  # added to all times of the log

    @property
    def processors(self) -> int:
        return self.nodes * self.cores // self.cores_per_processor

    def config(self) -> dict[str, Any]:
        return {
            "system_name": self.log,
            "start_time": self.start_s,
            "equivalence": {"processor": {"core": self.cores_per_processor}},
            "groups": {"g0": {"core": self.cores}},
            "resources": {"g0": self.nodes},
        }


SYSTEMS = {
    "HPC2N": System("HPC2N-2002-2.2-cln", 120, 4, 2, 1027839845),  # "Seth" of AccaSim's paper
    "KTH": System("KTH-SP2-1996-2.1-cln", 100, 1, 1, 0),
}
#: AccaSim's dispatcher → our policy, and the policy that gives AccaSim's starts, where it is another one.
POLICIES: dict[str, tuple[Scheduler, Scheduler]] = {
    "fifo": (FCFS(), FCFS()),
    "easy": (Easy(), Easy(compat="accasim-1.0")),
    "reject": (Reject(), Reject()),
}


def main() -> None:
    arguments = _arguments()
    system = SYSTEMS[arguments.log]
    log = (arguments.logs or logs_folder()) / f"{system.log}.swf.gz"
    if not log.is_file():
        raise InputError(f"{log} does not exist: give the folder that has it with --logs")
    os.environ["TZ"] = "UTC"  # AccaSim writes times of day
    python = install()
    workload = read_swf(log, filter="accasim")
    found = [compare(name, system, log, workload, python) for name in arguments.only or POLICIES]
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--log", choices=SYSTEMS, default="HPC2N", help="KTH is smaller")
    parser.add_argument("--only", choices=POLICIES, action="append", help="one dispatcher; may be given several times")
    parser.add_argument("--logs", type=Path, help="folder of the logs; by default thinktime's")
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    return parser.parse_args()


def install() -> Path:
    """AccaSim in an environment of its own; its Python."""
    python = ENVIRONMENT / "bin" / "python"
    if not (ENVIRONMENT / "installed").exists():
        print(f"installing AccaSim {VERSION} into {ENVIRONMENT.name}", file=sys.stderr)
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", f"accasim=={VERSION}"], check=True)
        (ENVIRONMENT / "installed").touch()
    return python


def compare(name: str, system: System, log: Path, workload: Workload, python: Path) -> dict[str, Any]:
    """Run both simulators with one dispatcher and print the result."""
    ours, same_as = POLICIES[name]
    with TemporaryDirectory(prefix="thinktime-bench-") as scratch:
        folder = Path(scratch)
        runs = [_command(ours, system, log, folder) for _ in range(REPEATS)]
        engines = [_engine(ours, system, workload)]
        theirs = _accasim(name, system, log, python, folder)
        runs += [_command(ours, system, log, folder) for _ in range(REPEATS)]
        engines.append(_engine(ours, system, workload))
        jobs = len(Result.load(folder / "run"))
        equal = None if name == "reject" else _equal_starts(folder, system, same_as, workload)
    found = _figures(name, theirs, runs, min(engines)) | {"jobs": jobs, "equal_starts": equal}
    _print(found)
    return found


def _command(policy: Scheduler, system: System, log: Path, folder: Path) -> process.Ended:
    """(a) the whole command."""
    options = ("--filter", "accasim", "--processors", system.processors, "--scheduler", policy.name)
    return process.thinktime("run", log, *options, "--no-figures", "--overwrite", "--json", "--out", folder / "run")


def _engine(policy: Scheduler, system: System, workload: Workload) -> float:
    """(b) the engine alone: CPU seconds."""
    settings = Settings(machine=Machine(processors=system.processors), scheduler=policy)
    found = measure_requests("engine", workload.name, settings, requests_of(workload, settings), None, 15)
    return float(found.details["cpu_s"])


def _accasim(name: str, system: System, log: Path, python: Path, folder: Path) -> process.Ended:
    print(f"AccaSim, {name}, {system.log}: a minute or two", file=sys.stderr)
    (folder / "system.json").write_text(json.dumps(system.config()), encoding="utf-8")
    (folder / "log.swf").write_text(without_memory(gzip.decompress(log.read_bytes()).decode("latin-1")))
    (folder / "accasim").mkdir()
    files = (folder / "log.swf", folder / "system.json", name, folder / "accasim")
    return process.run([str(python), str(HERE / "peer.py"), *map(str, files)])


def without_memory(text: str) -> str:
    """Return the log without memory requests, which AccaSim's EASY divides by."""
    return "\n".join(line if line.startswith(";") else _no_memory(line) for line in text.splitlines()) + "\n"


def _no_memory(line: str) -> str:
    fields = line.split()
    fields[6:7] = fields[9:10] = ["-1"]  # used and requested memory
    return " ".join(fields)


def _equal_starts(folder: Path, system: System, policy: Scheduler, workload: Workload) -> int:
    """How many jobs AccaSim and the policy start at the same second."""
    job, start = _their_starts(folder / "accasim" / "sched-log.swf", system.start_s)
    machine = Machine(processors=system.processors)
    run = simulate(workload, machine, policy, overrun="extend-blind", timeline=False)  # it never corrects an estimate
    order = np.argsort(run.columns["job"], kind="stable")
    if not np.array_equal(run.columns["job"][order], job):
        raise InputError("the two simulated different jobs: compare the readings of the log")
    return int(np.count_nonzero(run.columns["start_s"][order] == start))


def _their_starts(path: Path, start_s: int) -> tuple[np.ndarray, np.ndarray]:
    """Job numbers in order, and starts in the log's time, from lines `job;user;queued__nodes__start;end;…`."""
    import polars as pl

    text = pl.Series("line", path.read_text().splitlines())
    start = text.str.extract(r"__(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d);").str.to_datetime("%Y-%m-%d %H:%M:%S")
    job = text.str.extract(r"^(\d+);").cast(pl.Int64).to_numpy()
    seconds = start.dt.epoch("s").to_numpy() - start_s
    order = np.argsort(job, kind="stable")
    return job[order], seconds[order]


def _figures(name: str, theirs: process.Ended, runs: list[process.Ended], engine_s: float) -> dict[str, Any]:
    said = json.loads(theirs.out.splitlines()[-1])
    command = {"cpu": min(one.cpu_s for one in runs), "wall": min(one.wall_s for one in runs)}
    return {
        "dispatcher": name,
        "accasim_jobs": said["jobs"],
        "accasim_total_cpu_s": theirs.cpu_s,
        "accasim_total_wall_s": theirs.wall_s,
        "accasim_simulation_wall_s": said["simulation_s"],
        "command_cpu_s": command["cpu"],
        "command_wall_s": command["wall"],
        "engine_cpu_s": engine_s,
        "ratio_command_cpu": theirs.cpu_s / command["cpu"],
        "ratio_command_wall": theirs.wall_s / command["wall"],
        "ratio_engine_cpu": theirs.cpu_s / engine_s,
    }


def _print(found: dict[str, Any]) -> None:
    same = "" if found["equal_starts"] is None else f", {found['equal_starts']:,} starts equal"
    print(f"{found['dispatcher']}: {found['accasim_jobs']:,} jobs there, {found['jobs']:,} here{same}")
    print("  AccaSim total      CPU {accasim_total_cpu_s:8.2f} s   wall {accasim_total_wall_s:8.2f} s".format(**found))
    print("  (a) whole command  CPU {command_cpu_s:8.2f} s   wall {command_wall_s:8.2f} s".format(**found), end="")
    print("   ratio {ratio_command_cpu:,.0f} (CPU), {ratio_command_wall:,.0f} (wall)".format(**found))
    print("  (b) engine alone   CPU {engine_cpu_s:8.4f} s".format(**found), end="")
    print("                     ratio {ratio_engine_cpu:,.0f} (CPU)".format(**found))


if __name__ == "__main__":
    try:
        main()
    except InputError as error:
        sys.exit(str(error))
