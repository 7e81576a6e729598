"""Carries out a reproduction: finds the logs, runs what the stores do not have yet, judges, draws, writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from thinktime import __version__
from thinktime.errors import InputError
from thinktime.reproduce.reproduction import MET, MISSED, NEEDS, Findings, Reproduction, Verdict, judge
from thinktime.result.canonical import readable_json
from thinktime.result.staging import staged_file
from thinktime.study.runner import Executor, run_study
from thinktime.study.store import Store, open_store
from thinktime.study.study import Study

ENDINGS = ("", ".gz", ".xz", ".bz2", ".zip")


@contextmanager
def unheard(words: str, total: float | None = None, unit: str = "") -> Iterator[Any]:
    """A stage that nobody is told of."""
    yield SimpleNamespace(done=0.0)


@dataclass(frozen=True)
class Reproduced:
    """What came out."""

    reproduction: Reproduction
    verdicts: Sequence[Verdict]
    directory: Path  # its own
    figures: Sequence[Path]
    warnings: Sequence[str] = ()  # what makes the verdicts doubtful
    measured: Mapping[str, Any] = field(default_factory=dict)  # that is no study: time and memory of processes
    logs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # label → file and sha256 of the log read

    def count(self, verdict: str) -> int:
        return sum(each.verdict == verdict for each in self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        return {
            "reproduction": self.reproduction.name,
            "paper": self.reproduction.paper,
            "version": __version__,
            **{verdict: self.count(verdict) for verdict in (MET, MISSED, NEEDS)},
            "logs": {label: dict(log) for label, log in self.logs.items()},
            "notes": list(self.reproduction.notes),
            "warnings": list(self.warnings),
            "measured": dict(self.measured),
            "values": [each.to_dict() for each in self.verdicts],
            "figures": [str(path) for path in self.figures],
        }


def carry_out(
    reproduction: Reproduction,
    folder: Path,
    directory: Path,
    executor: Executor | None = None,
    formats: Sequence[str] = ("png",),
    hear: Callable[[str, Study], Any] | None = None,
    peers: Mapping[str, Path] | None = None,
    stage: Callable[..., AbstractContextManager[Any]] = unheard,
) -> Reproduced:
    """`folder` has the logs; a folder in `directory`, of the reproduction's name, keeps the runs, verdicts.json and the
    figures, so that several reproductions can share a directory. `peers` are interpreters that have other simulators,
    by the simulator's name, to be measured beside ours. `stage` is told what takes long besides the runs."""
    logs = find_logs(reproduction, folder)
    _require_peers(reproduction, peers or {})
    directory = directory / reproduction.name
    directory.mkdir(parents=True, exist_ok=True)
    studies = {label: reproduction.study(label, path) for label, path in logs.items()}
    stores = {label: _run(label, study, directory, executor, hear) for label, study in studies.items()}
    with stage("measuring processes"):
        measured = reproduction.measure(logs, peers or {}) if reproduction.measure else {}
    findings = Findings(studies, stores, logs, measured, directory)
    if reproduction.prepare:
        reproduction.prepare(findings, stage)
    beside = reproduction.beside(findings) if reproduction.beside else ()
    with stage("judging and drawing"):
        verdicts = judge([*reproduction.claims, *beside], findings, reproduction.needs)
        figures = reproduction.draw(findings, verdicts, directory, formats) if reproduction.draw else []
    warnings = [*_other_versions(reproduction, logs), *_other_logs(reproduction, findings)]
    done = Reproduced(reproduction, verdicts, directory, figures, warnings, measured, _read(studies, logs))
    with staged_file(directory / "verdicts.json") as temporary:
        temporary.write_text(readable_json(done.to_dict()), encoding="utf-8")
    return done


def _read(studies: Mapping[str, Study], logs: Mapping[str, Path]) -> dict[str, dict[str, str]]:
    """Which files the verdicts are about."""
    sources = {label: study.grid["workload"][0].spec for label, study in studies.items()}
    return {
        label: {"file": path.name, "sha256": sources[label]["log"]}
        for label, path in logs.items()
        if "log" in sources[label]
    }


def _other_versions(reproduction: Reproduction, logs: Mapping[str, Path]) -> Iterator[str]:
    for label, path in logs.items():
        first = reproduction.files(label)[0]
        if not path.name.startswith(first):
            yield f"{label} is read from {path.name}, where the paper had {first}: numbers may differ a little"


def _other_logs(reproduction: Reproduction, findings: Findings) -> Iterator[str]:
    """Logs that are not the paper's, by their number of jobs."""
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


def find_logs(reproduction: Reproduction, folder: Path) -> dict[str, Path]:
    """The logs that are there; at least one must be."""
    if not folder.is_dir():
        raise InputError(f"the folder of logs {folder} does not exist: give it with --logs")
    found: dict[str, Path] = {}
    for label in reproduction.logs:
        possible = (folder / f"{name}{ending}" for name in reproduction.files(label) for ending in ENDINGS)
        there = next((path for path in possible if path.is_file()), None)
        found |= {label: there} if there else {}
    if not found:
        names = ", ".join(dict.fromkeys(name for label in reproduction.logs for name in reproduction.files(label)))
        raise InputError(f"{folder} has none of the logs of {reproduction.name}: get one of {names}")
    return found


def _run(label: str, study: Study, directory: Path, executor: Executor | None, hear: Any) -> Store:
    store = open_store(directory / f"{label}.study", study)
    told = hear(label, study) if hear is not None else None
    run_study(study, store, executor, again=True, hear=told)
    store.close()
    return store
