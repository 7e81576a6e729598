"""Run a reproduction: find the logs, run what the stores do not have yet, judge, draw and write."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from thinktime import __version__
from thinktime.errors import InputError
from thinktime.result.canonical_json import readable_json
from thinktime.result.directory.staging import staged_file
from thinktime.study.runner import Executor, run_study
from thinktime.study.store import Store, open_store
from thinktime.study.study import Study
from thinktime_reproduce.claim import CLASSES, HELD_OUT, MISSED, VERDICTS, Rule, Verdict
from thinktime_reproduce.logs import find_logs, versions
from thinktime_reproduce.reproduction import Findings, Reproduction, Table, judge


@contextmanager
def unheard(words: str, total: float | None = None, unit: str = "") -> Iterator[Any]:
    """A silent progress stage."""
    yield SimpleNamespace(done=0.0)


@dataclass(frozen=True)
class Reproduced:
    """The result of a reproduction."""

    reproduction: Reproduction
    verdicts: Sequence[Verdict]
    directory: Path  # where runs, verdicts and figures are
    figures: Sequence[Path]
    warnings: Sequence[str] = ()  # reasons to doubt the verdicts
    measured: Mapping[str, Any] = field(default_factory=dict)  # time and memory of processes
    logs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # label → file and sha256 of the log read

    def count(self, category: str, verdict: str, judged: str | None = None) -> int:
        """Count the claims of a class with a verdict; with `judged`, only those judged so, for example `held out`."""
        chosen = (each for each in self.verdicts if (each.category, each.verdict) == (category, verdict))
        return sum(judged is None or each.claim.judged == judged for each in chosen)

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """Class → verdict → number of claims, and of held-out ones. Classes are never added up."""
        return {
            category: {verdict: self.count(category, verdict) for verdict in VERDICTS}
            | {
                f"{verdict}_{HELD_OUT}".replace(" ", "_"): self.count(category, verdict, HELD_OUT)
                for verdict in VERDICTS
            }
            for category in CLASSES
        }

    @property
    def rules(self) -> list[Rule]:
        return list(dict.fromkeys(rule for each in self.verdicts for rule in each.claim.rules))

    def _rule(self, rule: Rule) -> dict[str, Any]:
        held_out = {
            category: {"met": met, "judged": judged} for category, (met, judged) in rule.held_out(self.verdicts).items()
        }
        return {"rule": rule.words, "chosen_on": list(rule.chosen_on), "held_out": held_out}

    @property
    def missed(self) -> bool:
        return any(each.verdict == MISSED for each in self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        return {
            "reproduction": self.reproduction.name,
            "paper": self.reproduction.paper,
            "version": __version__,
            "counts": self.counts,
            "logs": {label: dict(log) for label, log in self.logs.items()},
            "notes": list(self.reproduction.notes),
            "rules": [self._rule(rule) for rule in self.rules],
            "warnings": list(self.warnings),
            "measured": dict(self.measured),
            "values": [each.to_dict() for each in self.verdicts],
            "figures": [str(path) for path in self.figures],
        }


def run_reproduction(
    reproduction: Reproduction,
    folder: Path,
    directory: Path,
    executor: Executor | None = None,
    formats: Sequence[str] = ("png",),
    hear: Callable[[str, Study], Any] | None = None,
    peers: Mapping[str, Path] | None = None,
    stage: Callable[..., AbstractContextManager[Any]] = unheard,
) -> Reproduced:
    """Run a reproduction, judge its claims, and write runs, verdicts and figures.

    Parameters
    ----------
    reproduction
        One of `REPRODUCTIONS`, or your own.
    folder
        Folder of the logs.
    directory
        Runs, verdicts.json and figures go to a folder in it, named after the reproduction.
    executor
        Where the runs are simulated (default: threads of this process).
    formats
        File formats of the figures.
    hear
        Called with each study that begins.
    peers
        Simulator → Python interpreter that has it, to be measured too.
    stage
        Context for long steps other than runs, such as a progress bar.
    """
    logs = find_logs(reproduction, folder)
    _require_peers(reproduction, peers or {})
    directory = directory / reproduction.name
    directory.mkdir(parents=True, exist_ok=True)
    studies = {label: reproduction.study(label, path) for label, path in logs.items()}
    stores = {label: run(label, study, directory, executor, hear) for label, study in studies.items()}
    with stage("measuring processes"):
        measured = reproduction.measure(logs, peers or {}) if reproduction.measure else {}
    findings = Findings(studies, stores, logs, measured, directory)
    if reproduction.prepare:
        reproduction.prepare(findings, stage)
    beside = reproduction.beside(findings) if reproduction.beside else ()
    with stage("judging and drawing"):
        claims, other = [*reproduction.claims, *beside], versions(reproduction, logs)
        verdicts = judge(claims, findings, reproduction.needs, other)
        figures = reproduction.draw(findings, verdicts, directory, formats) if reproduction.draw else []
    warnings = [*_other_versions(other), *_other_logs(reproduction, findings)]
    done = Reproduced(reproduction, verdicts, directory, figures, warnings, measured, _logs_read(studies, logs))
    _write_verdicts(done)
    return done


def try_readings(
    reproduction: Reproduction,
    folder: Path,
    directory: Path,
    stage: Callable[..., AbstractContextManager[Any]] = unheard,
) -> tuple[Table, Path]:
    """Simulate every alternative reading of the paper; return the table of errors and the file that has it."""
    if reproduction.readings is None:
        raise InputError(f"{reproduction.name} has no table of readings: leave out --readings")
    logs, directory = find_logs(reproduction, folder), directory / reproduction.name
    directory.mkdir(parents=True, exist_ok=True)
    head, rows = reproduction.readings(Findings({}, {}, logs, directory=directory), stage)
    with (
        staged_file(directory / "readings.csv") as temporary,
        temporary.open("w", encoding="utf-8", newline="") as file,
    ):
        csv.writer(file, lineterminator="\n").writerows([head, *rows])
    return (head, rows), directory / "readings.csv"


def _write_verdicts(done: Reproduced) -> None:
    """Write verdicts.json, and its rows as verdicts.csv."""
    with staged_file(done.directory / "verdicts.json") as temporary:
        temporary.write_text(readable_json(done.to_dict()), encoding="utf-8")
    rows = [{**each, "rules": "; ".join(each["rules"])} for each in (each.to_dict() for each in done.verdicts)]
    with (
        staged_file(done.directory / "verdicts.csv") as temporary,
        temporary.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.DictWriter(file, list(rows[0]) if rows else [], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _logs_read(studies: Mapping[str, Study], logs: Mapping[str, Path]) -> dict[str, dict[str, str]]:
    """Return label → file and hash of the logs."""
    sources = {label: study.grid["workload"][0].spec for label, study in studies.items()}
    return {
        label: {"file": path.name, "sha256": sources[label]["log"]}
        for label, path in logs.items()
        if "log" in sources[label]
    }


def _other_versions(other: Mapping[str, str]) -> Iterator[str]:
    for label, names in other.items():
        yield f"{label} is read from another version than the paper's ({names}); tolerances are the same as for its own"


def _other_logs(reproduction: Reproduction, findings: Findings) -> Iterator[str]:
    """Warn of logs whose number of jobs differs from the paper's."""
    for label, expected in reproduction.jobs.items():
        outcomes = findings.stores[label].outcomes.values() if label in findings.stores else ()
        jobs = {each["summary"]["jobs"] for each in outcomes if each["error"] is None}
        if jobs and jobs != {expected}:
            found = f"{findings.logs[label].name} has {max(jobs):,} jobs, the paper's log {expected:,}"
            yield f"{found}: it is another log, or damaged, and the verdicts on it say nothing"


def _require_peers(reproduction: Reproduction, peers: Mapping[str, Path]) -> None:
    for name, python in peers.items():
        if name not in reproduction.peers:
            raise InputError(f"{reproduction.name} runs no {name}: leave out --{name}")
        if not python.is_file():
            raise InputError(f"{python} does not exist: give --{name} the Python that has {name} installed")


def run(label: str, study: Study, directory: Path, executor: Executor | None = None, hear: Any = None) -> Store:
    """Run what the store in this directory does not have yet."""
    store = open_store(directory / f"{label}.study", study)
    told = hear(label, study) if hear is not None else None
    run_study(study, store, executor, again=True, on_outcome=told)
    store.close()
    return store
