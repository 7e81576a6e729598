"""From records of texts to the jobs that ran: the others are dropped and counted."""

from __future__ import annotations

import numpy as np

from thinktime.traces.reader import RecordAccount
from thinktime.traces.sacct.clock import TIMES, Clock
from thinktime.traces.sacct.job_ids import TaskList
from thinktime.traces.sacct.job_records import JobRecords
from thinktime.traces.sacct.job_table import JobTable
from thinktime.traces.sacct.options import SacctOptions
from thinktime.traces.sacct.steps import StepUse
from thinktime.traces.sacct.text_columns import TextColumns, times_of


class SettledJobs:
    """Makes job tables of records; counts what it drops in the account."""

    def __init__(self, options: SacctOptions, account: RecordAccount) -> None:
        self.options, self.account, self.clock = options, account, Clock(options.zone)
        self.limits_unknown = 0  # UNLIMITED and Partition_Limit
        self.hours_and_minutes = False  # the file has durations without seconds

    def table(self, texts: TextColumns, use: StepUse) -> JobTable | None:
        """Return the jobs of records without steps; None if no job is left."""
        if self.options.cluster and (clusters := texts.get("Cluster")) is not None:
            mine = (clusters == self.options.cluster).to_numpy()
            texts, use = self._keep(texts, use, mine, "of another cluster")
            if len(texts) == 0:
                return None
        times, local, bad = self._times(texts)
        for row in np.flatnonzero(bad).tolist():
            self._fault(texts, row)
        known = ~np.isnan(times["Submit"])
        self.account.drop("no submit time", int(np.count_nonzero(~known & ~bad)))
        jobs = JobRecords(texts, use, times, local)
        self.hours_and_minutes |= jobs.hours_and_minutes
        jobs.hours_and_minutes = self.hours_and_minutes
        return self._settled(jobs, known)

    def _keep(self, texts: TextColumns, use: StepUse, mask: np.ndarray, reason: str) -> tuple[TextColumns, StepUse]:
        self.account.drop(reason, int(np.count_nonzero(~mask)))
        kept = StepUse(use.largest_task_kb[mask], use.total_kb[mask], use.orphans)
        return texts.filter(mask), kept

    def _times(self, texts: TextColumns) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray], np.ndarray]:
        """Return times, where they are local, and the rows whose submit, start or end is not a time."""
        times, local, bad = {}, {}, np.zeros(len(texts), bool)
        for name in TIMES:
            series = texts.get(name)
            if series is None:
                times[name], local[name] = np.full(len(texts), np.nan), np.zeros(len(texts), bool)
                continue
            times[name], local[name], wrong = times_of(series)
            bad |= wrong & (name != "Eligible")
        times["Submit"][bad] = np.nan
        return times, local, bad

    def _fault(self, texts: TextColumns, row: int) -> None:
        """Move a record with a time that is not understood to the malformed lines."""
        shown = ", ".join(f"{name} {texts.frame[name][row]!r}" for name in TIMES if name in texts)
        self.account.jobs -= 1
        self.account.fault(int(texts.line[row]), "a time is not understood", shown)

    def _settled(self, jobs: JobRecords, known: np.ndarray) -> JobTable | None:
        """Drop what never ran or still runs, and convert the times of the others."""
        options = self.options
        started, waiting = jobs.started(), jobs.unfinished & ~jobs.started()
        running = started & jobs.unfinished
        drops = {
            "still waiting when the log was written": known & waiting,
            "never started": known & ~started & ~waiting,
            "still running when the log was written": known & running & (options.running == "drop"),
        }
        kept = known.copy()
        for reason, mask in drops.items():
            self.account.drop(reason, int(np.count_nonzero(mask)))
            kept &= ~mask
        lists = jobs.task_lists[known & ~started]
        self._count_tasks(lists)
        if not kept.any():
            return None
        jobs = jobs.filter(kept)
        self.limits_unknown += jobs.limits_unknown()
        jobs.times = self.clock.convert(jobs.times, jobs.local, jobs.length_s(), jobs.array_ids)
        return jobs.table()

    def _count_tasks(self, lists: np.ndarray) -> None:
        """Count the tasks of rows such as 2_[7,10], which stand for many."""
        for text in lists[lists != ""].tolist():
            tasks = TaskList.parse(text)
            more = self.account.more
            more["array_rows"] = int(more.get("array_rows", 0)) + 1
            more["array_tasks"] = int(more.get("array_tasks", 0)) + len(tasks)
            more["array_rows_cut"] = int(more.get("array_rows_cut", 0)) + tasks.cut
