"""`thinktime inspect --compare`: tables, JSON, figures, and one sentence for every mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

import thinktime as tt
from tests.cli.commands import small_log, thinktime

QUICK = ("--shuffles", 20)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two generated logs of eight weeks."""
    folder = tmp_path_factory.mktemp("logs")
    for seed, name in ((1, "a.swf"), (2, "b.swf")):
        tt.write_swf(tt.default_workload(users=25, seed=seed), folder / name)
    return folder / "a.swf", folder / "b.swf"


def test_two_logs_without_resamples(logs: tuple[Path, Path], tmp_path: Path) -> None:
    outcome = thinktime(tmp_path, "inspect", "--compare", *logs, "--resamples", 0, *QUICK)
    assert outcome.code == 0, outcome.err
    lines = outcome.out.splitlines()
    assert lines[0].startswith("a: ")
    assert lines[1].startswith("  compared   b: ")
    for words in ("Hurst parameter", "stack depth: run times", "similar jobs, users", "shuffled 20 times"):
        assert words in outcome.out
    assert "no verdict, because resamples is 0" in " ".join(outcome.out.split())
    assert "…" not in outcome.out  # nothing is cut off


def test_json_has_everything(logs: tuple[Path, Path], tmp_path: Path) -> None:
    arguments = ("inspect", "--compare", *logs, "--resamples", 0, "--json", "--seed", 5, *QUICK)
    outcome = thinktime(tmp_path, *arguments)
    found = outcome.json
    assert found["base"]["name"] == "a"
    assert [other["name"] for other in found["others"]] == ["b"]
    assert len(found["measures"]) == 26
    assert found["base"]["permutation"]["run"]["shuffles"] == 20
    expected = tt.describe(tt.read_swf(logs[0]), shuffles=20, seed=5)
    assert found["base"]["permutation"]["run"]["shuffled_mean"] == expected.permutation["run"].shuffled.mean()
    assert found["paths"] == {"figures": []}
    assert thinktime(tmp_path, *arguments).out == outcome.out


def test_figures_are_drawn_where_they_are_asked_for(logs: tuple[Path, Path], tmp_path: Path) -> None:
    outcome = thinktime(
        tmp_path,
        "inspect",
        "--compare",
        *logs,
        "--resamples",
        0,
        "--json",
        "--out",
        "pictures",
        "--formats",
        "svg",
        *QUICK,
    )
    drawn = [Path(path) for path in outcome.json["paths"]["figures"]]
    assert {path.name for path in drawn} >= {"user_marginals.svg", "pox_lines.svg", "shuffled_sessions.svg"}
    assert all((tmp_path / path).stat().st_size > 1000 for path in drawn)


def test_one_log_beside_its_resamples(logs: tuple[Path, Path], tmp_path: Path) -> None:
    outcome = thinktime(tmp_path, "inspect", "--compare", logs[0], "--resamples", 3, *QUICK)
    assert outcome.code == 0, outcome.err
    assert "3 resamples of a by user" in outcome.out
    assert "a verdict needs 20" in " ".join(outcome.out.split())


def test_verdicts_are_the_same_every_time(logs: tuple[Path, Path], tmp_path: Path) -> None:
    arguments = ("inspect", "--compare", *logs, "--resamples", 4, "--json", "--shuffles", 0)
    one, other = (thinktime(tmp_path, *arguments).json for _ in range(2))
    assert one == other
    assert one["resamples"] == 4
    assert thinktime(tmp_path, *arguments, "--seed", 1).json["measures"] != one["measures"]


def test_a_log_too_short_to_resample_is_described_and_reported(tmp_path: Path) -> None:
    short = small_log(tmp_path / "short.swf")
    outcome = thinktime(tmp_path, "inspect", "--compare", short, "default", "--resamples", 2, "--shuffles", 0)
    assert outcome.code == 0, outcome.err
    assert "no verdict, because short cannot be resampled" in " ".join(outcome.out.split())


def test_a_log_of_which_nothing_is_left(tmp_path: Path) -> None:
    log = small_log(tmp_path / "log.swf")
    outcome = thinktime(tmp_path, "inspect", "--compare", log, "--remove", "job>0", "--resamples", 0, *QUICK)
    assert outcome.code == 0, outcome.err
    assert "log has no users, so there are no sessions" in outcome.out
    assert "log has no jobs" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("a.swf", "b.swf"), "inspect takes one log (got 2): give one, or add --compare"),
        (("--compare", "a.swf", "seth"), "seth is a cluster: --compare needs logs"),
        (("--compare", "a.swf", "."), ". is a run directory: --compare needs logs"),
        (("--compare", "a.swf", "--resamples", "many"), "--resamples must be"),
        (("--compare", "a.swf", "--resamples", "-1"), "resamples must be at least 0"),
        (("--compare", "a.swf", "--shuffles", "-1"), "shuffles must be at least 0"),
        (("--compare", "a.swf", "--seed", "-1", "--resamples", "0"), "seed is -1"),
        (("--compare", "missing.swf"), "missing.swf"),
        (("--compare",), "missing argument"),
    ],
)
def test_mistakes_are_error_messages(logs: tuple[Path, Path], arguments: tuple[str, ...], words: str) -> None:
    outcome = thinktime(logs[0].parent, "inspect", *arguments)
    assert outcome.code == 2
    assert words in outcome.err
    assert outcome.err.count("\n") == 1
