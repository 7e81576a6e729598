"""The model of Lublin and Feitelson (2003): batch and interactive jobs in two independent streams with daily cycles.

lublin_jobs.py draws the jobs of one kind, lublin_constants.py holds the constants. This module merges the streams.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from thinktime.errors import InputError
from thinktime.generate.estimates import Estimated
from thinktime.generate.generator import MOST_JOBS, Block, between, whole
from thinktime.generate.lublin_constants import KINDS
from thinktime.generate.lublin_expectations import natural_load
from thinktime.generate.lublin_jobs import Jobs
from thinktime.spec import one_of

AT_A_TIME = 16_384  # jobs of each kind per draw
MOST_PROCESSORS = 2**24


class Lublin(Estimated, name="lublin"):
    """Lublin and Feitelson's model of rigid jobs: sizes, run times that grow with size, arrivals with a daily cycle.

    The jobs have no users.

    Parameters
    ----------
    jobs
        Number of jobs.
    processors
        Size of the machine.
    types
        `both` (batch and interactive), `batch`, `interactive`, or `typeless` (constants for logs without types).
    load
        Stretch inter-arrival times to this mean offered load; by default they are the published ones.
    estimates, max_estimate_h
        `tsafrir` adds user estimates up to this maximum in hours; `none` leaves them out.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.Lublin(jobs=1000, processors=64, load=0.7).workload(seed=1)
    <Workload lublin: 1000 jobs, 0 users>
    """

    jobs: int = 10_000
    processors: int = 128
    types: str = "both"
    load: float | None = None
    estimates: str = "none"
    max_estimate_h: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "jobs", whole("jobs", self.jobs, MOST_JOBS))
        object.__setattr__(self, "processors", whole("processors", self.processors, MOST_PROCESSORS))
        one_of("types", self.types, KINDS)
        if self.load is not None:
            object.__setattr__(self, "load", between("load", self.load, 0.01, 10, ", 1 fills the machine"))
        self.check_estimates()

    @property
    def machine_processors(self) -> int:
        return self.processors

    @property
    def length(self) -> int:
        return self.jobs

    def stretch(self) -> float:
        """Return the factor on inter-arrival times."""
        return 1.0 if self.load is None else natural_load(KINDS[self.types], self.processors) / self.load

    def jobs_without_estimates(self, seed: int) -> Iterator[Block]:
        stretch = self.stretch()
        if not np.isfinite(stretch):
            raise InputError(f"load is too small (got {self.load!r}): choose a larger one")
        kinds = KINDS[self.types].items()
        return merged([Jobs(name, kind, self.processors, stretch, seed) for name, kind in kinds])


def merged(kinds: list[Jobs]) -> Iterator[Block]:
    """Merge the streams by submit time; ties go in the order of the kinds."""
    waiting = [kind.take(AT_A_TIME) for kind in kinds]
    while True:
        horizon = min(float(block["submit_s"][-1]) for block in waiting)
        ready = [int(np.searchsorted(block["submit_s"], horizon)) for block in waiting]
        yield _by_time([_block_rows(block, 0, count) for block, count in zip(waiting, ready, strict=True)])
        waiting = [_block_rows(block, count, None) for block, count in zip(waiting, ready, strict=True)]
        for k, block in enumerate(waiting):
            if block["submit_s"][-1] <= horizon:
                waiting[k] = {
                    name: np.concatenate([block[name], more]) for name, more in kinds[k].take(AT_A_TIME).items()
                }


def _by_time(blocks: list[Block]) -> Block:
    every = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    order = np.argsort(every["submit_s"], kind="stable")
    return {name: values[order] for name, values in every.items()}


def _block_rows(block: Block, begin: int, end: int | None) -> Block:
    return {name: values[begin:end] for name, values in block.items()}
