"""A study: a grid of runs, workloads × platforms × schedulers × … × seeds, without skipped combinations."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import product
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar
from uuid import uuid4

from thinktime import __version__
from thinktime.errors import InputError
from thinktime.metrics import CATALOGUE
from thinktime.metrics.jobs import TAU_S
from thinktime.result.canonical_json import digest_of
from thinktime.spec import Spec
from thinktime.spec.own_source import reusable
from thinktime.study import sources
from thinktime.study.dimensions import Entry, cell_matches
from thinktime.study.own_classes import checked_own_classes, import_own_classes, is_random_spec, own_classes, specs_in
from thinktime.support.html import facts_html
from thinktime.support.json_types import JsonDict, JsonTable

if TYPE_CHECKING:
    from thinktime.study.runner import Executor, Studied

T = TypeVar("T")
Several: TypeAlias = T | Sequence[T]
Table: TypeAlias = JsonTable  # of a study's file
SpecLike: TypeAlias = Spec | str | Table

#: Raised when the meaning of a task changes without a new version of the package.
TASK_FORMAT = 1
HELD_APART = ("grid", "base", "own", "trusted", "fresh")  # fields that `to_dict` treats separately
NEVER_REUSED = "cannot read the source of its code, or of a value that it refers to: its runs are never reused"


@dataclass(frozen=True)
class Task:
    """One run of a study, ready to be executed anywhere."""

    run: str  # hash of everything that affects the run: its name in the store
    cell: JsonTable  # dimension → the entry's name, or the seed
    spec: JsonTable  # dimension → spec; with summary options, version
    keep: str  # "summary", or "jobs": the run directory too


@dataclass(frozen=True, kw_only=True)
class Study:
    """A grid of runs, from a file (`Study.read`) or from Python (`Study.of`)."""

    name: str
    grid: Mapping[str, Sequence[Entry]]  # dimension → its entries; seeds are apart
    seeds: Sequence[int] = (1,)
    question: str = ""
    keep: str = "summary"
    decisions: bool = False  # whether the duration of each scheduling pass is recorded
    baseline: JsonTable = field(default_factory=dict)
    metrics: Sequence[str] = field(default_factory=CATALOGUE.default)
    only: Sequence[JsonTable] = ()
    skip: Sequence[JsonTable] = ()
    summary: JsonTable = field(default_factory=lambda: {"tau_s": TAU_S})
    text: str = ""  # the file that it was read from
    base: Path = field(default_factory=Path)  # folder that its relative paths start from
    own: Mapping[str, JsonTable] = field(default_factory=dict)  # the user's own classes that a store names
    trusted: bool = True  # whether running it may import and start what it names
    fresh: str = ""  # part of the hashes if code cannot be read, so that no run is reused

    @classmethod
    def read(cls, path: str | Path, *, trust: bool = False) -> Study:
        """Read a study from a TOML file; errors name the line.

        Parameters
        ----------
        path : str or path
            The TOML file.
        trust : bool
            Import the classes that the file names as `module:Class`, and let `run` start the commands that it names
            (default False).
        """
        from thinktime.study.study_file import read

        return read(Path(path), trust=trust)

    @classmethod
    def of(
        cls,
        *,
        name: str,
        workloads: Several[str | PathLike[str] | Table],
        schedulers: Several[SpecLike],
        platforms: Several[SpecLike | int] | None = None,
        allocators: Several[SpecLike] | None = None,
        users: Several[SpecLike] | None = None,
        applications: Several[SpecLike] | None = None,
        estimates: Several[SpecLike] | None = None,
        rules: Several[Table] | None = None,
        seeds: int | Sequence[int] = 1,
        baseline: str | Mapping[str, str] | None = None,
        metrics: Several[str] | None = None,
        only: Several[Table] = (),
        skip: Several[Table] = (),
        summary: Table | None = None,
        question: str = "",
        keep: Literal["summary", "jobs"] = "summary",
        decisions: bool = False,
    ) -> Study:
        """Describe a grid of runs: every combination of workload, platform, scheduler and so on, with every seed.

        The arguments are the keys of a study's file. Where several entries are taken, one may be given alone. An entry
        is a spec (`tt.Easy()`), its text on the command line (`"easy:order=sjf"`), or a table with `spec` and `name`.

        Parameters
        ----------
        name
            Name of the study.
        workloads
            Logs by name or path, generators (`"lublin:jobs=900"`), resamples (`"resample:log=kth.swf.gz,load=1.2"`), or
            tables with one of the keys `log`, `generator` and `resample`, and options.
        schedulers, allocators, users, applications, estimates
            As in `simulate`. Default: first fit on clusters, rigid users, recorded run times, requested times.
        platforms
            Machines: numbers of processors, specs, or the names or files of clusters. Default: the machine of each log.
        rules
            Tables with `overrun`, `oversized`, `same_instant`, `admission`, `plugins` and `name`.
        seeds
            Number of seeds (1, 2, …), or the seeds. What draws nothing at random is run once.
        baseline
            The scheduler that the others are compared with, or a table such as `{"users": "rigid"}`. Default: the
            first.
        metrics
            Names of the metrics to compare. Default: mean wait, mean bounded slowdown and utilisation.
        only, skip
            Conditions on combinations to run, or not to run, such as `{"scheduler": "fcfs", "workload": "kth*"}`.
        summary
            Options of `Result.summary`: `window`, `warmup_s`, `cooldown_s`, `tau_s`.
        question
            What the study is to answer; the report opens with it.
        keep
            What the store keeps of a run: `"summary"` (default), or `"jobs"`, the whole run directory.
        decisions
            Whether to record the duration of each scheduling pass (default False).

        Returns
        -------
        Study
            Run it with `study.run("folder")`.

        Raises
        ------
        InputError
            If an entry is not understood, or if a combination cannot be simulated.

        Examples
        --------
        >>> import thinktime as tt
        >>> tt.Study.of(name="order", workloads="lublin:jobs=100", schedulers=["fcfs", tt.Easy()], platforms=256)
        <Study order: 2 runs of 1 workload and 2 schedulers>
        """
        from thinktime.study.study_file import from_keys

        several = {
            "workloads": workloads,
            "schedulers": schedulers,
            "platforms": platforms,
            "allocators": allocators,
            "users": users,
            "applications": applications,
            "estimates": estimates,
            "rules": rules,
            "metrics": metrics,
            "only": only,
            "skip": skip,
        }
        keys: JsonDict = {key: _several_entries(value) for key, value in several.items() if value is not None}
        others = {"seeds": seeds, "baseline": baseline, "summary": summary}
        keys |= {key: value for key, value in others.items() if value is not None}
        return from_keys({**keys, "name": name, "question": question, "keep": keep, "decisions": decisions}, Path())

    def __repr__(self) -> str:
        counts = {dimension: len(entries) for dimension, entries in self.grid.items() if len(entries) > 1}
        counts = {"workload": len(self.grid["workload"]), "scheduler": len(self.grid["scheduler"])} | counts
        parts = [_count_with_noun(count, dimension) for dimension, count in counts.items()]
        seeds = f", {len(self.seeds)} seeds" if len(self.seeds) > 1 else ""
        return f"<Study {self.name}: {_count_with_noun(len(self._tasks), 'run')} of {' and '.join(parts)}{seeds}>"

    def _repr_html_(self) -> str:
        rows = {dimension: ", ".join(each.name for each in entries) for dimension, entries in self.grid.items()}
        facts = {**{name: text for name, text in rows.items() if text}, "metric": ", ".join(self.metrics)}
        return facts_html(repr(self).strip("<>"), facts)

    def run(
        self, store: str | Path, *, threads: int | None = None, executor: Executor | None = None, again: bool = False
    ) -> Studied:
        """Run what the store does not have yet, and return the study with its runs.

        Parameters
        ----------
        store
            Folder of the outcomes; it is made if it does not exist. An interrupted study continues.
        threads
            Number of threads (default: one per core).
        executor
            Where to run instead of here: `thinktime.study.executors.DaskExecutor` and others.
        again
            Whether to repeat runs that failed before (default False).

        Returns
        -------
        Studied
            The table of runs, `compare()`, `plot()`, and `result(...)` of single runs.
        """
        from thinktime.study.executors import Local
        from thinktime.study.runner import run_in_store

        study = self.renewed()
        study.warn_of_unknown_code()
        return run_in_store(study, Path(store), executor or Local(threads), again=again)

    def warn_of_unknown_code(self) -> None:
        """Warn about runs that are computed each time."""
        for name in self.never_reused():
            warnings.warn(f"{name}: {NEVER_REUSED}", stacklevel=3)

    def tasks(self) -> list[Task]:
        """Return every run of the grid in order, the seeds innermost."""
        if not self._tasks:
            raise InputError("the study has no runs: only and skip exclude the whole grid")
        return self._tasks

    @cached_property
    def _tasks(self) -> list[Task]:
        return [task for cell in self._cells() for task in self._seeded(cell)]

    def to_dict(self) -> JsonDict:
        """Return the study as a store keeps it, with logs by their hashes."""
        grid = {name: [[each.name, dict(each.spec)] for each in entries] for name, entries in self.grid.items()}
        names = [each.name for each in fields(self) if each.name not in HELD_APART]
        own = own_classes(self.grid, self.own)
        fresh = ({"fresh": self.fresh} if self.fresh else {}) | ({"own": own} if own else {})
        return {"grid": grid, "base": str(self.base), **{name: getattr(self, name) for name in names}, **fresh}

    @classmethod
    def from_dict(cls, data: JsonTable) -> Study:
        """Return the study of `to_dict`, not trusted; the files that it was read from are not needed.

        Parameters
        ----------
        data : mapping
            The result of `to_dict`.
        """
        grid = {name: [Entry(*each) for each in entries] for name, entries in data["grid"].items()}
        return cls(
            **{
                **data,
                "grid": grid,
                "base": Path(data["base"]),
                "own": checked_own_classes(data.get("own", {})),
                "trusted": False,
            }
        )

    def renewed(self) -> Study:
        """Return the study for a new start: runs whose code cannot be read get new hashes."""
        import_own_classes(self)
        return self if all(reusable(task.spec) for task in self._tasks) else replace(self, fresh=uuid4().hex)

    def never_reused(self) -> list[str]:
        """Return the names of the entries whose code cannot be read."""
        every = [each for entries in self.grid.values() for each in entries]
        return [each.name for each in every if not reusable(each.spec)]

    def unseeded(self) -> int:
        """Return the number of cells without random draws, which are run once whatever the number of seeds."""
        return sum(not self._is_random(cell) for cell in self._cells())

    def _cells(self) -> Iterator[dict[str, Entry]]:
        names = [name for name, entries in self.grid.items() if entries]
        for entries in product(*(self.grid[name] for name in names)):
            yield dict(zip(names, entries, strict=True))

    def _seeded(self, cell: dict[str, Entry]) -> Iterator[Task]:
        """Yield one task per seed, or one task if nothing is random: a repeated run would not be a replication."""
        for seed in self.seeds if self._is_random(cell) else self.seeds[:1]:
            names = {name: each.name for name, each in cell.items()} | {"seed": seed}
            if self._wanted(names):
                yield self._task(cell, names, seed)

    def _is_random(self, cell: Mapping[str, Entry]) -> bool:
        """Whether anything in the cell draws random numbers."""
        specs = specs_in({name: [each] for name, each in cell.items()})
        return sources.is_random(cell["workload"].spec) or any(is_random_spec(*each, self.own) for each in specs)

    def _task(self, cell: dict[str, Entry], names: JsonDict, seed: int) -> Task:
        spec: JsonDict = {name: dict(each.spec) for name, each in cell.items()}
        spec |= {"seed": seed, "summary": dict(self.summary), "version": __version__, "task_format": TASK_FORMAT}
        spec |= {"decisions": True} if self.decisions else {}
        content = {**spec, "workload": sources.identity(spec["workload"])}
        content |= {} if reusable(spec) else {"fresh": self.fresh}
        return Task(digest_of(content), names, spec, self.keep)

    def _wanted(self, names: JsonTable) -> bool:
        kept = not self.only or any(cell_matches(where, names) for where in self.only)
        return kept and not any(cell_matches(where, names) for where in self.skip)


def _several_entries(value: Any) -> list[Any]:
    """Return a list of one or several entries; a path is the text of its name."""
    several = [value] if isinstance(value, str | Mapping | Spec | PathLike | int) else list(value)
    return [str(each) if isinstance(each, PathLike) else each for each in several]


def _count_with_noun(count: int, noun: str) -> str:
    plural = noun if noun.endswith("s") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"
