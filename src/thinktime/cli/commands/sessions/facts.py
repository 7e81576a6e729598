"""What `thinktime sessions` finds, and how it is printed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thinktime.cli import printing
from thinktime.support.json_types import JsonDict
from thinktime.workload import Batches, SessionGraph, Workload, batches, session_graph, sessions
from thinktime.workload.load_scaling import scaling_lines
from thinktime.workload.user_sessions.edge_think_times import share_under, think_quantiles
from thinktime.workload.user_sessions.graph_shape import arities, longest_paths, quantiles

HOURS = (1, 10)  # limits below which think times are counted, as in the paper
#: distribution → (label, is a duration)
DISTRIBUTIONS = {
    "jobs_per_session": ("jobs per session", False),
    "jobs_per_batch": ("jobs per batch", False),
    "sessions_per_user": ("sessions per user", False),
    "session_length_s": ("session length", True),
    "edge_think_s": ("think time, edges", True),
    "batch_think_s": ("think time, batches", True),
    "batch_inter_arrival_s": ("time between batches", True),
    "longest_path": ("longest path per user", False),
    "arity": ("arity per user", False),
}


@dataclass(frozen=True)
class Structure:
    """The sessions, batches and session graph of a workload."""

    workload: Workload
    batches: Batches
    graph: SessionGraph

    @property
    def note(self) -> str:
        found = self.graph.sessions
        return f"preceding jobs of sessions: delimiter {found.delimiter}, threshold {found.threshold_s:g} s"

    def graphs(self) -> dict[str, SessionGraph]:
        """Return the graphs that figures compare: each job a session (a0), one hour (a60), and the requested cut."""
        own = self.graph.sessions
        cuts = {"a0": 0.0, "a60": 3600.0}
        found = {name: session_graph(sessions(self.workload, threshold_s=cut)) for name, cut in cuts.items()}
        other = own.delimiter != "arrival" or own.threshold_s not in cuts.values()
        return {**found, **({f"{own.delimiter} {printing.duration(own.threshold_s)}": self.graph} if other else {})}


def structure_of(workload: Workload, delimiter: str, threshold_s: float, full: bool) -> Structure:
    found = batches(workload, delimiter=delimiter, threshold_s=threshold_s)
    return Structure(workload, found, session_graph(found.sessions, reduced=not full))


def facts(found: Structure) -> JsonDict:
    """Return the facts that --json prints."""
    cut, graph = found.batches.sessions, found.graph
    longest = longest_paths(cut)
    return {
        "name": found.workload.name,
        "delimiter": cut.delimiter,
        "threshold_s": cut.threshold_s,
        "reduced": graph.reduced,
        "jobs": len(found.workload),
        "users": len(cut.users),
        "sessions": len(cut),
        "batches": len(found.batches),
        "edges": graph.edges,
        "roots": len(graph.roots),
        "longest_path": int(longest.max(initial=0)),
        "largest_arity": int(arities(graph).max(initial=0)),
        "think_times_under_h": {str(hours): share_under(graph, 3600.0 * hours) for hours in HOURS},
        "distributions": _distributions(found, longest),
        "notes": [*cut.notes, *(f"load scaled: {line}" for line in _scaling(found.workload))],
    }


def _scaling(workload: Workload) -> list[str]:
    return scaling_lines(workload.account.get("load_scaling"))


def _distributions(found: Structure, longest: np.ndarray) -> JsonDict:
    """Return statistics in the order of DISTRIBUTIONS. There may be too many edges to list them."""
    cut = found.batches.sessions
    columns = {
        "jobs_per_session": cut.jobs,
        "jobs_per_batch": found.batches.jobs,
        "sessions_per_user": np.diff(cut.user_start),
        "session_length_s": cut.last_end_s - cut.first_submit_s,
        "batch_think_s": found.batches.think_s,
        "batch_inter_arrival_s": found.batches.inter_arrival_s,
        "longest_path": longest,
        "arity": arities(found.graph),
    }
    known = {name: quantiles(of.astype(float)) for name, of in columns.items()}
    known["edge_think_s"] = think_quantiles(found.graph)
    return {name: known[name] for name in DISTRIBUTIONS}


def print_facts(of: JsonDict) -> None:
    printing.heading(of["name"])
    pause = printing.duration(of["threshold_s"])
    cut = "each job is a session" if of["delimiter"] == "arrival" and not of["threshold_s"] else f"pauses over {pause}"
    whose = f"{of['sessions']:,} sessions of {_many(of['users'], 'user')} with {_many(of['jobs'], 'job')}"
    printing.row("sessions", f"{whose} (delimiter {of['delimiter']}, {cut})")
    printing.row("batches", f"{of['batches']:,} batches of overlapping jobs")
    kind = "transitive reduction" if of["reduced"] else "full relation"
    printing.row("graph", f"{_many(of['edges'], 'edge')} ({kind}), {_many(of['roots'], 'root')}, {_shape(of)}")
    under = [f"{share:.1%} under {hours} h" for hours, share in of["think_times_under_h"].items() if share is not None]
    if under:
        printing.row("think time", f"{', '.join(under)} (edges)")
    for note in of["notes"]:
        printing.row("note", note)
    printing.blank()
    found = of["distributions"]
    printing.distributions({label: (found[name], durations) for name, (label, durations) in DISTRIBUTIONS.items()})
    printing.blank()


def _many(count: int, of: str) -> str:
    return f"{count:,} {of}{'' if count == 1 else 's'}"


def _shape(of: JsonDict) -> str:
    return f"longest path {_many(of['longest_path'], 'session')}, largest arity {of['largest_arity']:,}"
