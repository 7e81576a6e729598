"""Run directories with any change in them: commands end with a verdict or one sentence, never with another exception
or a crash. The hashes are written anew after each change, so that the change itself has to be found."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import thinktime as tt
from tests.cli.commands import thinktime
from tests.effort import seeds
from tests.result.forged import forge
from thinktime.errors import InputError

ROUNDS = seeds(12)  # changed directories of every kind
pytestmark = pytest.mark.search
DRAWN = 0.1  # of them also drawn, which takes long
NUMBERS = (-1, 0, 1, 2, 7, 63, 64, 10**6, 2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1, -(2**31), -(2**63))
FLOATS = (float("nan"), float("inf"), -float("inf"), 1e-320, -0.0, 0.5, -1e-9, 1e18, 1e308, -1e308)
TEXTS = ("", "nan", "../../x", "\x1b[2J", "loop")
VALUES: tuple[Any, ...] = (None, True, *TEXTS, [], {}, [[]], {"name": "loop"}, *NUMBERS, 1e308, -0.5)


def counted() -> tt.Result:
    loops = tt.Loop(technique="gss", variation=0.2, tasks_per_core=3)
    options: dict[str, Any] = {"applications": loops, "decisions": True}
    return tt.simulate(tt.default_workload(jobs=25), tt.Machine(processors=128), tt.Easy(), **options)


def on_nodes() -> tt.Result:
    cluster = tt.Cluster(groups=[{"name": "a", "nodes": 20, "core": 4}, {"name": "b", "nodes": 12, "core": 4}])
    loops = tt.Loop(release="idle", variation=0.3)
    return tt.simulate(tt.default_workload(jobs=25), cluster, tt.Easy(), applications=loops)


def with_plugins() -> tt.Result:
    cluster = tt.Cluster(groups=[{"name": "a", "nodes": 32, "core": 4}])
    plugins = [tt.Failures(mtbf_h=40.0, jobs="checkpoint", checkpoint_h=1.0), tt.Power(idle_w=90), tt.Thermal()]
    log = tt.default_workload(jobs=40)
    return tt.simulate(log, cluster, tt.FCFS(), plugins=plugins, applications=tt.Loop(variation=0.2))


def of_fixed_jobs() -> tt.Result:
    cluster = tt.Cluster(groups=[{"name": "a", "nodes": 32, "core": 4}])
    return tt.simulate(tt.default_workload(jobs=25), cluster, tt.Easy(), users=tt.SessionReplay())


KINDS: dict[str, Callable[[], tt.Result]] = {
    each.__name__: each for each in (counted, on_nodes, with_plugins, of_fixed_jobs)
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    for name, made in KINDS.items():
        made().save(folder / name)
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_the_directories_themselves_are_sound(sound: Path, kind: str) -> None:
    assert thinktime(sound, "check", kind).code == 0


@pytest.mark.parametrize("kind", KINDS)
def test_any_change_is_reported_or_harmless(sound: Path, tmp_path: Path, kind: str) -> None:
    for seed in ROUNDS:
        chance = random.Random(f"{kind} {seed}")
        shutil.copytree(sound / kind, tmp_path / "run")
        change = changed(tmp_path / "run", chance)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # numpy's, of sums of absurd numbers
                looked_at(tmp_path, drawn=chance.random() < DRAWN)
        except BaseException as error:
            raise AssertionError(f"{kind} {seed}: {change}") from error
        for path in tmp_path.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def looked_at(folder: Path, drawn: bool) -> None:
    """Every command that reads a run; the exit code is 0, or 2, or 1 if `check` found something."""
    told = thinktime(folder, "check", "run")
    assert told.code in (0, 1, 2), told.err
    for command in (
        ("inspect", "run"),
        ("inspect", "run", "--at", "1d", "--json"),
        ("trace", "run", "--out", "a.csv"),
        ("trace", "run", "--out", "a.json", "--window", "1h:2d"),
    ):
        told = thinktime(folder, *command)
        assert told.code in (0, 2), told.err
    with contextlib.suppress(InputError):
        in_python(tt.Result.load(folder / "run"), folder)
    if drawn:
        assert thinktime(folder, "inspect", "run", "--figures", "--out", "figures").code in (0, 2)
        assert thinktime(folder, "trace", "run", "--out", "a.png").code in (0, 2)


def in_python(run: tt.Result, folder: Path) -> None:
    looks: tuple[Callable[[], object], ...] = (
        lambda: run.summary(warmup_s=3600.0),
        lambda: (run.jobs, run.placements, run.attempts, run.reports, run.timeline, run.decisions),
        lambda: (run.per_user(), run.fairness(), run.lateness(), run.saturation(), run.activity()),
        run.core_seconds,
        run.load_ratio,
        run.resource_efficiency,
        lambda: run.write_csv(folder / "jobs.csv"),
        lambda: run.write_swf(folder / "jobs.swf"),
        lambda: run.write_batsim(folder / "batsim.csv"),
        lambda: run.write_accasim(folder / "accasim.txt", folder / "benchmark.txt"),
        lambda: run.save(folder / "again"),
    )
    for look in looks:
        with contextlib.suppress(InputError):
            look()


# --- changes ------------------------------------------------------------------------------------------------


def changed(run: Path, chance: random.Random) -> str:
    """Change one thing, or a few, and say what."""
    said = []
    for _ in range(chance.choice((1, 1, 1, 2))):
        if chance.random() < 0.3:
            said.append(changed_content(run, chance))
        else:
            said.append(changed_table(run, chance))
    return "; ".join(said)


def changed_content(run: Path, chance: random.Random) -> str:
    """Something in run.json, but not its hashes."""
    said = ""

    def change(content: dict[str, Any]) -> None:
        nonlocal said
        at: Any = content[chance.choice(("spec", "spec", "spec", "summary", "statistics", "account"))]
        said = "run.json"
        while True:
            key = chance.choice(list(at)) if isinstance(at, dict) else chance.randrange(len(at))
            said += f".{key}"
            inner = at[key]
            if isinstance(inner, dict | list) and inner and chance.random() < 0.8:
                at = inner
                continue
            break
        value = chance.choice(VALUES)
        if isinstance(at, dict) and chance.random() < 0.2:
            del at[key]
            said += " deleted"
        else:
            at[key] = value
            said += f" = {value!r}"

    forge(run, change)
    return said


def changed_table(run: Path, chance: random.Random) -> str:
    file = chance.choice(sorted(json.loads((run / "run.json").read_text())["files"]))
    frame = pl.read_parquet(run / file)
    name, change = chance.choice(CHANGES)
    column = chance.choice(frame.columns)
    change(frame, column, chance).write_parquet(run / file)
    forge(run)
    return f"{name} in {column} of {file}"


def other_value(frame: pl.DataFrame, column: str, chance: random.Random) -> pl.DataFrame:
    values, kind = frame[column].to_list(), frame[column].dtype
    if not values:
        return frame
    candidates: tuple[Any, ...] = (None, *NUMBERS, *(FLOATS if kind.is_float() else ()))
    value = chance.choice(candidates) if kind.is_numeric() else chance.choice(("completed", "killed", "rejected", "x"))
    for _ in range(chance.choice((1, 1, len(values)))):
        values[chance.randrange(len(values))] = value
    return frame.with_columns(pl.Series(column, values, dtype=kind, strict=False))


def other_type(frame: pl.DataFrame, column: str, chance: random.Random) -> pl.DataFrame:
    kind = chance.choice((pl.String, pl.Float32, pl.Int8, pl.UInt64, pl.Boolean, pl.List(pl.Int64)))
    castable = kind not in (pl.Boolean, pl.List(pl.Int64))
    values = pl.col(column).cast(kind, strict=False) if castable else pl.lit(None).cast(kind).alias(column)
    return frame.with_columns(values)


def other_rows(frame: pl.DataFrame, column: str, chance: random.Random) -> pl.DataFrame:
    rows = list(range(len(frame)))
    which = chance.randrange(4)
    if which == 0:
        chance.shuffle(rows)
    elif which == 1:
        rows = rows[: chance.randrange(len(rows) + 1)]
    elif which == 2:
        rows += rows
    else:
        rows = []
    return frame[np.array(rows, dtype=np.int64)]


def no_column(frame: pl.DataFrame, column: str, chance: random.Random) -> pl.DataFrame:
    return frame.drop(column) if chance.random() < 0.5 else frame.rename({column: f"other_{column}"})


CHANGES: tuple[tuple[str, Callable[[pl.DataFrame, str, random.Random], pl.DataFrame]], ...] = (
    ("another value", other_value),
    ("another value", other_value),
    ("another value", other_value),
    ("another type", other_type),
    ("other rows", other_rows),
    ("no such column", no_column),
)
