"""What simulating costs, beside the paper's Tables 1 and 2: time and memory of whole processes.

Ours is `thinktime run --stream` from the packed log to the written run, every process on its own; AccaSim's, where a
Python that has it is given, its simulation of the unpacked log with the dispatcher that rejects every job.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from thinktime.platforms import Cluster, cluster_json
from thinktime.reproduce import accasim_rejects, processes
from thinktime.reproduce.claim import BELOW, COST, OWN, Claim
from thinktime.reproduce.galleguillos2020_runs import ALLOCATORS, CLUSTERS, REJECT, SCHEDULERS, SETH
from thinktime.reproduce.galleguillos2020_values import TABLE_1, TABLE_2
from thinktime.reproduce.reproduction import Findings
from thinktime.traces.archive import read_blocks

AT_ONCE = 2  # processes: the measured times are CPU times
ACCASIM = "accasim"
#: A log of one job: what a process holds before there is anything to hold.
ONE_JOB = "; Version: 2.2\n; UnixStartTime: 0\n; MaxProcs: 240\n1 0 0 1 1 -1 -1 1 1 -1 1 1 1 -1 1 -1 -1 -1\n"

INTERPRETER = "an interpreter with numpy and the engine holds most of this before it has read a job (see `measured`)"


def measure(logs: Mapping[str, Path], peers: Mapping[str, Path]) -> dict[str, Any]:
    """`rejecting`: log → cost; `dispatchers`: FIFO-FF → cost; `nothing`: of a log of one job; `accasim`: log → cost."""
    with TemporaryDirectory(prefix="thinktime-measure-") as scratch, ThreadPoolExecutor(AT_ONCE) as pool:
        folder = Path(scratch)
        (folder / "one.swf").write_text(ONE_JOB, encoding="ascii")
        asked: dict[tuple[str, str], Any] = {
            ("nothing", "nothing"): pool.submit(_ours, SETH, folder / "one.swf", REJECT, "FF", folder)
        }
        for label in [label for label in CLUSTERS if label in logs]:
            asked["rejecting", label] = pool.submit(_ours, label, logs[label], REJECT, "FF", folder)
        for dispatcher in TABLE_2 if SETH in logs else ():
            scheduler, allocator = dispatcher.split("-")
            asked["dispatchers", dispatcher] = pool.submit(_ours, SETH, logs[SETH], scheduler, allocator, folder)
        for label in [label for label in CLUSTERS if label in logs and ACCASIM in peers]:
            asked[ACCASIM, label] = pool.submit(_theirs, label, logs[label], peers[ACCASIM], folder)
        found: dict[str, Any] = {}
        for (part, name), future in asked.items():
            found.setdefault(part, {})[name] = future.result().to_dict()
    return found


def _ours(label: str, log: Path, scheduler: str, allocator: str, folder: Path) -> processes.Cost:
    platform = ("--cluster", CLUSTERS[label], "--allocator", ALLOCATORS[allocator], "--overrun", "extend-blind")
    policy = ("--scheduler", SCHEDULERS.get(scheduler, scheduler), "--filter", "accasim")
    place = folder / f"{log.stem}-{scheduler}-{allocator}"
    return processes.thinktime("run", log, *platform, *policy, "--stream", "--no-figures", "--json", "--out", place)


def _theirs(label: str, log: Path, python: Path, folder: Path) -> processes.Cost:
    place = folder / f"accasim-{label}"
    place.mkdir()
    system = cluster_json.text_of(Cluster.named(CLUSTERS[label]))
    (place / "system.json").write_text(system, encoding="utf-8")
    with (place / "log.swf").open("wb") as plain:
        plain.writelines(read_blocks(log))
    files = (place / "log.swf", place / "system.json", place)
    return processes.cost([str(python), accasim_rejects.__file__, *map(str, files)])


# --- claims -------------------------------------------------------------------------------------------------

COSTS = (("total CPU time, s", "cpu_s"), ("mean memory, MB", "mean_mb"), ("greatest memory, MB", "max_mb"))


def _of(part: str, name: str, key: str) -> Callable[[Findings], float | None]:
    return lambda findings: findings.measured.get(part, {}).get(name, {}).get(key)


def table_1() -> Iterator[Claim]:
    """The rejecting dispatcher: ours below what the paper printed for AccaSim."""
    for label, values in TABLE_1.items():
        for (quantity, key), value in zip(COSTS, values, strict=True):
            why, row = "" if key == "cpu_s" else INTERPRETER, f"{label}, rejecting"
            ours = _of("rejecting", label, key)
            yield Claim("Table 1", row, quantity, str(value), label, ours, BELOW, COST, tried=why)
    for label, (_, _, most) in TABLE_1.items():
        quantity, ours = "more than with one job, MB", _beyond(label)
        yield Claim("Table 1", f"{label}, rejecting", quantity, str(most), label, ours, BELOW, COST)
    grown = TABLE_1["RICC"][2] / TABLE_1["Seth"][2]
    row, quantity = "RICC / Seth", "greatest memory, ratio"
    yield Claim("Table 1", row, quantity, f"{grown:.2f}", "RICC", _memory_ratio, BELOW, COST)


def _beyond(label: str) -> Callable[[Findings], float | None]:
    """The greatest memory, without what a process holds that reads a log of one job."""

    def ours(findings: Findings) -> float | None:
        whole, nothing = _of("rejecting", label, "max_mb")(findings), _of("nothing", "nothing", "max_mb")(findings)
        return whole - nothing if whole and nothing else None

    return ours


def _memory_ratio(findings: Findings) -> float | None:
    """How memory grows with the log."""
    large, small = (_of("rejecting", label, "max_mb")(findings) for label in ("RICC", SETH))
    return large / small if large and small else None


def processes_of_table_2() -> Iterator[Claim]:
    for dispatcher, (total_s, _, mean_mb, max_mb) in TABLE_2.items():
        for (quantity, key), value in zip(COSTS, (total_s, mean_mb, max_mb), strict=True):
            ours = _of("dispatchers", dispatcher, key)
            yield Claim("Table 2", dispatcher, quantity, str(value), SETH, ours, BELOW, COST)


def beside_accasim(findings: Findings) -> Sequence[Claim]:
    """The same, against AccaSim as it ran a moment ago."""
    return [
        Claim("Table 1", f"{label}, rejecting", quantity, f"{theirs[key]:.1f}", label, _of("rejecting", label, key),
              BELOW, OWN, tried="" if key == "cpu_s" else INTERPRETER, source="AccaSim here")
        for label, theirs in findings.measured.get(ACCASIM, {}).items()
        for quantity, key in COSTS
        if theirs[key] is not None
    ]  # fmt: skip
