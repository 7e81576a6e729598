"""Benchmarks of time and memory, each with a goal and a checksum of the work.

`cases` lists the benchmarks of a part; running a case returns its measurements.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from thinktime_bench.measurement import Case, Measurement

#: Part, which is a module of this package → what it measures, in the order in which the parts run.
PARTS = {
    "engine": "the engine alone, from jobs in memory to start times, without timeline and files; CPU time",
    "queue": "the engine with a deep queue; CPU time",
    "nodes": "clusters of nodes: Seth, and the cost of a placement on growing machines; CPU time",
    "plugins": "idle and busy plugins against runs without plugins; CPU time",
    "own": "user-defined policies: a pass of a Python scheduler; a named, composed or compiled key; CPU time",
    "bridge": "a chunk with SimGrid as the application level, if a Python has SimGrid; CPU time",
    "users": "reacting users against rigid ones: the engine alone, and with the session graph; CPU time",
    "applications": "tasks inside jobs: 16,000 jobs with more and more tasks, a chunk on more and more cores; CPU time",
    "traces": "traces of tasks as OTF2, Perfetto's JSON, Paje and CSV: events per second; CPU time",
    "description": "descriptions of workloads: stack depth, similarity across sessions, shuffled sessions; CPU time",
    "scanner": "the scanner, from the text of a log in memory to columns; CPU time",
    "command": "whole processes, including imports, and tt.simulate",
    "study": "studies: the overhead of store and runner per run, and the gain of a second thread",
    "bootstrap": "a bootstrap of simulated resamples with intervals and figures: time and memory",
    "stream": "streamed runs: peak memory, CPU time",
}

__all__ = ["PARTS", "Case", "Measurement", "cases"]


def cases(part: str, folder: Path | None = None, *, quick: bool = False) -> Iterator[Case]:
    """Return the benchmarks of a part; `folder` has the logs (default: the logs folder)."""
    found: Iterator[Case] = import_module(f"thinktime_bench.{part}").cases(folder, quick)
    return found
