"""Runs trials on threads, and keeps each outcome at once in a journal, if a folder is given.

The journal is that of a study's store: one line of JSON per outcome, of which a killed process loses at most the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from thinktime.bootstrapping.trials import Experiment, Trial
from thinktime.errors import InputError
from thinktime.study.execute import Outcome
from thinktime.study.executors import Threads
from thinktime.study.store import JOURNAL, Store
from thinktime.support.files import json_of

ABOUT_FILE, FORMAT = "bootstrap.json", "thinktime-bootstrap"
Progress = Callable[[int, int], None]  # called with the trials that are done, and with all trials
Outcomes = dict[str, Outcome]  # run → its outcome


def run_trials(
    experiment: Experiment,
    trials: list[Trial],
    *,
    kind: str = "",
    folder: str | PathLike[str] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Outcomes:
    """Return the outcomes of all trials; those in the folder are not computed again."""
    on = TrialThreads(experiment, threads)
    store = Store(_folder(Path(folder), kind)) if folder is not None else None
    found: Outcomes = {} if store is None else store.outcomes
    missing = [trial for trial in trials if not all(run in found for run in experiment.runs(trial))]
    done = len(trials) - len(missing)
    try:
        for outcomes in on(missing):
            _keep(outcomes, found, store)
            done += 1
            if progress is not None:
                progress(done, len(trials))
    finally:
        if store is not None:
            store.close()
    return found


def _keep(outcomes: list[Outcome], found: Outcomes, store: Store | None) -> None:
    for outcome in outcomes:
        if store is not None:
            store.add(outcome)
        else:
            found[outcome["run"]] = outcome


class TrialThreads(Threads):
    """The threads of a study, for trials. The first error ends all."""

    def __init__(self, experiment: Experiment, number: int | None) -> None:
        super().__init__(number)
        self._experiment, self._error = experiment, None  # type: tuple[Experiment, BaseException | None]

    def __call__(self, trials: Iterable[Any]) -> Iterator[Any]:
        for outcomes in super().__call__(self._until_an_error(trials)):
            if outcomes:
                yield outcomes
        if self._error is not None:
            raise self._error

    def _until_an_error(self, trials: Iterable[Any]) -> Iterator[Any]:
        for trial in trials:
            if self._error is not None:
                return
            yield trial

    def _run_task(self, worker: Any, task: Any) -> Any:
        try:
            return self._experiment.run(task)
        except BaseException as error:
            self._error = error
            return []


def _folder(path: Path, kind: str) -> Path:
    """Return the folder, made if needed; raise InputError if it holds something else."""
    there = kind_of(path)
    if there not in (None, kind):
        raise InputError(f"{path} holds a {there}, not a {kind}: choose another folder")
    if there is None and path.is_dir() and any(path.iterdir()) and not (path / JOURNAL).is_dir():
        raise InputError(f"{path} holds other files than those of a {kind}: choose a new folder")
    if path.exists() and not path.is_dir():
        raise InputError(f"{path} is a file: give a folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"Cannot make {path} ({error.strerror}): choose another folder") from None
    return path


def kind_of(path: Path) -> str | None:
    """Return the kind of a folder of outcomes; None if it is not one."""
    try:
        content = json_of(path / ABOUT_FILE)
        return str(content["kind"]) if content["format"] == FORMAT else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
