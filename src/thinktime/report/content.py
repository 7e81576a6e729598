"""The content of a report: the study, its runs, conclusions and warnings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.cautions import Cautions, compared
from thinktime.study.comparison.conclusions import Conclusions, conclusions
from thinktime.study.comparison.short_answer import short_names
from thinktime.study.execute import Outcome
from thinktime.study.outcomes import baseline_of, by_configuration, pooled_cautions
from thinktime.study.store import Store, of_study
from thinktime.study.study import Study, Task


@dataclass(frozen=True)
class Content:
    """A study, its store, and what the page says about them."""

    study: Study
    store: Store
    pooled: bool = False  # whether logs are averaged

    @cached_property
    def tasks(self) -> list[Task]:
        return self.study.tasks()

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """All finished runs; raise InputError if none has a value."""
        found = list(of_study(self.store, self.study))
        good = [each for each in found if each["error"] is None]
        if not good:
            raise InputError(f"No run of {self.study.name} has succeeded: run the study first.")
        if not any(run["summary"].get(metric) is not None for run in good for metric in self.study.metrics):
            raise InputError(
                f"no run of {self.study.name} has a value of {', '.join(self.study.metrics)} (were all jobs rejected?):"
                " no page is written"
            )
        return found

    @cached_property
    def done(self) -> dict[str, list[Outcome]]:
        """Configuration → its runs; configurations without runs are left out."""
        return {name: runs for name, runs in by_configuration(self.study, self.outcomes).items() if runs}

    @cached_property
    def logs(self) -> dict[str, str]:
        """Log or generator with runs → its short name in figures."""
        names = dict.fromkeys(str(run["cell"]["workload"]) for runs in self.done.values() for run in runs)
        return short_names(list(names))

    def on(self, log: str) -> dict[str, list[Outcome]]:
        """Configuration → its runs on one log."""
        found = {name: [run for run in runs if run["cell"]["workload"] == log] for name, runs in self.done.items()}
        return {name: runs for name, runs in found.items() if runs}

    @cached_property
    def failed(self) -> list[Outcome]:
        return [each for each in self.outcomes if each["error"] is not None]

    @property
    def conclusions(self) -> Conclusions | None:
        """The conclusions; None if nothing can be compared, for the reason in `why_not`."""
        return self._concluded if isinstance(self._concluded, Conclusions) else None

    @property
    def why_not(self) -> str:
        return "" if isinstance(self._concluded, Conclusions) else self._concluded

    @cached_property
    def _concluded(self) -> Conclusions | str:
        try:
            return conclusions(self.study, self.store, self.study.metrics, pooled=self.pooled)
        except InputError as error:
            return str(error)

    def means(self, sketch: str, shown: int, log: str) -> dict[str, np.ndarray]:
        """The mean of a sketch over runs on one log, for the first `shown` configurations."""
        found = {}
        for name, runs in list(self.on(log).items())[:shown]:
            known = [run["sketch"][sketch] for run in runs if run["sketch"].get(sketch)]
            if known:
                found[name] = np.mean(np.asarray(known, float), axis=0)
        return found

    @property
    def baseline(self) -> str:
        return baseline_of(self.study)

    @cached_property
    def warnings(self) -> list[str]:
        """Missing and failed runs, and what happened to jobs that changes what metrics mean."""
        missing = len(self.tasks) - len(self.outcomes)
        found = [f"{missing:,} of {len(self.tasks):,} runs are missing"] if missing else []
        found += [f"{len(self.failed):,} runs failed"] if self.failed else []
        return [*found, *compared(self.cautions)]

    @cached_property
    def cautions(self) -> dict[str, Cautions]:
        """Configuration → what happened to the jobs of its runs."""
        return {name: pooled_cautions(runs) for name, runs in self.done.items()}
