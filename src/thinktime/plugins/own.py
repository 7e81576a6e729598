"""Own plugins in Python: callbacks that publish values, veto starts, close nodes and abort jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from thinktime.errors import InputError
from thinktime.plugins.context import Context
from thinktime.plugins.plugin import Columns, Plugin
from thinktime.spec import is_number
from thinktime.spec.own import Called, OwnSpec, one_line
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.support.time_units import LATEST_S

#: callback → what it must return
CALLBACKS: Mapping[str, str] = {
    "begin": "nothing",
    "act": "nothing",
    "submitting": "yes or no",
    "submitted": "nothing",
    "before_pass": "nothing",
    "after_pass": "nothing",
    "starting": "yes or no",
    "delay": "seconds",
    "started": "nothing",
    "shrunk": "nothing",
    "ending": "nothing",
    "ended": "nothing",
}


class OwnPlugin(OwnSpec, Plugin):
    """Base of plugins in Python: `start(context)` returns the behaviour of one simulation (default: this object).

    A behaviour has any of these methods; methods that it does not define cost nothing. Jobs are rows of the workload.

    * `begin(system)`: before the first instant
    * `act(system)`: at the time requested with `system.wake(time_s)`
    * `submitting(system, job)`: False rejects the job; `submitted(system, job)`
    * `before_pass(system)` and `after_pass(system)`: around the decisions of the scheduler
    * `starting(system, job)`: False vetoes the start; `delay(system, job)`: seconds to hold the nodes before the run
    * `started(system, job)`; `shrunk(system, job)`: the job has released idle cores
    * `ending(system, job)`: the job still has its nodes; `ended(system, job)`; both also for aborted runs
    * `report()`: a table {column: values} for `result.reports`

    `system` has `now_s`, `queue`, `running`, `free`, `nodes`, `node_free`, `values` (published by plugins),
    `running_on(node)`, `placement(job)`, `start_s(job)`, `expected_s(job)`, `worked_s(job)`, `is_running(job)` and
    `is_closed(node)`. It can `publish(name, value)` and `wake(time_s)`; in `act`, `submitted` and `before_pass` also
    `close(node)`, `open(node)` and `abort(job, lost=False, saved_s=0, restart_s=0)`. Real run times are hidden.

    `class Market(tt.OwnPlugin, publishes=("price",))` declares published values for keys: `tt.key.value("price")`.

    Examples
    --------
    >>> import thinktime as tt
    >>> class OneAtATime(tt.OwnPlugin):
    ...     def starting(self, system, job):
    ...         return len(system.running) == 0
    """

    vetoes: ClassVar[bool] = True
    reports_at_end: ClassVar[bool] = True
    values_published: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, name: str | None = None, publishes: Iterable[str] | None = None) -> None:
        if publishes is not None:
            cls.values_published = (publishes,) if isinstance(publishes, str) else tuple(publishes)
        for value in cls.values_published:
            if not isinstance(value, str) or not value.isidentifier():
                raise InputError(f"{cls.__name__} publishes {value!r}: use names of letters, digits and _")
        super().__init_subclass__(name=cls.take_name(name))

    def published(self) -> tuple[str, ...]:
        return self.values_published

    def start(self, context: Context) -> Any:
        """Return the behaviour of one simulation."""
        return self

    def plan(self, context: Context) -> JsonDict:
        behaviour = self.start(context)
        return {"behaviour": Watched(self.name, behaviour)}

    def tables(self, report: Mapping[str, np.ndarray], context: Context, plan: JsonTable) -> dict[str, Columns]:
        """Return the table that `report` of the behaviour gives."""
        behaviour: Watched = plan["behaviour"]
        return behaviour.table()


class Watched(Called):
    """Between the engine and a behaviour: passes on the callbacks that it has, and checks their answers."""

    def __init__(self, name: str, behaviour: object) -> None:
        super().__init__("plugin", name)
        self.behaviour = behaviour
        found = [each for each in CALLBACKS if callable(getattr(behaviour, each, None))]
        if not found:
            listed = ", ".join(CALLBACKS)
            raise InputError(
                f"plugin {name} has none of the callbacks: give {type(behaviour).__name__} one of {listed}"
            )
        for callback in found:
            setattr(self, callback, self._watched(callback, getattr(behaviour, callback)))

    def _watched(self, callback: str, function: Callable[..., Any]) -> Callable[..., Any]:
        check = _ANSWERS[CALLBACKS[callback]]

        def called(system: Any, *job: int) -> Any:
            try:
                answer = function(system, *job)
            except (MemoryError, InputError):
                raise
            except Exception as error:
                self.failed(error, system.now_s)
            if not check(answer):
                self._refuse(callback, answer, system.now_s)
            return float(answer) if callback == "delay" else answer

        return called

    def _refuse(self, callback: str, answer: object, now_s: float) -> None:
        wanted = CALLBACKS[callback]
        advice = {"nothing": "return None", "yes or no": "return True or False"}.get(wanted, "return 0 or more seconds")
        raise InputError(f"{callback} of plugin {self.name} answered with {answer!r} at {now_s:.15g} s: {advice}")

    def table(self) -> dict[str, Columns]:
        report = getattr(self.behaviour, "report", None)
        if not callable(report):
            return {}
        try:
            given = report()
        except Exception as error:
            raise InputError(f"report of plugin {self.name} failed with {one_line(error)}") from error
        if not isinstance(given, Mapping):
            raise InputError(f"report of plugin {self.name} is {given!r}: return a table {{column: values}}")
        columns = {str(key): np.atleast_1d(np.asarray(values)) for key, values in given.items()}
        for key, values in columns.items():
            if values.ndim > 1 or values.dtype.kind not in "biufU":
                raise InputError(
                    f"report of plugin {self.name} has a column {key!r} of {values.dtype}: give numbers or texts"
                )
        if len({len(values) for values in columns.values()}) > 1:
            raise InputError(f"report of plugin {self.name} has columns of different lengths: give one value per row")
        return {self.name: columns}


_ANSWERS: Mapping[str, Callable[[Any], bool]] = {
    "nothing": lambda answer: answer is None,
    "yes or no": lambda answer: isinstance(answer, bool | np.bool_),
    "seconds": lambda answer: is_number(answer) and 0 <= answer <= LATEST_S,
}
