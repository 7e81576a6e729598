"""Simulates one streamed log, and nothing else; started as a file, so that the process imports no command line.

    python one_run.py LOG CLUSTER SCHEDULER ALLOCATOR FOLDER

The paper measures a script that calls its simulator; this is ours. FOLDER gets `run`, and `noted.json` with the time of
deciding in seconds and the mean and greatest memory in MB over the blocks of the log.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from thinktime.platforms import Cluster
from thinktime.result.directory.save_load import read_run_file
from thinktime.simulation import simulate_stream
from thinktime.spec import parse
from thinktime.workload import stream_swf

BLOCK_BYTES = 1 << 18  # of text: as fast as the default of four times as much, and smaller


def main(log: str, cluster: str, scheduler: str, allocator: str, folder: str) -> None:
    place, held_mb = Path(folder), list[float]()
    place.mkdir(parents=True, exist_ok=True)
    jobs = stream_swf(log, filter="accasim", block_bytes=BLOCK_BYTES)
    rules: dict[str, Any] = {"overrun": "extend-blind", "allocator": parse("allocator", allocator)}
    simulate_stream(
        jobs,
        Cluster.named(cluster),
        parse("scheduler", scheduler),  # type: ignore[arg-type]
        place / "run",
        progress=lambda read: held_mb.append(resident_mb()),
        **rules,
    )
    memory = {"noted_mean_mb": sum(held_mb) / len(held_mb), "noted_max_mb": max(held_mb)}
    decision_s = read_run_file(place / "run")["statistics"]["decision_s"]
    (place / "noted.json").write_text(json.dumps({"decision_s": decision_s, **memory}), encoding="utf-8")


def resident_mb() -> float:
    """Memory of this process, 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGESIZE") / 2**20


if __name__ == "__main__":
    main(*sys.argv[1:])
