"""What simulating costs, for the paper's Tables 1 and 2: time and memory of processes, each repeated.

Ours is a script that streams the packed log to a written run (`one_run`), every run in a new process; AccaSim's, where
a Python that has it is given, a script that simulates the unpacked log (`accasim_run`).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import fmean, stdev
from tempfile import TemporaryDirectory
from typing import Any

from thinktime.platforms import Cluster, cluster_json
from thinktime.traces.unpack import read_blocks
from thinktime_reproduce.galleguillos2020 import accasim_run, one_run, processes
from thinktime_reproduce.galleguillos2020.runs import ALLOCATORS, CLUSTERS, REJECT, SCHEDULERS, SETH
from thinktime_reproduce.galleguillos2020.values import TABLE_2

AT_ONCE = 2  # processes: the measured times are CPU times
ACCASIM = "accasim"
#: What AccaSim repeats: FIFO-FF takes it minutes, so it is run once.
ACCASIM_DISPATCHERS = ("FIFO-FF",)
#: A log of one job: what a process holds before there is anything to hold.
ONE_JOB = "; Version: 2.2\n; UnixStartTime: 0\n; MaxProcs: 240\n1 0 0 1 1 -1 -1 1 1 -1 1 1 1 -1 1 -1 -1 -1\n"

Values = dict[str, float | None]


def measure(logs: Mapping[str, Path], peers: Mapping[str, Path], repeats: int = 10) -> dict[str, Any]:
    """Part → name → quantity → mean, minimum, deviation and values of the repetitions. Parts: `rejecting` by log,
    `dispatchers` by dispatcher, `nothing` for a log of one job, and the same for AccaSim: `accasim …`."""
    with TemporaryDirectory(prefix="thinktime-measure-") as scratch, ThreadPoolExecutor(AT_ONCE) as pool:
        folder = Path(scratch)
        (folder / "one.swf").write_text(ONE_JOB, encoding="ascii")
        tasks = [*_ours(logs, folder, repeats), *_theirs(logs, folder, peers.get(ACCASIM), repeats)]
        asked = [(part, name, pool.submit(run)) for part, name, run in tasks]
        found: dict[str, dict[str, list[Values]]] = {}
        for part, name, future in asked:
            found.setdefault(part, {}).setdefault(name, []).append(future.result())
    return {part: {name: over(runs) for name, runs in names.items()} for part, names in found.items()}


def over(runs: Sequence[Values]) -> dict[str, Any]:
    """Quantity → mean, minimum, deviation and values; the deviation divides by n − 1, None for one value."""
    found = {}
    for quantity in runs[0]:
        values = [value for run in runs if (value := run[quantity]) is not None]
        if values:
            apart = stdev(values) if len(values) > 1 else None
            found[quantity] = {"mean": fmean(values), "least": min(values), "deviation": apart, "values": values}
    return found


Task = tuple[str, str, Any]  # part, name, and what to call


def _ours(logs: Mapping[str, Path], folder: Path, repeats: int) -> Iterator[Task]:
    """Repetition by repetition, so that a change in the machine's load meets all of them alike."""
    for k in range(repeats):
        yield "nothing", "nothing", partial(_our_run, SETH, folder / "one.swf", REJECT, "FF", folder / f"nothing{k}")
        for label in CLUSTERS:
            if label in logs:
                place = folder / f"{label}-{k}"
                yield "rejecting", label, partial(_our_run, label, logs[label], REJECT, "FF", place)
        for dispatcher in TABLE_2 if SETH in logs else ():
            scheduler, allocator = dispatcher.split("-")
            place = folder / f"{dispatcher}-{k}"
            yield "dispatchers", dispatcher, partial(_our_run, SETH, logs[SETH], scheduler, allocator, place)


def _our_run(label: str, log: Path, scheduler: str, allocator: str, place: Path) -> Values:
    policy = (SCHEDULERS.get(scheduler, scheduler), ALLOCATORS[allocator])
    cost = processes.python(one_run.__file__, log, CLUSTERS[label], *policy, place)
    noted = json.loads((place / "noted.json").read_text(encoding="utf-8"))
    shutil.rmtree(place)  # a hundred runs need not lie there together
    return {**cost.to_dict(), **noted}


def _theirs(logs: Mapping[str, Path], folder: Path, python: Path | None, repeats: int) -> Iterator[Task]:
    if python is None:
        return
    for k in range(repeats):
        run = partial(_their_run, SETH, folder / "one.swf", python, REJECT, folder / f"accasim-nothing{k}")
        yield f"{ACCASIM} nothing", "nothing", run
        for label in CLUSTERS:
            if label in logs:
                place = folder / f"accasim-{label}-{k}"
                yield f"{ACCASIM} rejecting", label, partial(_their_run, label, logs[label], python, REJECT, place)
    for dispatcher in ACCASIM_DISPATCHERS if SETH in logs else ():
        place = folder / f"accasim-{dispatcher}"
        run = partial(_their_run, SETH, logs[SETH], python, dispatcher, place)
        yield f"{ACCASIM} dispatchers", dispatcher, run


def _their_run(label: str, log: Path, python: Path, dispatcher: str, place: Path) -> Values:
    place.mkdir()
    system = cluster_json.text_of(Cluster.named(CLUSTERS[label]))
    (place / "system.json").write_text(system, encoding="utf-8")
    with (place / "log.swf").open("wb") as plain:
        plain.writelines(read_blocks(log))
    arguments = (place / "log.swf", place / "system.json", dispatcher, place)
    cost = processes.cost([str(python), accasim_run.__file__, *map(str, arguments)])
    shutil.rmtree(place)
    return cost.to_dict()
