"""The keys of a study's file. pydantic checks types; entries check their values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, StrictBool

from thinktime.errors import InputError
from thinktime.metrics import CATALOGUE
from thinktime.metrics.jobs import TAU_S
from thinktime.spec import options_of, suggestion
from thinktime.study import sources
from thinktime.study.dimensions import NAMES, SPECS, Entry, entry, plugins_of
from thinktime.support.random_streams import checked_seed
from thinktime.traces import find_log, log_name

RULES = ("overrun", "oversized", "same_instant", "admission")
SEEDS = 100_000  # at most


class Closed(BaseModel):
    """A table that takes no other keys."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True, frozen=True)


def _some_text(text: str) -> str:
    if not text.strip():
        raise InputError(f"name must not be empty (got {text!r})")
    return text


def _table_file(value: Any) -> Any:
    """Check the name of a table of requests; the hash of the file is part of the run."""
    if isinstance(value, Path):
        return str(value)
    if value is not None and not (isinstance(value, str) and value.strip()):
        raise InputError(
            f"requests of a workload is {value!r}: give the path of a .csv or .parquet file with a column job and"
            " one for each resource or pool, or columns of the log, as in gpu=gpus"
        )
    return value


class WorkloadTable(Closed):
    """One of `log`, `generator` and `resample`, with the options of the last two."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: Annotated[str, AfterValidator(_some_text)] | None = None
    log: str | None = None
    generator: str | None = None
    resample: str | list[str] | None = None  # a log, several that are mixed, or the generator `default`
    requests: Annotated[str | None, BeforeValidator(_table_file)] = None  # on clusters: a table by job, or columns
    scale_load: Any = None  # a table with factor and by, or a list of these


def _specs(key: str) -> Any:
    dimension = next(each for each in SPECS if each.key == key)
    return Annotated[list[Annotated[Entry, PlainValidator(lambda value: entry(dimension, value))]], Field(min_length=1)]


class RulesTable(Closed):
    """One set of the simulation's rules."""

    name: str = "default"
    overrun: str = "extend"
    oversized: str = "reject"
    same_instant: str = "batch"
    admission: str | None = None  # of clusters
    plugins: list[Any] = []  # of clusters: texts such as "failures:mtbf_h=1000", or tables with name and options

    def to_entry(self) -> Entry:
        given = {rule: getattr(self, rule) for rule in RULES}
        plugins = {"plugins": [plugin.to_dict() for plugin in plugins_of(self.plugins)]} if self.plugins else {}
        return Entry(self.name, {rule: value for rule, value in given.items() if value is not None} | plugins)


def _checked_rules(rules: RulesTable) -> RulesTable:
    from thinktime.simulation import settings
    from thinktime.spec import one_of

    for rule in RULES:
        if getattr(rules, rule) is not None:
            one_of(rule, getattr(rules, rule), getattr(settings, rule.upper()))
    plugins_of(rules.plugins)
    return rules


def _window(window: tuple[float, float]) -> tuple[float, float]:
    from thinktime.metrics.window import check_window

    check_window(window)
    return window


class SummaryTable(Closed):
    """Options of `Result.summary`."""

    window: Annotated[tuple[float, float], AfterValidator(_window)] | None = None
    warmup_s: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    cooldown_s: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    tau_s: float = Field(default=TAU_S, gt=0, allow_inf_nan=False)

    def options(self) -> dict[str, Any]:
        return {key: value for key, value in self.model_dump().items() if value is not None}


def _seeds(value: Any) -> Any:
    """Return the seeds 1 … n of a number, or the seeds that are listed."""
    if isinstance(value, int) and not isinstance(value, bool):
        if not 1 <= value <= SEEDS:
            raise InputError(f"seeds must be between 1 and {SEEDS:,}, or a list of seeds (got {value})")
        return list(range(1, value + 1))
    return value


def _distinct(seeds: list[int]) -> list[int]:
    if not seeds or len(set(seeds)) < len(seeds):
        raise InputError("seeds must be one or more different numbers")
    return seeds


def _check_cell_condition(value: Any) -> Any:
    """Check a condition on cells: dimension → name, pattern with *, or a list of them."""
    if not isinstance(value, dict) or not value:
        raise InputError(f'a condition must be a table such as {{ scheduler = "fcfs" }} (got {value!r})')
    for key, wanted in value.items():
        if key not in NAMES:
            raise InputError(f"unknown dimension {key!r}{suggestion(key, NAMES)}: choose from {', '.join(NAMES)}")
        if not all(isinstance(each, str | int) for each in (wanted if isinstance(wanted, list) else [wanted])):
            raise InputError(f"{key} of a condition must be a name or a list of names (got {wanted!r})")
    return value


Where = Annotated[dict[str, Any], BeforeValidator(_check_cell_condition)]


class StudyModel(Closed):
    """The whole file."""

    name: Annotated[str, AfterValidator(_some_text)] = Field(max_length=100)
    question: str = ""  # what the study answers; the report opens with it
    keep: Literal["summary", "jobs"] = "summary"  # what the store holds of a run
    decisions: StrictBool = False  # whether the duration of each scheduling pass is recorded
    baseline: dict[str, Any] | str | None = None  # a scheduler or a condition, with which the others are compared
    metrics: list[str] = Field(default_factory=lambda: list(CATALOGUE.default()), min_length=1)
    workloads: list[WorkloadTable | str] = Field(min_length=1)
    platforms: _specs("platforms") | None = None  # type: ignore[valid-type]
    schedulers: _specs("schedulers")  # type: ignore[valid-type]
    allocators: _specs("allocators") | None = None  # type: ignore[valid-type]
    users: _specs("users") | None = None  # type: ignore[valid-type]
    applications: _specs("applications") | None = None  # type: ignore[valid-type]
    estimates: _specs("estimates") | None = None  # type: ignore[valid-type]
    rules: list[Annotated[RulesTable, AfterValidator(_checked_rules)]] = Field(default=[RulesTable()], min_length=1)
    seeds: Annotated[
        list[Annotated[int, PlainValidator(checked_seed)]], BeforeValidator(_seeds), AfterValidator(_distinct)
    ] = [1]
    only: list[Where] = []
    skip: list[Where] = []
    summary: SummaryTable = SummaryTable()


def workload_entry(table: WorkloadTable | str, base: Path) -> Entry:
    """Return the entry of a workload; paths are relative to the folder of the study's file."""
    if isinstance(table, str):
        table = _from_text(table)
    found = _jobs_entry(table, base)
    if table.scale_load is not None:
        found = _scaled_entry(found, table)
    if table.requests is None:
        return found
    from thinktime.platforms.request_files import named_requests

    if named := named_requests(table.requests):
        return Entry(found.name, {**found.spec, sources.REQUEST_COLUMNS: named})
    return Entry(found.name, sources.with_requests(dict(found.spec), base / table.requests))


def _scaled_entry(found: Entry, table: WorkloadTable) -> Entry:
    """Return the entry with its load scaled; the name says so unless one was given."""
    source = sources.with_scaled_load(dict(found.spec), table.scale_load)
    said = ", ".join(f"{step['factor']:g} by {step['by']}" for step in source[sources.SCALE_LOAD])
    return Entry(found.name if table.name else f"{found.name} (load × {said})", source)


def _jobs_entry(table: WorkloadTable, base: Path) -> Entry:
    more = dict(table.model_extra or {})
    if sum(each is not None for each in (table.log, table.generator, table.resample)) != 1:
        raise InputError("a workload needs one of the keys log, generator and resample")
    if table.resample is not None:
        return _resample_entry(table, more, base)
    if table.generator is not None:
        return _generator_entry(table.generator, table.name, more, base)
    assert table.log is not None
    for key in more:
        if key not in sources.READING:
            near = suggestion(key, sources.READING)
            raise InputError(f"unknown key {key!r} of a log{near}: use name, requests, {', '.join(sources.READING)}")
    path = find_log(table.log, base=base)
    return Entry(table.name or log_name(path), sources.from_log(path, more))


def _from_text(text: str) -> WorkloadTable:
    """`kth.swf.gz`, `default`, `lublin:jobs=1000`, or `resample:log=kth.swf.gz,load=1.2`."""
    name, colon, _ = text.partition(":")
    if name in sources.GENERATORS:
        return WorkloadTable(name=text, generator=name, **options_of(text))
    if name != sources.RESAMPLE or not colon:
        return WorkloadTable(log=text)
    options = options_of(text)
    if not isinstance(options.get("log"), str):
        raise InputError(f"{text!r} names no log: write resample:log=FILE, then options")
    return WorkloadTable(resample=options.pop("log"), **options)


def _generator_entry(name: str, label: str | None, more: dict[str, Any], base: Path) -> Entry:
    """Return the entry of a generator; one that is fitted to a log needs the log and its cluster."""
    if name != sources.LEARNS or not isinstance(more.get("from"), str):
        return Entry(label or name, sources.from_generator(name, more))
    path = find_log(more.pop("from"), base=base)
    reading = {key: more.pop(key) for key in sources.READING if key in more}
    return Entry(label or name, sources.from_learning(sources.from_log(path, reading), more.pop("cluster", None), more))


def _resample_entry(table: WorkloadTable, more: dict[str, Any], base: Path) -> Entry:
    """Return the entry of a resample.

    One or several logs, read alike, or a generator, with the options of resampling.
    """
    logs = [table.resample] if isinstance(table.resample, str) else list(table.resample or ())
    if not logs:
        raise InputError("resample is empty: give the path of one or several logs")
    reading = {key: more.pop(key) for key in sources.READING if key in more}
    found = [
        (name, sources.from_generator(name, {}))
        if name in sources.GENERATORS
        else (log_name(path := find_log(name, base=base)), sources.from_log(path, reading))
        for name in logs
    ]
    names, made = [name for name, _ in found], [source for _, source in found]
    said = ", ".join(f"{key}={value}" for key, value in more.items())
    usual = f"{'+'.join(names)} resampled" + (f" ({said})" if said else "")
    return Entry(table.name or usual, sources.from_resample(made[0], made[1:], more))
