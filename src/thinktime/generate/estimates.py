"""Estimates for jobs that have none: for any workload, and for generators whose models know none."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.generate.draws import Draws, uniforms
from thinktime.generate.estimate_model import EstimateModel
from thinktime.generate.generator import Block, Generator, between, first_jobs
from thinktime.generate.popular_estimates import TOP
from thinktime.spec import one_of
from thinktime.support.random_streams import checked_seed
from thinktime.workload.workload import Workload

ESTIMATES = ("none", "tsafrir")
LONGER = ("refuse", "cut")
PILOT = 50_000  # jobs whose run times the weights of a stream's estimates are taken from
LONGEST_H = (1.0, 100_000.0)


def with_estimates(
    workload: Workload,
    *,
    seed: int = 1,
    max_estimate_s: float | None = None,
    popular: Mapping[float, float] | None = None,
    longer: str = "refuse",
    replace_all: bool = False,
) -> Workload:
    """The workload with requested times by the model of Tsafrir, Etsion and Feitelson where it has none.

    `max_estimate_s` is the longest that users may ask for. `popular` maps seconds to shares of the jobs that are known.
    Jobs that run longer than the maximum are refused or `cut` at it. `replace_all=True` also replaces known requests.
    """
    checked_seed(seed)
    one_of("longer", longer, LONGER)
    known = checked_popular(popular, max_estimate_s)
    maximum_s = None if max_estimate_s is None else checked_maximum("max_estimate_s", max_estimate_s)
    run_s = _run_times(workload, maximum_s, longer)
    asked = workload["requested_time_s"]
    open_ = np.ones(len(run_s), bool) if replace_all else ~(asked > 0)
    if not open_.any():
        raise InputError(f"every job of {workload.name} has an estimate: add replace_all=True for others")
    model = EstimateModel.fitted(run_s[open_], jobs=int(open_.sum()), seed=seed, maximum_s=maximum_s, popular=known)
    estimate = np.where(open_, 0.0, asked)
    estimate[open_] = model.draw(run_s[open_], _uniforms(seed).take(int(open_.sum()))[:, 0])
    said = {"model": "tsafrir", "seed": seed, "max_estimate_s": float(model.bins.time_s[-1]), "popular": known}
    columns = {**workload.columns, "run_s": run_s, "requested_time_s": estimate}
    source, account = {**workload.source, "estimates": said}, _with_cuts(workload, run_s)
    return replace(workload, columns=columns, source=source, account=account, spellings=None)


def _with_cuts(workload: Workload, run_s: np.ndarray) -> dict[str, Any]:
    """The account, with how many run times were cut."""
    account, cut = dict(workload.account), int(np.count_nonzero(run_s < workload["run_s"]))
    if not cut:
        return account
    repaired = {**account.get("repaired", {}), "run time cut at the longest estimate": cut}
    return {**account, "repaired": repaired, "repaired_jobs": account.get("repaired_jobs", 0) + cut}


def _run_times(workload: Workload, maximum_s: int | None, longer: str) -> np.ndarray:
    run_s = workload["run_s"]
    if not len(run_s) or not np.all(run_s >= 0):
        raise InputError(f"{workload.name} has jobs without a run time, or none at all: filter them out first")
    if maximum_s is not None and longer == "refuse" and run_s.max() > maximum_s:
        raise InputError(
            f"a job of {workload.name} runs {run_s.max():,.0f} s, longer than max_estimate_s {maximum_s:,}:"
            ' choose a larger one, or longer="cut"'
        )
    return run_s if maximum_s is None else np.minimum(run_s, maximum_s)


def checked_maximum(what: str, value: Any) -> int:
    seconds = between(what, value, LONGEST_H[0] * 3600, LONGEST_H[1] * 3600)
    return math.floor(seconds)


def checked_popular(popular: Mapping[float, float] | None, maximum_s: float | None) -> dict[int, float]:
    """Whole seconds → share, at most twenty that add up to at most 1."""
    if popular is None:
        return {}
    if not isinstance(popular, Mapping) or any(isinstance(v, bool) for pair in popular.items() for v in pair):
        raise InputError(f"popular is {popular!r}: map seconds to shares, as in {{3600: 0.1}}")
    found = {int(time): float(share) for time, share in popular.items()}
    others = len(found) - (maximum_s is not None and int(maximum_s) in found)
    most = math.inf if maximum_s is None else maximum_s
    bad = [time for time, share in found.items() if not 0 < time <= most or not 0 <= share <= 1]
    if bad:
        raise InputError(
            f"popular has {bad[0]} s with a share of {found[bad[0]]:g}: give times above 0 and at most max_estimate_s,"
            " with shares from 0 to 1"
        )
    if others > TOP - 1 or sum(found.values()) > 1:
        raise InputError(
            f"popular has {len(found)} estimates with {sum(found.values()):g} of the jobs:"
            f" give at most {TOP - 1} besides the maximum, with at most 1 in all"
        )
    return found


def _uniforms(seed: int) -> Draws:
    return Draws(uniforms(1), seed, "generate.estimates", "jobs")


class Estimated(Generator):
    """A generator whose jobs may be given estimates: `estimates` and `max_estimate_h` are options of its own."""

    def jobs_without_estimates(self, seed: int) -> Iterator[Block]:
        raise NotImplementedError

    def check_estimates(self) -> None:
        """To be called with the other options."""
        estimates, longest_h = self.options()["estimates"], self.options()["max_estimate_h"]
        one_of("estimates", estimates, ESTIMATES)
        if longest_h is not None:
            object.__setattr__(self, "max_estimate_h", between("max_estimate_h", longest_h, *LONGEST_H))
            if estimates == "none":
                raise InputError(f'max_estimate_h is {longest_h!r} without estimates: add estimates="tsafrir"')

    def raw_blocks(self, seed: int) -> Iterator[Block]:
        if self.options()["estimates"] == "none":
            yield from self.jobs_without_estimates(seed)
            return
        model, draws = self._model(seed), _uniforms(seed)
        for block in self.jobs_without_estimates(seed):
            run_s = np.minimum(block["run_s"], model.bins.time_s[-1])
            estimate = model.draw(run_s, draws.take(len(run_s))[:, 0])
            yield {**block, "run_s": run_s, "requested_time_s": estimate}

    def _model(self, seed: int) -> EstimateModel:
        """From the run times of the first jobs; a later job that runs longer than the maximum is cut at it."""
        assert self.length is not None
        hours = self.options()["max_estimate_h"]
        maximum_s = None if hours is None else checked_maximum("max_estimate_h", 3600.0 * hours)
        blocks = first_jobs(self.jobs_without_estimates(seed), min(self.length, PILOT))
        run_s = np.concatenate([block["run_s"] for block in blocks])
        if maximum_s is not None:
            run_s = np.minimum(run_s, maximum_s)
        return EstimateModel.fitted(run_s, jobs=self.length, seed=seed, maximum_s=maximum_s, popular={})
