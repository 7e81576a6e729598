"""A loop of independent tasks inside every job."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from thinktime.applications.application import Application, ApplicationContext
from thinktime.applications.slowdowns import (
    are_of_groups,
    plan_of_slowdowns,
    plan_of_speeds,
    settled_slowdowns,
    settled_speeds,
    typed_speeds,
)
from thinktime.applications.task_file import file_hash, plan_of_tasks
from thinktime.applications.techniques import Technique, technique_of
from thinktime.errors import InputError
from thinktime.spec import is_number, one_of, text_of
from thinktime.support.random_streams import checked_seed, name_hash

DISTRIBUTIONS = ("normal", "gamma", "exponential")
RELEASE = ("end", "idle")
MOST_TASKS_PER_CORE = 1_000_000
MOST_GAMMA_VARIATION = 10.0  # above it most lengths underflow, and nearly all work is in one task


class Loop(Application, name="loop"):
    """Simulates each job as a loop of tasks that a self-scheduling technique assigns to its cores.

    A job's work is its processors times its recorded run time. Task lengths have a `distribution` (`normal`, `gamma`,
    `exponential`) with a deviation of `variation` times the mean, about `tasks_per_core` for each core, and are drawn
    until their sum reaches the work; without variation all are equal and the job runs as recorded. Or `tasks` is a CSV
    or Parquet file with columns `job` and `task_s`. A request for a chunk costs a core `overhead_s`.

    `speeds` are the speeds of the cores relative to the machine, repeated if there are more cores: a list, or
    `48*1+16*0.5`; or speeds of groups of nodes, `{"fast": 2.0}` or `fast*2` (default 1). `slowdowns` are rows of
    `cores, from_s, to_s, factor`, a list or a CSV file: a core works `factor` times as fast in that time. A job holds
    its idle cores until it ends (`release="end"`) or releases them at once (`"idle"`).

    Eleliemy, Mohammed and Ciorba, "Exploring the relation between two levels of scheduling using a novel simulation
    approach", 2017.
    """

    random: ClassVar[bool] = True
    opens: ClassVar[tuple[str, ...]] = ("slowdowns", "tasks")

    technique: Any = "static"
    variation: float = 0.0
    tasks_per_core: int = 1
    overhead_s: float = 0.0
    distribution: str = "normal"
    tasks: str | None = None
    tasks_sha256: str | None = None
    speeds: Any = ()
    slowdowns: Any = ()
    release: str = "end"

    def __post_init__(self) -> None:
        one_of("distribution of loop", self.distribution, DISTRIBUTIONS)
        one_of("release of loop", self.release, RELEASE)
        self._settle("technique", _settled_technique(self.technique))
        self._settle("variation", self._settled_variation())
        self._settle("overhead_s", self._checked_number("overhead_s", self.overhead_s))
        self._settle("speeds", settled_speeds(self.speeds))
        self._settle("slowdowns", settled_slowdowns(self.slowdowns))
        whole = isinstance(self.tasks_per_core, int) and not isinstance(self.tasks_per_core, bool)
        if not whole or not 1 <= self.tasks_per_core <= MOST_TASKS_PER_CORE:
            raise InputError(
                f"tasks_per_core of loop is {self.tasks_per_core!r}:"
                f" choose a whole number from 1 to {MOST_TASKS_PER_CORE}"
            )
        if self.tasks is not None:
            self._settle("tasks_sha256", file_hash(self.tasks, self.tasks_sha256))

    def _settle(self, option: str, value: Any) -> None:
        object.__setattr__(self, option, value)

    def _settled_variation(self) -> float:
        if self.distribution == "gamma":
            return self._checked_number("variation", self.variation, MOST_GAMMA_VARIATION)
        if self.distribution == "normal":
            return self._checked_number("variation", self.variation)
        if self.variation not in (0.0, 1.0):
            raise InputError(
                f"variation of loop is {self.variation!r} but the deviation of exponential lengths equals"
                " their mean: leave it out, or choose gamma"
            )
        return 1.0

    def _checked_number(self, option: str, value: Any, most: float = 1e9) -> float:
        if not is_number(value) or not math.isfinite(value) or not 0 <= value <= most:
            raise InputError(f"{option} of loop is {value!r}: choose a number from 0 to {most:g}")
        return float(value)

    @property
    def early(self) -> bool:  # type: ignore[override]
        return self.release == "idle"

    def canonical(self) -> dict[str, Any]:
        """Return the options with tables as plain data."""
        rows = [dict(row) for row in self.slowdowns]
        speeds = dict(self.speeds) if are_of_groups(self.speeds) else list(self.speeds)
        technique = technique_of(self.technique).stored()
        return {**self.options(), "technique": technique, "speeds": speeds, "slowdowns": rows}

    def to_dict(self) -> dict[str, Any]:
        return {k: v for k, v in super().to_dict().items() if v != []}

    @classmethod
    def typed_option(cls, option: str, value: Any) -> str:
        """Write equal speeds once, with their number; of slowdowns, which come from a file, the number."""
        if option == "speeds":
            return typed_speeds(value)
        if option == "slowdowns":
            return f"{len(value)} in all"
        if option != "technique":
            return super().typed_option(option, value)
        text = value if isinstance(value, str) else text_of("technique", _data_of(value))
        return f"({text})" if "," in text else text

    def __hash__(self) -> int:
        return hash(repr(self))

    def plan(self, context: ApplicationContext) -> dict[str, Any]:
        return {
            "name": "loop",
            **self._options(context.seed),
            **plan_of_tasks(self.tasks, context),
            **self.plan_of_platform(context),
        }

    def plan_of_platform(self, context: ApplicationContext) -> dict[str, Any]:
        """Return the speeds and slowdowns of the cores."""
        return {
            **plan_of_speeds(self.speeds, context.groups),
            **plan_of_slowdowns(self.slowdowns, context.cores),
        }

    def _options(self, seed: int) -> dict[str, Any]:
        technique = technique_of(self.technique)
        return {
            **technique.engine_options(),
            **technique.live_options(),
            "technique": technique.engine_name(),
            "variation": self.variation,
            "tasks_per_core": float(self.tasks_per_core),
            "overhead_s": self.overhead_s,
            "distribution": self.distribution,
            "tasks_low": str(checked_seed(seed)),
            "tasks_high": str(name_hash("tasks")),
            "technique_low": str(checked_seed(seed)),
            "technique_high": str(name_hash("technique")),
        }


def _settled_technique(value: Any) -> str | Technique:
    """Return the text of a technique, or an own technique itself.

    Remove the parentheses that the command line needs around a technique with several options.
    """
    inner = value.strip()[1:-1] if isinstance(value, str) and value.strip().startswith("(") else value
    technique = technique_of(inner)
    return technique.text() if isinstance(technique.stored(), str) else technique


def _data_of(technique: Technique | Mapping[str, Any]) -> Mapping[str, Any]:
    return technique.to_dict() if isinstance(technique, Technique) else technique
