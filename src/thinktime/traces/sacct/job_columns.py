"""From tables of jobs to the columns of a workload: times from time 0, names with numbers, attributes."""

from __future__ import annotations

import numpy as np
import polars as pl

from thinktime.traces.attributes import TypedColumns
from thinktime.traces.column_names import NAMED, STANDARD
from thinktime.traces.reader import Block
from thinktime.traces.sacct.job_blocks import attribute_series
from thinktime.traces.sacct.job_table import HELPERS, JobTable
from thinktime.traces.sacct.options import SacctOptions

#: Attributes of `attributes="names"`: without texts that differ from job to job.
_FEW_TEXTS = ("state", "qos", "account", "cluster", "reservation", "reason", "exit_code", "wckey")


class JobColumns:
    """Makes blocks; the labels of `types` grow with them. `origin_s` is time 0."""

    def __init__(self, options: SacctOptions) -> None:
        self._options, self._typed = options, TypedColumns()
        self.types = self._typed.types
        self.origin_s = 0.0

    def block(self, table: JobTable) -> Block:
        """Return the columns of a workload."""
        columns = self._numbers(table)
        block = {name: values for name, values in columns.items() if name in STANDARD}
        for name in NAMED:
            if name in table.texts:
                block[name] = self._typed.named(name, table.texts[name])
        given = {name: values for name, values in columns.items() if name not in block}
        block.update(
            self._typed.add({name: attribute_series(name, values) for name, values in self._wanted(given).items()})
        )
        texts = {name: values for name, values in table.texts.items() if name not in NAMED}
        block.update(self._typed.add(self._wanted_texts(texts)))
        return block

    def needed_texts(self, texts: dict[str, pl.Series]) -> dict[str, pl.Series]:
        """Return the texts of names and attributes, and the cluster, which tells attempts apart."""
        needed = (*NAMED, *(["cluster"] if self._options.attempts == "last" else []))
        return {**{name: texts[name] for name in needed if name in texts}, **self._wanted_texts(texts)}

    def _numbers(self, table: JobTable) -> dict[str, np.ndarray]:
        numbers = {name: values for name, values in table.numbers.items() if name not in HELPERS}
        submit, start, eligible = (numbers.pop(name) for name in ("submit", "start", "eligible"))
        queued = submit
        if self._options.wait_from == "eligible":
            queued = np.where(np.isnan(eligible), submit, np.fmin(np.fmax(submit, eligible), start))
        return {
            "submit_s": queued - self.origin_s,
            "wait_s": start - queued,
            "eligible_s": eligible - self.origin_s,
            "held_s": np.maximum(eligible - submit, 0.0),
            **numbers,
        }

    def _wanted(self, given: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {} if self._options.attributes == "none" else given

    def _wanted_texts(self, texts: dict[str, pl.Series]) -> dict[str, pl.Series]:
        """Return the texts that become attributes."""
        if self._options.attributes == "all":
            return texts
        few = _FEW_TEXTS if self._options.attributes == "names" else ()
        return {name: texts[name] for name in few if name in texts}
