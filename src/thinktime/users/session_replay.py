"""Replay with feedback: a session starts a think time after the sessions that it depends on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from thinktime.errors import InputError
from thinktime.support.json_types import JsonDict
from thinktime.users.user_model import LONGEST_DAYS, TIES, UserModel

if TYPE_CHECKING:
    from thinktime.workload import Workload
    from thinktime.workload.user_sessions.sessions import Sessions


class SessionReplay(UserModel, name="session-replay"):
    """Starts a session its recorded think time after the simulated end of the sessions that it waited for in the log.

    Madon, Da Costa and Pierson, "Replay with feedback", 2024. `threshold_min` is the gap, in minutes, that ends a
    session (0: every job is a session); `delimiter` is the event from which the gap is measured; `graph` keeps direct
    predecessors (`reduced`) or all of them (`full`, which freezes the replay). Jobs submitted at one instant join the
    queue in the order in which their submissions became known, and in the log's order if they share an instant of the
    log (`ties="planned"`), or all in the log's order (`ties="original"`).

    Beyond the paper: with `activity="fluid"` a session that becomes available while its user is inactive starts with
    the user's next period of activity (sessions of the log with gaps up to `activity_threshold_min`, repeated every
    `repeat_days`), which keeps the daily and weekly cycle. With `think_times="response"` think times scale with the
    response times before them, by an exponent fitted to each user and shrunk towards all users with the weight of
    `pooling` observations.
    """

    threshold_min: float = 60.0
    delimiter: str = "arrival"
    graph: str = "reduced"
    ties: str = "planned"
    activity: str = "always"
    activity_threshold_min: float = 60.0
    repeat_days: float = 7.0
    think_times: str = "recorded"
    pooling: float = 10.0

    lowest: ClassVar[Mapping[str, float]] = {"repeat_days": 1e-4}
    highest: ClassVar[Mapping[str, float]] = {"repeat_days": LONGEST_DAYS}
    words: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "delimiter": ("arrival", "last", "max"),
        "graph": ("reduced", "full"),
        "ties": TIES,
        "activity": ("always", "fluid"),
        "think_times": ("recorded", "response"),
    }

    def plan(self, workload: Workload, seed: int) -> JsonDict:
        from thinktime.workload.user_sessions.graph import predecessor_ranges
        from thinktime.workload.user_sessions.sessions import sessions

        found = sessions(workload, delimiter=self.delimiter, threshold_s=60.0 * self.threshold_min)
        begin, stop, by_end = predecessor_ranges(found, reduced=self.graph == "reduced")
        return {
            "session": found.session,
            "recorded_s": workload["submit_s"],
            "place": found.place,
            "begin_s": found.first_submit_s[found.by_user],
            "end_s": found.last_end_s[found.by_user],
            "predecessors_begin": begin,
            "predecessors_stop": stop,
            "by_end": by_end,
            "user_start": found.user_start,
            "ties": self.ties,
            **self._activity(workload),
            **self._response(found, (begin, stop, by_end)),
        }

    def streamed(self) -> JsonDict:
        for option, usual in (("activity", "always"), ("think_times", "recorded")):
            if getattr(self, option) != usual:
                raise InputError(
                    f"{option}={getattr(self, option)} of {self.name} needs the whole log before the first job:"
                    f" choose {option}={usual}, or simulate without streaming"
                )
        return {
            "threshold_s": 60.0 * self.threshold_min,
            "delimiter": self.delimiter,
            "reduced": self.graph == "reduced",
            "ties": self.ties,
        }

    def _activity(self, workload: Workload) -> JsonDict:
        from thinktime.users.batch_plans import periods
        from thinktime.workload.user_sessions.sessions import sessions

        if self.activity == "always":
            return {}
        active = sessions(workload, threshold_s=60.0 * self.activity_threshold_min)
        return {"activity": "fluid", **periods(active, self.repeat_days)}

    def _response(self, found: Sessions, ranges: Any) -> JsonDict:
        from thinktime.users.response_times import exponents

        if self.think_times == "recorded":
            return {}
        return {"think_times": "response", "exponent": exponents(found, ranges, self.pooling)}
