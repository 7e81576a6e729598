"""The store of a study: outcomes as lines of JSON, in one journal per writing process.

A line is one outcome, appended by a single write. A process writes to its own journal only, so neither other
processes nor a kill can damage what is there: a torn last line is an outcome that was not kept, and its run is
repeated. Of several outcomes of one run, the first that succeeded counts. Claims decide which process runs which task
(`claims.py`).
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from thinktime.errors import InputError
from thinktime.result.canonical_json import jsonable, readable_json
from thinktime.result.directory.staging import staged_directory, staged_file
from thinktime.study.execute import Outcome
from thinktime.study.store.claims import CLAIMS
from thinktime.study.store.outcome_check import require_outcome
from thinktime.study.study import Study
from thinktime.support.files import json_of, parse_json, text_of
from thinktime.support.output_files import JOURNAL, RUN_FILE, RUNS, STUDY_FILE

WORKERS = "workers"
FORMAT = "thinktime-study"
PATIENCE_S = 0.5  # between two looks at what others have written


def store_of(path: Path) -> Path:
    """Return the store of a study's file, which is next to it under its name; a store itself is returned as it is."""
    return path if path.is_dir() else path.with_suffix(".study")


class Store:
    """`store.outcomes` is run → outcome; `add` keeps one more; `look` reads what other processes have added."""

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory)
        self.outcomes: dict[str, Outcome] = {}
        self.damaged: list[str] = []  # lines that are not an outcome: file and number
        self._read_to: dict[str, tuple[int, int]] = {}  # journal → bytes and lines read so far
        self._own: int | None = None  # our journal, open for appending
        self._own_name = ""
        self._looked = 0.0
        self.look()

    def close(self) -> None:
        if self._own is not None:
            os.close(self._own)
            self._own = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def succeeded(self, run: str) -> bool:
        return run in self.outcomes and self.outcomes[run]["error"] is None

    def add(self, outcome: Outcome) -> None:
        """Keep an outcome, after its run directory if there is one."""
        files = outcome.pop("files", None)
        if files is not None:
            self._keep_files(outcome["run"], files)
        _write_all(self._journal(), _journal_line(outcome))
        self._take(outcome)

    def look(self) -> None:
        """Read new lines in the journals of other processes."""
        for path in sorted((self.directory / JOURNAL).glob("*.jsonl")):
            if path.name != self._own_name and self._is_journal(path):
                self._read(path)
        self._looked = time.monotonic()

    def _is_journal(self, path: Path) -> bool:
        """Whether the path is a regular file; reading a pipe would block."""
        if path.is_file():
            return True
        if path.name not in self._read_to:
            self._read_to[path.name] = 0, 0
            self.damaged.append(f"{path.name}, which is not a regular file")
        return False

    def glance(self) -> None:
        """Call `look`, but not too often."""
        if time.monotonic() - self._looked > PATIENCE_S:
            self.look()

    def run_directory(self, run: str) -> Path:
        return self.directory / RUNS / run

    def _take(self, outcome: Outcome) -> None:
        if not self.succeeded(outcome["run"]):
            self.outcomes[outcome["run"]] = outcome

    def _read(self, path: Path) -> None:
        at, number = self._read_to.get(path.name, (0, 0))
        with path.open("rb") as file:
            file.seek(at)
            for line in file:
                if not line.endswith(b"\n"):  # still being written, or torn
                    break
                at, number = at + len(line), number + 1
                self._take_line(line, f"{path.name} line {number}")
        self._read_to[path.name] = at, number

    def _take_line(self, line: bytes, where: str) -> None:
        try:
            outcome = parse_json(line)
            require_outcome(outcome, of_study=(self.directory / STUDY_FILE).is_file())
        except ValueError:
            self.damaged.append(where)
            return
        self._take(outcome)

    def _journal(self) -> int:
        """Return the journal of this process, which is made with the first outcome under a unique name."""
        if self._own is None:
            folder = self.directory / JOURNAL
            folder.mkdir(parents=True, exist_ok=True)
            self._own_name = f"{socket.gethostname()}-{os.getpid()}-{time.time_ns()}.jsonl"
            self._own = os.open(folder / self._own_name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o666)
        return self._own

    def _keep_files(self, run: str, files: Mapping[str, bytes]) -> None:
        """Write the run directory. If two processes keep the same run, their files are equal and the first stay."""
        place = self.run_directory(run)
        if (place / RUN_FILE).is_file():
            return
        shutil.rmtree(place, ignore_errors=True)  # a directory without run.json was emptied by hand
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            with staged_directory(place) as temporary:
                for name, content in files.items():
                    (temporary / name).write_bytes(content)
        except InputError:
            if not (place / RUN_FILE).is_file():
                raise


def _journal_line(outcome: Outcome) -> bytes:
    """Return the line of an outcome; values are converted only if plain JSON fails."""
    try:
        return (json.dumps(outcome, separators=(",", ":"), allow_nan=False) + "\n").encode()
    except (ValueError, TypeError):
        return (json.dumps(jsonable(outcome), separators=(",", ":"), allow_nan=False) + "\n").encode()


def _write_all(descriptor: int, line: bytes) -> None:
    """Append the line in one write; on an error remove what was written of it and raise InputError."""
    end = os.lseek(descriptor, 0, os.SEEK_END)
    try:
        if os.write(descriptor, line) < len(line):
            raise OSError(28, os.strerror(28))
    except OSError as error:
        os.ftruncate(descriptor, end)
        raise InputError(f"Cannot write to the store ({error.strerror}): make room and run the study again") from None


def open_store(directory: Path, study: Study) -> Store:
    """Return the store of the study; make it if it does not exist."""
    if directory.exists() and not directory.is_dir():
        raise InputError(f"{directory} is a file: choose another --store")
    if directory.is_dir() and not _may_be_store(directory):
        raise InputError(f"{directory} is not a store of a study, and not empty: choose another --store")
    try:
        (directory / JOURNAL).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"Cannot make the store {directory} ({error.strerror}): choose another --store") from None
    content = {"format": FORMAT, "study": study.to_dict()}
    text = readable_json(content)
    if not _says(directory / STUDY_FILE, text):  # a read-only store is enough for a complete study
        with staged_file(directory / STUDY_FILE, kept=True) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return Store(directory)


def _says(path: Path, text: str) -> bool:
    try:
        return text_of(path) == text
    except (OSError, ValueError):
        return False


def _may_be_store(directory: Path) -> bool:
    """Whether the directory is a store, the rest of an interrupted one, or empty."""
    if (directory / STUDY_FILE).is_file():
        content = _read_json(directory / STUDY_FILE)
        return isinstance(content, dict) and content.get("format") == FORMAT
    names = {path.name for path in directory.iterdir() if not path.name.startswith(".")}
    return names <= {JOURNAL, RUNS, WORKERS, CLAIMS}


def _read_json(path: Path) -> Any:
    try:
        return json_of(path)
    except (OSError, ValueError):
        return {"format": FORMAT}  # damaged: it is written again


def study_of(directory: Path, *, trust: bool = False) -> Study:
    """Return the study that a store was last run for. With `trust`, running it may import and start what it names."""
    path = directory / STUDY_FILE
    try:
        content = json_of(path)
        if content["format"] != FORMAT:
            raise ValueError
        study = Study.from_dict(content["study"])
        study.tasks()
        study = replace(study, trusted=trust)
    except OSError as error:
        raise InputError(
            f"{directory} is not a store of a study ({path.name}: {error.strerror}): run a study first"
        ) from None
    except InputError as error:
        raise InputError(f"Cannot use the study in {path}: {error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{path} is damaged: run the study's file again with this store") from None
    return study


def of_study(store: Store, study: Study) -> Iterator[Outcome]:
    """Yield the outcomes of the study's grid, in its order; a store may hold others."""
    for task in study.tasks():
        if task.run in store.outcomes:
            yield {**store.outcomes[task.run], "cell": dict(task.cell)}
