"""How fast, how small: benchmarks that carry a goal, a figure and what was computed.

`cases` lists what there is to measure; whoever runs a case gets its figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from thinktime_bench.measurement import Case, Measurement

#: The parts in the order in which they are run, and what each is about.
PARTS = {
    "engine": "the engine alone: jobs in memory in, starts out; no timeline, no files; CPU time",
    "queue": "the engine with a deep queue; CPU time",
    "nodes": "clusters of nodes: Seth, and what a placement costs as the machine grows; CPU time",
    "plugins": "plugins that have nothing to do, and some that have, against runs without; CPU time",
    "own": "policies of your own: a scheduler in Python, a pass; a key named, composed or compiled; CPU time",
    "bridge": "SimGrid as the application level: a chunk; nothing where no Python has it; CPU time",
    "users": "users who react, against rigid ones; the engine alone, and with sessions and their graph; CPU time",
    "applications": "jobs that are looked into: 16,000 jobs with ever more tasks, a chunk on ever more cores; CPU time",
    "traces": "tasks as OTF2, Perfetto's JSON, Paje and CSV: begins and ends a second; CPU time",
    "description": "what a workload is like: stack depth, similarity across sessions, shuffled sessions; CPU time",
    "scanner": "the text of a log in memory to columns; CPU time",
    "command": "processes from their start to their end, imports included",
    "study": "studies: what store and runner add to a run, and what a second thread gains",
    "bootstrap": "resamples of a log, each simulated, with intervals and figures; memory as they grow",
    "stream": "processes that read and write block by block; peak memory, CPU time",
}

__all__ = ["PARTS", "Case", "Measurement", "cases"]


def cases(part: str, folder: Path | None = None, *, quick: bool = False) -> Iterator[Case]:
    """What is measured in a part; `folder` has the logs, by default the logs folder."""
    from thinktime_bench import (
        applications,
        bootstrap,
        bridge,
        command,
        description,
        engine,
        nodes,
        own,
        plugins,
        queue,
        scanner,
        stream,
        study,
        traces,
        users,
    )

    modules = {
        "engine": engine,
        "queue": queue,
        "nodes": nodes,
        "plugins": plugins,
        "own": own,
        "bridge": bridge,
        "users": users,
        "applications": applications,
        "traces": traces,
        "description": description,
        "scanner": scanner,
        "command": command,
        "study": study,
        "bootstrap": bootstrap,
        "stream": stream,
    }
    return modules[part].cases(folder, quick)
