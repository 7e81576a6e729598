"""Reads a study from its TOML file, or from the same keys in Python. Errors name the line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError
from thinktime.platforms.cluster_file import paths_from
from thinktime.spec import suggestion
from thinktime.study.dimensions import SPECS, Entry, defaults
from thinktime.study.grid_checks import check_names, check_study
from thinktime.study.study import Study
from thinktime.support.files import parse_toml
from thinktime.support.json_types import JsonTable
from thinktime.support.toml_lines import line_of, text_of_file
from thinktime.trust import TrustError, reading

if TYPE_CHECKING:
    from thinktime.metrics.metric import RunKind
    from thinktime.study.study_file_keys import StudyModel

HOW_TO_BEGIN = "`thinktime study init` writes an example"


def read(path: Path, *, trust: bool = False) -> Study:
    text = text_of_file(path, HOW_TO_BEGIN)
    try:
        keys = parse_toml(text)
    except ValueError as error:
        raise InputError(f"{path} is not TOML: {error}: {HOW_TO_BEGIN}") from None
    with reading(trust):
        study = from_keys(keys, path.absolute().parent, text, str(path))
    return replace(study, trusted=trust)


def from_keys(keys: JsonTable, base: Path, text: str = "", file: str = "the study") -> Study:
    """Return the study of these keys. `text` is the file, for line numbers."""
    from pydantic import ValidationError

    from thinktime.study.study_file_keys import StudyModel, workload_entry

    try:
        with paths_from(base):
            model = StudyModel.model_validate(dict(keys))
    except ValidationError as error:
        raise _untrusted(error) or InputError(_first_mistake(error, keys, text, file)) from None
    workloads = [
        _at(text, file, ("workloads", k), lambda table=table: workload_entry(table, base))
        for k, table in enumerate(model.workloads)
    ]
    return _made(model, workloads, base, text, file)


def _made(model: StudyModel, workloads: list[Entry], base: Path, text: str, file: str) -> Study:
    grid = _grid_of(model, workloads, text, file)
    _at(text, file, ("metrics",), lambda: check_metrics(model.metrics, grid))
    baseline = {"scheduler": model.baseline} if isinstance(model.baseline, str) else dict(model.baseline or {})
    _at(text, file, ("baseline",), lambda: _check_baseline(baseline, grid))
    study = Study(
        name=model.name,
        question=model.question,
        keep=model.keep,
        decisions=model.decisions,
        baseline=baseline,
        metrics=tuple(model.metrics),
        grid=grid,
        seeds=tuple(model.seeds),
        only=tuple(model.only),
        skip=tuple(model.skip),
        summary=model.summary.options(),
        text=text,
        base=base,
    )
    _at(text, file, (), lambda: check_study(study))
    return study


def _grid_of(model: StudyModel, workloads: list[Entry], text: str, file: str) -> dict[str, list[Entry]]:
    """Return dimension → its entries, with the defaults of dimensions that are not given; names must be unique."""
    grid = {"workload": workloads}
    for dimension in SPECS:
        given = getattr(model, dimension.key)
        grid[dimension.name] = list(given) if given is not None else defaults(dimension)
    grid["rules"] = [rules.to_entry() for rules in model.rules]
    for name, entries in grid.items():
        key = next((each.key for each in SPECS if each.name == name), {"workload": "workloads"}.get(name, name))
        _at(text, file, (key,), lambda name=name, entries=entries: check_names({name: entries}))
    return grid


def check_metrics(metrics: Sequence[str], grid: Mapping[str, Sequence[Entry]]) -> None:
    """Raise InputError for a metric that is unknown, or that no run of the grid has.

    Metrics of tasks need an application model in every run, metrics of plugins need rules with the plugin.
    """
    from thinktime.metrics import CATALOGUE

    fixed = any(entry.spec.get("name", "fixed") == "fixed" for entry in grid["applications"])
    for name in metrics:
        if name not in CATALOGUE:
            raise InputError(f"unknown metric {name!r}{suggestion(name, CATALOGUE)}: see `thinktime run --json`")
        runs = CATALOGUE[name].runs
        if runs.application and fixed:
            raise InputError(
                f"the metric {name!r} needs an application model in every run, but applications has 'fixed': list"
                " only others, such as loop:technique=gss"
            )
        if runs.plugin and not any(_have(entry.spec, runs) for entry in grid["rules"]):
            raise InputError(
                f"the metric {name!r} needs the plugin {runs.plugin}, which no rules of the study have:"
                f' write plugins = ["{runs.plugin}"] below [[rules]], with options as needed'
            )


def _have(rules: JsonTable, runs: RunKind) -> bool:
    """Whether runs under these rules have the plugin, or one of the user that may abort jobs."""
    from thinktime.spec import REGISTRY

    names = [str(plugin.get("name")) for plugin in rules.get("plugins", ())]
    own = any(REGISTRY["plugin"][name].__module__.partition(".")[0] != "thinktime" for name in names)
    return runs.plugin in names or (own and runs.any_plugin_aborts)


def _check_baseline(baseline: JsonTable, grid: Mapping[str, Sequence[Entry]]) -> None:
    for dimension, name in baseline.items():
        known = [each.name for each in grid.get(dimension, ())]
        if dimension not in grid:
            raise InputError(
                f"unknown dimension {dimension!r}{suggestion(dimension, grid)}: choose from {', '.join(grid)}"
            )
        if name not in known:
            near = suggestion(str(name), known)
            raise InputError(f"unknown {dimension} {name!r} of the baseline{near}: choose from {', '.join(known)}")


def _at(text: str, file: str, path: Sequence[str | int], make: Any) -> Any:
    """Return what `make` makes; an InputError gets the line of the key."""
    try:
        return make()
    except InputError as error:
        raise InputError(f"{_place(text, file, path)}: {error}") from None


def _place(text: str, file: str, path: Sequence[str | int]) -> str:
    line = line_of(text, path)
    return file if line is None else f"{file} line {line}"


def _first_mistake(error: Any, keys: JsonTable, text: str, file: str) -> str:
    """The first mistake that pydantic found, in our words."""
    found = min(error.errors(), key=lambda each: line_of(text, _path(each)) or len(text) + 1)
    more = len({_path(each)[:2] for each in error.errors()}) - 1
    also = f" ({more} more {'mistake' if more == 1 else 'mistakes'} in this file)" if more > 0 else ""
    misplaced = _misplaced(found, keys, text)
    return f"{_place(text, file, _path(found))}: {misplaced or _rule(found)}{also}"


def _untrusted(error: Any) -> TrustError | None:
    """A class that would have to be imported, if that is among the mistakes."""
    causes = (each.get("ctx", {}).get("error") for each in error.errors())
    return next((cause for cause in causes if isinstance(cause, TrustError)), None)


def _misplaced(found: JsonTable, keys: JsonTable, text: str) -> str:
    """A key that is missing above because it was written below a table's heading, and so belongs to the table."""
    key = found["loc"][0]
    if found["type"] != "missing" or len(found["loc"]) > 1:
        return ""
    for name, tables in keys.items():
        for k, table in enumerate(tables if isinstance(tables, list) else [tables]):
            if isinstance(table, Mapping) and key in table:
                line = line_of(text, (name, k, key))
                return (
                    f"{key} is below the heading [{name}] (line {line}) and so belongs to it: move it above all tables"
                )
    return ""


def _path(found: JsonTable) -> tuple[str | int, ...]:
    """The keys of the file; pydantic also names the types that it tried."""
    loc = found["loc"]
    inside = ("WorkloadTable", "str", "function-", "lax-or-strict", "constrained-", "list[", "dict[")
    return loc[:1] + tuple(part for part in loc[1:] if not (isinstance(part, str) and part.startswith(inside)))


def _rule(found: JsonTable) -> str:
    path, kind = _path(found), found["type"]
    key = ".".join(str(part) for part in path)
    if isinstance(cause := found.get("ctx", {}).get("error"), InputError):
        return str(cause)
    if kind == "extra_forbidden":
        return _unknown(path)
    if kind == "missing":
        return f"the key {key} is missing: add it ({HOW_TO_BEGIN})"
    said = found["msg"][:1].lower() + found["msg"][1:]
    return f"{key} is {found['input']!r}, but {said.replace('input should', 'it should')}: correct the value"


def _unknown(path: tuple[str | int, ...]) -> str:
    """State that a key is unknown, and suggest the nearest one."""
    from thinktime.study import study_file_keys as keys

    where = [part for part in path[:-1] if isinstance(part, str)]
    tables: dict[str, type[keys.Closed]] = {
        "rules": keys.RulesTable,
        "summary": keys.SummaryTable,
        "workloads": keys.WorkloadTable,
    }
    table: type[keys.Closed] = tables[where[0]] if where else keys.StudyModel
    known = list(table.model_fields)
    of = f" of {where[0]}" if where else ""
    key = str(path[-1])
    return f"unknown key {key!r}{of}{suggestion(key, known)}: choose from {', '.join(known)}"


#: The study that `thinktime study init` writes: it runs as it is, on the package's own workload.
EXAMPLE = """\
# A study: a grid of runs. `thinktime study run FILE` runs what its store does not have yet, `thinktime study compare
# FILE` compares the configurations, `thinktime report FILE` writes a page. Required: name, workloads and schedulers.

name = "backfilling"
question = "Does it pay to backfill, and does the order of the candidates matter?"

seeds = 10                # ten replications, seeds 1 to 10; or a list: [1, 2, 3]
baseline = "fcfs"         # what the other configurations are compared with
# keep = "jobs"           # keep every job of every run, not only the summary
# decisions = true        # record the duration of each scheduling pass
metrics = ["wait_mean_s", "bounded_slowdown_mean", "utilisation"]

# One run for every workload, platform, scheduler, … and seed. An entry is a text, as on the command line, or a
# table with a name.
schedulers = [
    "fcfs",
    "easy",
    { name = "easy-sjbf", spec = "easy:backfill_order=sjf" },
    "conservative",
]
platforms = ["log"]       # the machine of the workload; also "machine:processors=256", "log:processors_factor=2"
users = ["rigid"]         # every job is submitted at its recorded time
estimates = ["requested"] # or "perfect", "at_least:2"

# The built-in generator; each seed gives another workload.
[[workloads]]
generator = "default"
weeks = 4
load = 0.8

# A log: a path relative to this file, or the name of a log in the folder of logs. Nothing is random in a log, so it is
# run once for each configuration, whatever the seeds.
# [[workloads]]
# log = "KTH-SP2-1996-2.1-cln.swf.gz"
# name = "kth"
# filter = "base"

[summary]
warmup_s = 604800         # exclude the first week from the metrics

# Combinations to leave out: names, or patterns with *.
# [[skip]]
# scheduler = "conservative"
# workload = "kth"
"""
