"""A saved run at one moment: queued and running jobs, and the nodes in use on a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from thinktime.cli import printing
from thinktime.support.json_types import JsonDict

if TYPE_CHECKING:
    from thinktime.result import Result

WIDTH = 60  # nodes per line of the map
LEVELS = ".123456789#"  # use of a node's first resource: none, tenths, all
LISTED = 10  # running jobs that are listed


def facts_at(directory: Path, time_s: float) -> JsonDict:
    """Return counts, use per resource and per node, and the running jobs that started last."""
    from thinktime.metrics.status import states_at
    from thinktime.result import Result

    result = Result.load(directory)
    states, again = states_at(result.columns, time_s), aborted_later(result, time_s)
    states["running"][again["row"]], states["queued"][again["row"]] = True, False
    counts = {name: int(np.count_nonzero(those)) for name, those in states.items()}
    of, running = result.columns, np.flatnonzero(states["running"])
    used = {"used_processors": int(of["processors"][running].sum()), "processors": result.processors}
    return {
        "run": str(directory),
        "time_s": time_s,
        **counts,
        **used,
        **_node_facts(result, time_s),
        **_latest_jobs(result, running, again),
    }


def _node_facts(result: Result, time_s: float) -> JsonDict:
    """Return, for a cluster, used and total amounts per resource, and the used share of each node's first resource."""
    from thinktime.result.node_use import held_at

    cluster = result.cluster
    if cluster is None or not result.has_nodes:
        return {}
    used = {name: held_at(result, name, time_s) for name in cluster.resources}
    there = dict(zip(cluster.resources, cluster.capacity.T, strict=True))
    totals = {name: [int(used[name].sum()), int(there[name].sum())] for name in used}
    first = cluster.resources[0]
    share = np.divide(used[first], there[first], out=np.zeros(cluster.nodes), where=there[first] > 0)
    groups = {group.name: group.nodes for group in cluster.groups}
    return {"resources": totals, "groups": groups, "map_of": first, "node_use": share.round(4).tolist()}


def aborted_later(result: Result, time_s: float) -> dict[str, np.ndarray]:
    """Return the attempts running at this time whose jobs were requeued later: number, row, start_s, end_s."""
    of = result.attempts_made.columns
    number = np.flatnonzero((of["start_s"] <= time_s) & (of["end_s"] > time_s) & (of["lost"] == 0))
    return {"number": number, **{name: of[name][number] for name in ("row", "start_s", "end_s")}}


def _latest_jobs(result: Result, running: np.ndarray, again: dict[str, np.ndarray]) -> JsonDict:
    """Return the jobs that started last; an attempt that was aborted later has its own nodes and times."""
    names = ["job", "user", "processors", "start_s", "end_s", *(["nodes"] if result.has_nodes else [])]
    start_s = result.columns["start_s"].copy()
    start_s[again["row"]] = again["start_s"]
    attempt = dict(zip(again["row"].tolist(), again["number"].tolist(), strict=True))
    rows = running[np.argsort(start_s[running], kind="stable")[::-1][:LISTED]]
    listed = []
    for row, each in zip(rows.tolist(), result.jobs[rows].select(names).to_dicts(), strict=True):
        run = result.attempts.row(attempt[row], named=True) if row in attempt else {}
        listed.append(each | {name: run[name] for name in ("start_s", "end_s", "nodes") if name in run})
    return {"latest": listed}


def print_at(facts: JsonDict) -> None:
    printing.heading(f"{facts['run']} at {facts['time_s']:,.0f} s")
    printing.row("jobs", ", ".join(f"{facts[name]:,} {name}" for name in ("queued", "running", "ended", "rejected")))
    printing.row("processors", f"{facts['used_processors']:,} of {facts['processors']:,} in use")
    if "resources" in facts:
        printing.row("in use", *(f"{used:,} of {there:,} {name}" for name, (used, there) in facts["resources"].items()))
        printing.row("nodes", f"by {facts['map_of']}: . none, 1 to 9 tenths, # all", *_node_map(facts))
    if facts["latest"]:
        printing.row("running", *(_job_line(each) for each in facts["latest"]), *_earlier_jobs(facts))


def _node_map(facts: JsonDict) -> list[str]:
    """Return lines with one character per node; each group starts a new line."""
    level = np.minimum(np.ceil(np.array(facts["node_use"]) * 10).astype(int), 9)
    level = np.where(np.array(facts["node_use"]) >= 1, 10, level)
    lines, begin = [], 0
    for group, nodes in facts["groups"].items():
        marks = "".join(LEVELS[each] for each in level[begin : begin + nodes])
        lines += [(f"{group}-{k}", marks[k : k + WIDTH]) for k in range(0, nodes, WIDTH)]
        begin += nodes
    wide = max(len(name) for name, _ in lines)
    return [f"{name:<{wide}}  {marks}" for name, marks in lines]


def _job_line(each: JsonDict) -> str:
    where = f" on {each['nodes']}" if each.get("nodes") else ""
    user = "" if each["user"] is None else f" of user {each['user']}"
    size = f"{each['processors']} {'processor' if each['processors'] == 1 else 'processors'}"
    return f"job {each['job']}{user}: {size}{where}, since {each['start_s']:,.0f} s"


def _earlier_jobs(facts: JsonDict) -> list[str]:
    others = facts["running"] - len(facts["latest"])
    return [f"and {others:,} that started earlier"] if others else []
