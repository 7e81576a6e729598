"""Add user estimates to workloads, and to generators whose models have none."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.generate.draws import Draws, uniforms
from thinktime.generate.estimate_model import EstimateModel
from thinktime.generate.generator import Block, Generator, between, first_jobs
from thinktime.generate.popular_estimates import TOP
from thinktime.spec import one_of
from thinktime.support.random_streams import checked_seed
from thinktime.workload.reading.read import as_workload
from thinktime.workload.workload import Workload

ESTIMATES = ("none", "tsafrir")
LONGER = ("refuse", "cut")
PILOT = 50_000  # jobs whose run times fit the weights of a stream
LONGEST_H = (1.0, 100_000.0)


def with_estimates(
    log: Workload | str | PathLike[str],
    *,
    seed: int = 1,
    max_estimate_s: float | None = None,
    popular: Mapping[float, float] | None = None,
    longer: str = "refuse",
    replace_all: bool = False,
) -> Workload:
    """Add requested times by the model of Tsafrir, Etsion and Feitelson (2005) to jobs that have none.

    Parameters
    ----------
    log
        A workload, or the name or path of a log.
    seed
        Random seed.
    max_estimate_s
        Maximum estimate; by default the first usual maximum that the run times allow.
    popular
        Known shares of jobs by estimate in seconds, for example `{3600: 0.1}`; at most 20.
    longer
        Jobs that run longer than the maximum: `"refuse"` raises InputError, `"cut"` shortens them.
    replace_all
        Also replace existing requested times.

    Returns
    -------
    Workload
        A copy with `requested_time_s`.

    Examples
    --------
    >>> import thinktime as tt
    >>> log = tt.with_estimates(tt.Lublin(jobs=1000).workload())
    >>> bool((log["requested_time_s"] >= log["run_s"]).all())
    True
    """
    workload = as_workload(log)
    checked_seed(seed)
    one_of("longer", longer, LONGER)
    known = checked_popular(popular, max_estimate_s)
    maximum_s = None if max_estimate_s is None else checked_maximum("max_estimate_s", max_estimate_s)
    run_s = _run_times_to_estimate(workload, maximum_s, longer)
    asked = workload["requested_time_s"]
    open_ = np.ones(len(run_s), bool) if replace_all else ~(asked > 0)
    if not open_.any():
        raise InputError(f"every job of {workload.name} has an estimate: add replace_all=True to replace them")
    model = EstimateModel.fitted(run_s[open_], jobs=int(open_.sum()), seed=seed, maximum_s=maximum_s, popular=known)
    estimate = np.where(open_, 0.0, asked)
    estimate[open_] = model.draw(run_s[open_], _estimate_draws(seed).take(int(open_.sum()))[:, 0])
    said = {"model": "tsafrir", "seed": seed, "max_estimate_s": float(model.bins.time_s[-1]), "popular": known}
    columns = {**workload.columns, "run_s": run_s, "requested_time_s": estimate}
    source, account = {**workload.source, "estimates": said}, _with_cuts(workload, run_s)
    return replace(workload, columns=columns, source=source, account=account, spellings=None)


def _with_cuts(workload: Workload, run_s: np.ndarray) -> dict[str, Any]:
    """Return the account with the number of cut run times."""
    account, cut = dict(workload.account), int(np.count_nonzero(run_s < workload["run_s"]))
    if not cut:
        return account
    repaired = {**account.get("repaired", {}), "run time cut at the longest estimate": cut}
    return {**account, "repaired": repaired, "repaired_jobs": account.get("repaired_jobs", 0) + cut}


def _run_times_to_estimate(workload: Workload, maximum_s: int | None, longer: str) -> np.ndarray:
    run_s = workload["run_s"]
    if not len(run_s) or not np.all(run_s >= 0):
        raise InputError(f"every job needs a run time: remove the other jobs of {workload.name} first")
    if maximum_s is not None and longer == "refuse" and run_s.max() > maximum_s:
        raise InputError(
            f"max_estimate_s must be at least {run_s.max():,.0f}, the longest run time of {workload.name}"
            f' (got {maximum_s:,}); or add longer="cut"'
        )
    return run_s if maximum_s is None else np.minimum(run_s, maximum_s)


def checked_maximum(what: str, value: float) -> int:
    """Return the maximum in whole seconds; raise InputError if it is out of range."""
    seconds = between(what, value, LONGEST_H[0] * 3600, LONGEST_H[1] * 3600)
    return math.floor(seconds)


def checked_popular(popular: Mapping[float, float] | None, maximum_s: float | None) -> dict[int, float]:
    """Return whole seconds → share; raise InputError unless there are at most twenty that add up to at most 1."""
    if popular is None:
        return {}
    if not isinstance(popular, Mapping) or any(isinstance(v, bool) for pair in popular.items() for v in pair):
        raise InputError(f"popular must map seconds to shares, for example {{3600: 0.1}} (got {popular!r})")
    found = {int(time): float(share) for time, share in popular.items()}
    others = len(found) - (maximum_s is not None and int(maximum_s) in found)
    most = math.inf if maximum_s is None else maximum_s
    bad = [time for time, share in found.items() if not 0 < time <= most or not 0 <= share <= 1]
    if bad:
        raise InputError(
            "times of popular must be above 0 and at most max_estimate_s, shares between 0 and 1"
            f" (got {bad[0]} s with a share of {found[bad[0]]:g})"
        )
    if others > TOP - 1 or sum(found.values()) > 1:
        raise InputError(
            f"popular may have at most {TOP - 1} estimates besides the maximum, with shares that add up to at most 1"
            f" (got {len(found)} with {sum(found.values()):g})"
        )
    return found


def _estimate_draws(seed: int) -> Draws:
    return Draws(uniforms(1), seed, "generate.estimates", "jobs")


class Estimated(Generator):
    """Base of generators with the options `estimates` and `max_estimate_h`."""

    def jobs_without_estimates(self, seed: int) -> Iterator[Block]:
        """Yield blocks of jobs without requested times."""
        raise NotImplementedError

    def check_estimates(self) -> None:
        """Check the options; call it from `__post_init__`."""
        estimates, longest_h = self.options()["estimates"], self.options()["max_estimate_h"]
        one_of("estimates", estimates, ESTIMATES)
        if longest_h is not None:
            object.__setattr__(self, "max_estimate_h", between("max_estimate_h", longest_h, *LONGEST_H))
            if estimates == "none":
                raise InputError(f'max_estimate_h needs estimates="tsafrir" (got max_estimate_h {longest_h!r})')

    def raw_blocks(self, seed: int) -> Iterator[Block]:
        if self.options()["estimates"] == "none":
            yield from self.jobs_without_estimates(seed)
            return
        model, draws = self._model(seed), _estimate_draws(seed)
        for block in self.jobs_without_estimates(seed):
            run_s = np.minimum(block["run_s"], model.bins.time_s[-1])
            estimate = model.draw(run_s, draws.take(len(run_s))[:, 0])
            yield {**block, "run_s": run_s, "requested_time_s": estimate}

    def _model(self, seed: int) -> EstimateModel:
        """Fit the model to the first jobs; later jobs are cut at the maximum."""
        assert self.length is not None
        hours = self.options()["max_estimate_h"]
        maximum_s = None if hours is None else checked_maximum("max_estimate_h", 3600.0 * hours)
        blocks = first_jobs(self.jobs_without_estimates(seed), min(self.length, PILOT))
        run_s = np.concatenate([block["run_s"] for block in blocks])
        if maximum_s is not None:
            run_s = np.minimum(run_s, maximum_s)
        return EstimateModel.fitted(run_s, jobs=self.length, seed=seed, maximum_s=maximum_s, popular={})
