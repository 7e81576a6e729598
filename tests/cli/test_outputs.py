"""No output replaces an input, a file of a run or of a store, or a file that was there, unless it is said."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import thinktime as tt
from tests.cli.commands import small_log, thinktime
from thinktime.errors import InputError


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log, a run and a store."""
    found = tmp_path_factory.mktemp("outputs")
    small_log(found / "log.swf", jobs=30)
    run = tt.simulate(tt.default_workload(jobs=20), tt.Machine(processors=128), tt.Easy())
    run.save(found / "run")
    study = tt.Study.of(name="s", workloads=[{"generator": "default", "jobs": 20}], schedulers=["fcfs"], seeds=2)
    study.run(found / "s.study")
    return found


def contents(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.parametrize("overwrite", [(), ("--overwrite",)], ids=["plain", "overwrite"])
@pytest.mark.parametrize(
    "command",
    [
        ("trace", "run", "--format", "perfetto", "--out", "run/run.json"),
        ("trace", "run", "--out", "run/jobs.parquet"),
        ("trace", "run", "--out", "run/timeline.parquet"),
        ("trace", "run", "--format", "csv", "--out", "s.study/study.json"),
        ("trace", "run", "--format", "csv", "--out", "link.csv"),
        ("study", "export", "s.study", "--out", "run/jobs.parquet"),
        ("study", "export", "s.study", "--out", "run/run.json"),
        ("study", "export", "s.study", "--out", "s.study/study.json"),
        ("report", "s.study", "--no-figures", "--out", "run/run.json"),
        ("inspect", "log.swf", "--peak", "24h", "--out", "log.swf"),
        ("sessions", "log.swf", "--parquet", "run/jobs.parquet"),
        ("sessions", "log.swf", "--edges", "log.swf"),
        ("sessions", "log.swf", "--swf", "log.swf"),
        ("generate", "default", "--out", "run/run.json"),
    ],
    ids=lambda command: " ".join(command[:1] + command[-1:]),
)
def test_nothing_of_value_is_replaced(folder: Path, command: tuple[str, ...], overwrite: tuple[str, ...]) -> None:
    """`trace RUN --out RUN/run.json` once destroyed the run."""
    if not (folder / "link.csv").is_symlink():
        (folder / "link.csv").symlink_to(folder / "run" / "run.json")
    before = contents(folder)
    told = thinktime(folder, *command, *overwrite)
    assert (told.code, contents(folder) == before) == (2, True), told.err


@pytest.mark.parametrize(
    "command",
    [
        ("trace", "run", "--out", "old.csv"),
        ("trace", "run", "--out", "old.png"),
        ("study", "export", "s.study", "--out", "old.csv"),
        ("report", "s.study", "--no-figures", "--out", "old.html"),
        ("inspect", "log.swf", "--peak", "24h", "--out", "old.swf"),
        ("sessions", "log.swf", "--parquet", "old.parquet"),
        ("resample", "log.swf", "--long-term-weeks", "1", "--out", "old.swf"),
        ("generate", "default:jobs=20", "--out", "old.swf"),
    ],
    ids=lambda command: " ".join(command[:1] + command[-1:]),
)
def test_a_file_that_is_there_stays_unless_it_is_said(folder: Path, command: tuple[str, ...]) -> None:
    (folder / command[-1]).write_text("mine")
    told = thinktime(folder, *command)
    assert (told.code, "--overwrite" in told.err, (folder / command[-1]).read_text()) == (2, True, "mine"), told.err


def test_overwrite_replaces_a_file(folder: Path) -> None:
    (folder / "mine.csv").write_text("mine")
    assert thinktime(folder, "trace", "run", "--out", "mine.csv", "--overwrite").code == 0
    assert (folder / "mine.csv").read_text().startswith("job")


def test_the_report_in_the_store_is_renewed(folder: Path) -> None:
    for _ in range(2):
        assert thinktime(folder, "report", "s.study", "--no-figures").code == 0


def test_python_spares_runs_too(folder: Path) -> None:
    run = tt.Result.load(folder / "run")
    for path in (folder / "run" / "run.json", folder / "run" / "jobs.parquet"):
        with pytest.raises(InputError, match="part of"):
            run.write_csv(path)
        with pytest.raises(InputError, match="part of"):
            tt.write_trace(run, path, format="csv")


def test_figures_do_not_follow_a_link_out_of_the_store(folder: Path, tmp_path: Path) -> None:
    (folder / "s.study" / "figures").symlink_to(tmp_path)
    told = thinktime(folder, "report", "s.study", "--formats", "png")
    (folder / "s.study" / "figures").unlink()
    assert (told.code, list(tmp_path.iterdir())) == (2, []), told.err
