"""EASY backfilling."""

from __future__ import annotations

from typing import Any

from thinktime.errors import InputError
from thinktime.schedulers.keys import Key
from thinktime.schedulers.native import NativeKey
from thinktime.schedulers.scheduler import Scheduler
from thinktime.spec import one_of


class Easy(Scheduler, name="easy"):
    """Reserves a start for the blocked head of the queue; later jobs backfill if they do not delay it.

    `order` and `backfill_order` (default: the same) sort the queue and the candidates, by name or by an expression such
    as `-tt.key.wait / tt.key.estimate`. With `extra_nodes=False` a candidate must end by the shadow time. With
    `recompute=False` the reservation is computed once, when a job becomes the blocked head. With `count_ties=False` the
    shadow time counts ends only until the head fits, not all ends of that instant. `eligible` is a condition such as
    `wait > 600`: a pass skips the jobs that do not fulfil it, which get no reservation. It is evaluated at every pass,
    and after 1, 2, 4, … minutes if no other event is left. `compat="accasim-1.0"` schedules as AccaSim 1.0 to 1.1.3.
    """

    order: str | Key | NativeKey = "arrival"
    backfill_order: str | Key | NativeKey | None = None
    extra_nodes: bool = True
    recompute: bool = True
    count_ties: bool = True
    deadline_factor: float = 1.0
    eligible: str | Key | NativeKey | None = None
    compat: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.compat is None:
            return
        one_of("compat of easy", self.compat, ["accasim-1.0"])
        if self.replace(compat=None) != Easy():
            raise InputError(f"{self!r}: compat fixes every other option, leave them out")

    def canonical(self) -> dict[str, Any]:
        """Leave out a backfill order that equals the queue order."""
        options = super().canonical()
        return options | {"backfill_order": None} if options["backfill_order"] == options["order"] else options

    def engine_name(self) -> str:
        return f"easy-{self.compat}" if self.compat else self.name

    def engine_options(self) -> dict[str, Any]:
        options = super().engine_options()
        return options | {"backfill_order": options["backfill_order"] or options["order"]}
