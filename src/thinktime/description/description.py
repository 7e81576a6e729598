"""A workload in numbers: activity of users, similarity of their jobs, burstiness of arrivals, the weekly cycle.

`describe` computes what the workload allows. `missing` has the reasons for the rest: a log without users has no
sessions, a log without requested times has no estimates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.description import job_similarity, locality, self_similarity
from thinktime.description.attributes import ATTRIBUTES, NotMeasuredError, attribute_values
from thinktime.description.by_user import marginals, users_of
from thinktime.description.job_similarity import Similarity, similarity
from thinktime.description.locality import TOLERANCE, DailyConcentration, StackDepth, daily_concentration, stack_depth
from thinktime.description.permutation import Permutation, permutation_test
from thinktime.description.self_similarity import Hurst, hurst
from thinktime.description.week import week_s, weekly_profile
from thinktime.drawing import draw
from thinktime.errors import InputError
from thinktime.support.equality import ByContent
from thinktime.support.html import facts_html
from thinktime.support.json_types import JsonDict
from thinktime.workload.user_sessions.sessions import THRESHOLD_S, Sessions, checked_threshold, sessions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from thinktime.description.comparison import Comparison
    from thinktime.workload.workload import Workload


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a workload is described, as in `describe`; descriptions compare if these agree."""

    threshold_s: float = THRESHOLD_S  # longer pauses between a user's submissions end a session
    distances: int = job_similarity.DISTANCES
    medians: bool = True  # also session_median, which takes most of the time
    tolerance: float = TOLERANCE  # of times on the stack, as a part of the stored time
    bins: int = locality.BINS
    unit_s: float = self_similarity.UNIT_S  # of the series of arrivals
    least: int = self_similarity.LEAST
    shuffles: int = 0  # of the permutation test; 0: none
    seed: int = 0  # of the shuffles

    def __post_init__(self) -> None:
        checked_threshold(self.threshold_s)
        if self.shuffles < 0:
            raise InputError(f"shuffles must be at least 0 (got {self.shuffles}); 0 skips the permutation test")

    @property
    def measured(self) -> tuple[Any, ...]:
        """What must agree between two descriptions."""
        return (self.threshold_s, self.distances, self.tolerance, self.bins, self.unit_s, self.least)


@dataclass(frozen=True, eq=False, repr=False)
class Description(ByContent):
    """The result of `describe`. Mappings by attribute have `processors`, `estimate` and `run` where known."""

    name: str
    jobs: int
    users: int
    span_s: float
    local_clock: bool  # days and weeks follow the machine's clock, not time 0
    marginals: Mapping[str, np.ndarray]  # marginal → one value per user, ascending
    week: np.ndarray | None  # float64[168]: share of submissions in each hour of the week
    similarity: Mapping[str, Similarity]
    stack_depth: Mapping[str, StackDepth]
    concentration: Mapping[str, DailyConcentration]
    hurst: Hurst | None
    permutation: Mapping[str, Permutation]
    missing: Mapping[str, str] = field(default_factory=dict)  # what could not be measured → why
    notes: tuple[str, ...] = ()  # what was assumed
    settings: Settings = field(default_factory=Settings)

    def __repr__(self) -> str:
        return f"<Description of {self.name}: {self.jobs:,} jobs, {self.users:,} users, {len(self.missing)} missing>"

    def _repr_html_(self) -> str:
        facts: dict[str, object] = {"jobs": f"{self.jobs:,}", "users": f"{self.users:,}"}
        facts["span"] = f"{self.span_s / 86400:,.1f} days"
        for name, each in self.stack_depth.items():
            facts[f"mean stack depth, {ATTRIBUTES[name]}"] = f"{each.mean:.3g}"
        facts |= {"Hurst parameter": f"{self.hurst.h:.3f}"} if self.hurst else {}
        facts |= {f"not measured: {name}": reason for name, reason in self.missing.items()}
        return facts_html(f"Description of {self.name}", facts)

    def plot(self) -> Figure:
        """Return a figure of the activity of users, which shows itself in a notebook."""
        return draw("user_marginals", self)

    def compare(self, others: Iterable[Description], *, spread: Iterable[Description] = ()) -> Comparison:
        """Compare with other workloads.

        Parameters
        ----------
        others
            Descriptions of other workloads, with the same settings.
        spread
            Descriptions of resamples of this workload, by which distances are judged.
        """
        from thinktime.description.comparison import compare_descriptions

        return compare_descriptions(self, list(others), list(spread))

    def as_dict(self) -> JsonDict:
        """Plain data for JSON, without long arrays."""
        from thinktime.description.plain_data import facts

        return facts(self)


def describe(
    workload: Workload,
    *,
    threshold_s: float = THRESHOLD_S,
    distances: int = job_similarity.DISTANCES,
    medians: bool = True,
    tolerance: float = TOLERANCE,
    bins: int = locality.BINS,
    unit_s: float = self_similarity.UNIT_S,
    least: int = self_similarity.LEAST,
    shuffles: int = 0,
    seed: int = 0,
) -> Description:
    """Measure users, similarity and locality of jobs, burstiness and the weekly cycle of a workload.

    A measure that the workload does not allow is in `missing` with the reason.

    Parameters
    ----------
    workload
        The jobs; every job needs a submit time.
    threshold_s
        A longer pause between a user's submissions ends a session, in seconds.
    distances
        Compare jobs of sessions that are less than this many sessions apart.
    medians
        Also compute medians of sessions (`session_median`), which takes most of the time.
    tolerance
        Times on the stack match within this part of the stored time.
    bins
        Number of equal-weight bins for the daily concentration.
    unit_s
        Count arrivals in units of this length for the Hurst parameter, in seconds.
    least
        Units in the smallest block of the rescaled range.
    shuffles
        Shuffles of the permutation test; 0 skips the test, the paper has 1000.
    seed
        Random seed of the shuffles.

    Returns
    -------
    Description
        `.compare(others)` gives distances to other workloads, `.as_dict()` plain numbers.

    Examples
    --------
    >>> import thinktime as tt
    >>> found = tt.describe(tt.default_workload(weeks=8), medians=False)
    >>> found
    <Description of default: 22,004 jobs, 60 users, 0 missing>
    >>> round(found.hurst.h, 2)
    0.65
    """
    return describe_with(
        workload,
        Settings(
            threshold_s=threshold_s,
            distances=distances,
            medians=medians,
            tolerance=tolerance,
            bins=bins,
            unit_s=unit_s,
            least=least,
            shuffles=shuffles,
            seed=seed,
        ),
    )


def describe_with(workload: Workload, settings: Settings) -> Description:
    """The same, with settings as one object."""
    if np.isnan(workload["submit_s"]).any():
        raise InputError(f"{workload.name} has jobs without a submit time: drop these jobs first.")
    return _Measuring(workload, settings).description()


class _Measuring:
    """Measures one workload and collects what is missing."""

    def __init__(self, workload: Workload, settings: Settings) -> None:
        self.workload, self.settings = workload, settings
        self.missing: dict[str, str] = {}
        self.notes: list[str] = []

    def description(self) -> Description:
        log, settings = self.workload, self.settings
        cut = sessions(log, threshold_s=settings.threshold_s)
        local_s = self._local_s()
        known = self._known_attributes()
        with_sessions = known if self._has_users(cut) else []
        return Description(
            name=log.name,
            jobs=len(log),
            users=len(users_of(cut)),
            span_s=log.span_s,
            local_clock=local_s is not None,
            marginals=self._marginals(cut),
            week=self._week(local_s),
            similarity=self._each("similarity", with_sessions, lambda a: self._similarity(cut, a)),
            stack_depth=self._each("stack_depth", known, self._stack_depth),
            concentration=self._each("concentration", known, lambda a: self._concentration(a, local_s)),
            hurst=self._try("hurst", lambda: hurst(log["submit_s"], unit_s=settings.unit_s, least=settings.least)),
            permutation=self._each("permutation", with_sessions, lambda a: self._permutation(cut, a))
            if settings.shuffles
            else {},
            missing=self.missing,
            notes=(*cut.notes, *self.notes),
            settings=settings,
        )

    # --- what there is ------------------------------------------------------------------------------------------

    def _local_s(self) -> np.ndarray | None:
        try:
            return week_s(self.workload)
        except InputError:
            self.notes.append("local time is unknown, so days and weeks count from time 0")
            return None

    def _known_attributes(self) -> list[str]:
        known = []
        for attribute, words in ATTRIBUTES.items():
            count = int((~np.isnan(attribute_values(self.workload, attribute))).sum())
            if count:
                known.append(attribute)
            else:
                self.missing[attribute] = f"{self.workload.name} has no {words}"
            if 0 < count < len(self.workload):
                self.notes.append(
                    f"{len(self.workload) - count:,} jobs without {words} are excluded from these measures"
                )
        return known

    def _has_users(self, cut: Sessions) -> bool:
        unknown = int(np.isnan(self.workload["user"]).sum())
        if not len(users_of(cut)):
            self.missing["users"] = f"{self.workload.name} has no users, so there are no sessions"
        elif unknown:
            self.notes.append(f"{unknown:,} jobs without a user are excluded from measures by user")
        return bool(len(users_of(cut)))

    # --- measures -----------------------------------------------------------------------------------------------

    def _each(self, measure: str, attributes: list[str], found: Callable[[str], Any]) -> JsonDict:
        tried = {name: self._try(f"{measure}.{name}", lambda name=name: found(name)) for name in attributes}  # type: ignore[misc]
        return {name: value for name, value in tried.items() if value is not None}

    def _try(self, measure: str, found: Callable[[], Any]) -> Any:
        try:
            return found()
        except NotMeasuredError as reason:
            self.missing[measure] = str(reason)
            return None

    def _marginals(self, cut: Sessions) -> dict[str, np.ndarray]:
        if not len(users_of(cut)):
            return {}
        return {name: np.sort(values) for name, values in marginals(self.workload, cut).items()}

    def _week(self, local_s: np.ndarray | None) -> np.ndarray | None:
        times_s = self.workload["submit_s"] if local_s is None else local_s
        if not len(times_s):
            self.missing["week"] = f"{self.workload.name} has no jobs"
            return None
        return weekly_profile(times_s)

    def _similarity(self, cut: Sessions, attribute: str) -> Similarity:
        settings = self.settings
        found = similarity(self.workload, cut, attribute, distances=settings.distances, medians=settings.medians)
        if not len(found.users):
            raise NotMeasuredError(
                f"{self.workload.name} has no user with six sessions, one of them with at least two jobs,"
                " so similarity between sessions is undefined"
            )
        return found

    def _stack_depth(self, attribute: str) -> StackDepth:
        tolerance = 0.0 if attribute == "processors" else self.settings.tolerance
        found = stack_depth(self.workload, attribute, tolerance=tolerance)
        if not found.found:
            raise NotMeasuredError(f"{self.workload.name} has no repeated value of {ATTRIBUTES[attribute]}")
        return found

    def _concentration(self, attribute: str, local_s: np.ndarray | None) -> DailyConcentration:
        return daily_concentration(self.workload, attribute, local_s=local_s, bins=self.settings.bins)

    def _permutation(self, cut: Sessions, attribute: str) -> Permutation:
        settings = self.settings
        return permutation_test(self.workload, cut, attribute, shuffles=settings.shuffles, seed=settings.seed)
