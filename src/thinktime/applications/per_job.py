"""Application models that differ between jobs: by job number, or by a column of the workload."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.applications.application import Application, ApplicationContext
from thinktime.applications.fixed import Fixed
from thinktime.applications.loop import Loop
from thinktime.applications.techniques import Technique
from thinktime.errors import InputError
from thinktime.spec import REGISTRY, as_spec, from_dict, text_of
from thinktime.spec.text import split_options

if TYPE_CHECKING:
    from thinktime.workload import Workload

#: Options of `loop` that describe the platform, so all jobs share them.
SHARED = ("speeds", "slowdowns", "release")
#: Key of a table: a job number, a value of the column `by`, or its text.
Key = int | float | str


class PerJob(Application, name="per-job"):
    """Gives single jobs, or groups of jobs, an application model of their own.

    `default` is the model of all other jobs. `jobs` has models by job number, `groups` by the values of the column `by`
    (`user`, `group`, `executable`, `queue`, `partition` or an attribute; numbers or texts); `jobs` come first. A model
    is `fixed`, a `loop`, a technique (`"ss"`: the default with another technique) or a table of options that differ
    from the default (`{"technique": "ss", "variation": 0.5}`). `speeds`, `slowdowns` and `release` must be the same for
    all.

    `reports["inside"]` has the model of every job in the column `application`.

    Examples
    --------
    >>> import thinktime as tt
    >>> loops = tt.Loop(technique="gss", variation=0.25, tasks_per_core=8)
    >>> run = tt.simulate(tt.default_workload(jobs=50), applications=tt.PerJob(default=loops, jobs={17: "ss"}))
    >>> run.reports["inside"].filter(job=17)["application"].item()
    'loop:technique=ss,variation=0.25,tasks_per_core=8'
    """

    default: Any = "fixed"
    jobs: Any = ()
    by: str | None = None
    groups: Any = ()

    def __post_init__(self) -> None:
        default = _model(self.default, None, "default")
        self._settle("default", default)
        self._settle("jobs", _table("jobs", self.jobs, default, whole=True))
        self._settle("groups", _table("groups", self.groups, default, whole=False))
        if bool(self.groups) != (self.by is not None):
            raise InputError(
                f'by of per-job is {self.by!r} and groups is {dict(self.groups)!r}: give both, such as by="executable"'
                ' and groups={3: "ss"}'
            )
        self._require_one_platform()

    def _settle(self, option: str, value: Any) -> None:
        object.__setattr__(self, option, value)

    def _require_one_platform(self) -> None:
        loops = self._loops()
        for other in loops[1:]:
            for option in SHARED:
                if getattr(other, option) != getattr(loops[0], option):
                    raise InputError(
                        f"{option} of per-job is {getattr(loops[0], option)!r} for one model and"
                        f" {getattr(other, option)!r} for another: {option} is a property of the platform, so give all"
                        " models the same"
                    )

    def _loops(self) -> list[Loop]:
        return [model for model in self.models() if isinstance(model, Loop)]

    def models(self) -> list[Application]:
        """Return the different models; their places are the numbers of the variants, and the default has 0."""
        every = [self.default, *(model for _, model in self.jobs), *(model for _, model in self.groups)]
        return [model for place, model in enumerate(every) if model not in every[:place]]

    @property
    def inside(self) -> bool:  # type: ignore[override]
        return bool(self._loops())

    @property
    def random(self) -> bool:  # type: ignore[override]
        return bool(self._loops())

    @property
    def early(self) -> bool:  # type: ignore[override]
        return any(model.early for model in self._loops())

    def columns(self) -> set[str]:
        return set() if self.by is None else {self.by}

    # --- as data --------------------------------------------------------------------------------------------

    def canonical(self) -> dict[str, Any]:
        tables = {
            name: {str(key): model.to_dict() for key, model in getattr(self, name)} for name in ("jobs", "groups")
        }
        given = {name: table for name, table in tables.items() if table}
        return {"default": self.default.to_dict(), "by": self.by, **given}

    def __hash__(self) -> int:
        return hash(repr(self.canonical()))

    def __repr__(self) -> str:
        tables = [f", {name}={dict(getattr(self, name))!r}" for name in ("jobs", "groups") if getattr(self, name)]
        by = f", by={self.by!r}" if self.by else ""
        return f"PerJob(default={self.default!r}{by}{''.join(tables)})"

    @classmethod
    def typed_option(cls, option: str, value: Any) -> str:
        """Write models in parentheses, and tables as `(17=(loop:technique=ss),18=(fixed))`."""
        if option == "by":
            return str(value)
        if option == "default":
            return f"({_text_of_model(value)})"
        return f"({','.join(f'{key}=({_text_of_model(model)})' for key, model in dict(value).items())})"

    # --- for the engine -------------------------------------------------------------------------------------

    def plan(self, context: ApplicationContext) -> dict[str, Any]:
        first, *others = self.models()
        shared = self._loops()[0]
        platform = shared.plan_of_platform(context)
        return {
            **_plan_of_model(first, context),
            **platform,
            "variants": [_plan_of_model(model, context) for model in others],
        }

    def variants(self, workload: Workload) -> np.ndarray:
        """Return the number of the model of every job."""
        models, found = self.models(), np.zeros(len(workload), np.int64)
        for key, model in self.groups:
            found[self._members(key, workload)] = models.index(model)
        for number, model in self.jobs:
            found[workload["job"] == number] = models.index(model)
        return found

    def absent_in(self, workload: Workload) -> list[str]:
        absent = [number for number, _ in self.jobs if not (workload["job"] == number).any()]
        unused = [key for key, _ in self.groups if not self._members(key, workload).any()]
        return [
            *(
                f"jobs of per-job has {each}, which is no job of {workload.name}: give numbers of its jobs"
                for each in absent
            ),
            *(
                f"groups of per-job has {key!r}, which no job of {workload.name} has in the column {self.by}:"
                " check its spelling"
                for key in unused
            ),
        ]

    def _members(self, key: Key, workload: Workload) -> np.ndarray:
        by = str(self.by)
        if by not in workload.columns:
            raise InputError(
                f"by of per-job is {by!r}, but {workload.name} has no such column: choose from"
                f" {', '.join(['user', 'group', 'executable', 'queue', 'partition', *workload.attributes])}"
            )
        known = workload.types.get(by)
        text = isinstance(key, str) or (known is not None and known.kind == "text")
        if text and known is not None and (known.labels or known.kind == "text"):
            code = known.labels.index(str(key)) + 1 if str(key) in known.labels else 0
            return np.asarray(workload[by] == code)
        if isinstance(key, str) and not np.isnan(workload[by]).all():  # texts may come in later blocks
            raise InputError(f"groups of per-job has {key!r}, but the column {by} of {workload.name} has no texts")
        return np.asarray(workload[by] == key) if not isinstance(key, str) else np.zeros(len(workload), bool)


def texts_of_models(spec: Mapping[str, Any]) -> list[str]:
    """Return the texts of the models of a stored spec, in the order of `models`."""
    tables = [dict(spec.get(name) or {}) for name in ("jobs", "groups")]
    every = [spec["default"], *(model for table in tables for _, model in sorted(table.items()))]
    return [_text_of_model(model) for place, model in enumerate(every) if model not in every[:place]]


def _plan_of_model(model: Application, context: ApplicationContext) -> dict[str, Any]:
    return {"name": "loop", "fixed": True} if isinstance(model, Fixed) else model.plan(context)


def _text_of_model(model: Application | Mapping[str, Any]) -> str:
    """Return the text of a model or of its data, with the options in the order of the model."""
    if isinstance(model, Application):
        return model.text()
    order = [field.name for field in fields(REGISTRY["application"][model["name"]])]  # type: ignore[arg-type]
    return text_of("application", {"name": model["name"], **{name: model[name] for name in order if name in model}})


def _model(value: Any, default: Application | None, where: str) -> Application:
    """Return the model for a spec, a text, stored data, a technique, or options that differ from the default."""
    if isinstance(value, str):
        value = _unwrapped(value)
        if default is not None and value.partition(":")[0] not in REGISTRY["application"]:
            value = {"technique": value}
    elif isinstance(value, Technique):
        value = {"technique": value}
    if isinstance(value, Mapping):
        value = from_dict("application", dict(value)) if "name" in value else _changed(default, value, where)
    model = as_spec(Application, value, f"{where} of per-job")
    if not isinstance(model, Fixed) and type(model) is not Loop:
        raise InputError(f"{where} of per-job is {model.name}: choose fixed or loop")
    return model


def _changed(default: Application | None, options: Mapping[str, Any], where: str) -> Application:
    if not isinstance(default, Loop):
        raise InputError(
            f"{where} of per-job has the options {dict(options)!r}, which change a loop, but the default is"
            ' fixed: give a whole model, such as "loop:technique=ss"'
        )
    return default.changed(options)


def _table(option: str, value: Any, default: Application, *, whole: bool) -> tuple[tuple[Key, Application], ...]:
    """Return key → model as pairs, sorted by the text of the keys, so that equal tables are equal."""
    given = dict(_split_table(option, value)) if isinstance(value, str) else dict(value)
    pairs = [(_key(option, key, whole), _model(model, default, f"{option} {key}")) for key, model in given.items()]
    return tuple(sorted(pairs, key=lambda pair: str(pair[0])))


def _key(option: str, key: Any, whole: bool) -> Key:
    """Return a key as a number if it is one: TOML and JSON write them as texts."""
    try:
        number = float(key)
    except (TypeError, ValueError):
        number = None
    if number is None and (whole or not isinstance(key, str)):
        raise InputError(f"{option} of per-job has the key {key!r}: give a job number")
    if number is None:
        return str(key)
    return int(number) if number == int(number) else number


def _split_table(option: str, text: str) -> Iterator[tuple[str, str]]:
    for item in filter(None, map(str.strip, split_options(_unwrapped(text)))):
        key, equals, model = item.partition("=")
        if not equals:
            raise InputError(f"{item!r} in {option} of per-job has no model: write {option}=(17=ss,18=fac)")
        yield key.strip(), model.strip()


def _unwrapped(text: str) -> str:
    """Remove the parentheses that the command line needs around commas."""
    text = text.strip()
    return text[1:-1].strip() if text.startswith("(") and text.endswith(")") else text
