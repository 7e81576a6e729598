"""Run times of Batsim's profiles: delays, sequences of them, and computations at a given speed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thinktime.errors import InputError

#: The types of Batsim 5, 4 and older versions by the name in Batsim 4.
TYPES = {
    "delay": "delay",
    "DelayProfile": "delay",
    "sequence": "sequence",
    "composed": "sequence",
    "SequentialCompositionProfile": "sequence",
    "parallel_homogeneous": "parallel_homogeneous",
    "msg_par_hg": "parallel_homogeneous",
    "ParallelTaskHomogeneousProfile": "parallel_homogeneous",
    "parallel_homogeneous_total": "parallel_homogeneous_total",
    "msg_par_hg_tot": "parallel_homogeneous_total",
    "parallel": "parallel",
    "msg_par": "parallel",
    "ParallelTaskProfile": "parallel",
}
_DEEPEST = 20  # sequences in sequences


class Profiles:
    """Run times by profile; those that depend on the number of processors are computed per job."""

    def __init__(self, what: str, profiles: object, speed_flops: float) -> None:
        if not isinstance(profiles, Mapping):
            raise InputError(f"{what} has no table of profiles: a Batsim workload has jobs, profiles and nb_res")
        self._what, self._profiles, self._speed_flops = what, profiles, speed_flops
        self._known: dict[tuple[str, float], float] = {}

    def run_s(self, name: str, processors: float) -> float:
        """Return the run time of a job with this profile; raise InputError if the profile does not say."""
        key = (name, processors)
        if key not in self._known:
            self._known[key] = self._time(name, processors, 0)
        return self._known[key]

    def _time(self, name: str, processors: float, depth: int) -> float:
        profile = self._profiles.get(name)
        if not isinstance(profile, Mapping):
            raise self._refusal(name, "which it does not define")
        kind = TYPES.get(str(profile.get("type")))
        if kind == "delay":
            return self._number(name, profile, "delay")
        if kind == "sequence":
            return self._sequence(name, profile, processors, depth)
        if kind is None:
            raise self._refusal(name, f"of type {profile.get('type')!r}, which says no run time: use delay profiles")
        return self._computation(name, kind, profile, processors)

    def _sequence(self, name: str, profile: Mapping[str, Any], processors: float, depth: int) -> float:
        parts, repeat = profile.get("seq"), profile.get("repeat", profile.get("nb", 1))
        if not isinstance(parts, list) or not isinstance(repeat, int) or depth >= _DEEPEST:
            raise self._refusal(name, "a sequence that is not understood: give seq (a list of names) and repeat")
        return repeat * sum(self._time(str(part), processors, depth + 1) for part in parts)

    def _computation(self, name: str, kind: str, profile: Mapping[str, Any], processors: float) -> float:
        """Return operations over speed, for profiles without communication."""
        if not self._speed_flops:
            raise self._refusal(name, f"of type {kind}, which computes: give the speed, batsim:speed_flops=1e9")
        cpu, com = profile.get("cpu", 0), profile.get("com", 0)
        sends = any(com) if isinstance(com, list) else com
        if sends:
            raise self._refusal(name, f"of type {kind}, which communicates: its run time needs a network")
        if profile.get("generation_strategy") == "DefinedAmountsSpreadUniformly":
            kind = "parallel_homogeneous_total"
        work = max(cpu, default=0) if isinstance(cpu, list) else cpu
        amount = self._number(name, {"cpu": work}, "cpu")
        return amount / self._speed_flops / (max(processors, 1) if kind == "parallel_homogeneous_total" else 1)

    def _number(self, name: str, profile: Mapping[str, Any], field: str) -> float:
        value = profile.get(field)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1e300:
            raise self._refusal(name, f"whose {field} is {value!r}: give a number of 0 or more")
        return float(value)

    def _refusal(self, name: str, why: str) -> InputError:
        return InputError(f"{self._what}: a job has the profile {name!r}, {why}")
