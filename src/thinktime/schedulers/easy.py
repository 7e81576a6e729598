"""EASY backfilling."""

from __future__ import annotations

from typing import Any

from thinktime.errors import InputError
from thinktime.schedulers.keys import Key
from thinktime.schedulers.native import NativeKey
from thinktime.schedulers.scheduler import Scheduler
from thinktime.spec import one_of


class Easy(Scheduler, name="easy"):
    """Promises the blocked head a start, and lets later jobs pass if the promise holds.

    `order` and `backfill_order` (None: the same) sort the queue and the candidates, by name or by an
    expression such as `-tt.key.wait / tt.key.estimate`. With `extra_nodes=False` a
    candidate must be over by the promised start. With `recompute=False` the promise is made once, when a job
    becomes the blocked head. With `count_ties=False` the promise counts ends only up to the one that suffices,
    not all that share its instant. With `eligible`, a condition such as `wait > 600`, a job for which it does not hold
    when a pass begins is passed over, neither head nor candidate, as if it had not come yet; so nobody is promised
    anything on its behalf. It is asked at every pass, and when nothing else is left to happen after 1, 2, 4, …
    minutes. `compat="accasim-1.0"` is what AccaSim 1.0 to 1.1.3 really does.
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
        """Candidates in the queue's own order need no order of their own."""
        options = super().canonical()
        return options | {"backfill_order": None} if options["backfill_order"] == options["order"] else options

    def engine_name(self) -> str:
        return f"easy-{self.compat}" if self.compat else self.name

    def engine_options(self) -> dict[str, Any]:
        options = super().engine_options()
        return options | {"backfill_order": options["backfill_order"] or options["order"]}
