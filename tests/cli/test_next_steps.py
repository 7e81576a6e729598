"""Every command that the program prints as the next one works as printed, in a process of its own."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Outcome, process, small_log, thinktime
from tests.cli.next_steps import in_fresh_process, printed_commands, typed
from tests.shared_data import log
from tests.study.studies import TEXT, written

REAL = ("NASA-iPSC-1993-3", "KTH-SP2-1996-2.1-cln")
NATURAL = """\
name = "two logs"
question = "Does backfilling pay if users react?"
workloads = [{workloads}]
schedulers = ["fcfs", "easy", "conservative"]
users = ["rigid", "{users}"]
seeds = {seeds}
"""


def natural(path: Path, *workloads: object, users: str = "session-replay", seeds: int = 1) -> Path:
    """A study of logs × three schedulers × two user models."""
    quoted = ", ".join(f'"{each}"' for each in workloads)
    return written(path, NATURAL.format(workloads=quoted, users=users, seeds=seeds))


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """The folder in which commands find two real logs by name."""
    (tmp_path / "logs").mkdir()
    for name in REAL:
        (tmp_path / "logs" / f"{name}.swf.gz").symlink_to(log(name))
    return tmp_path


def follow(folder: Path, outcome: Outcome, expected: int, run: Callable[..., Outcome] = in_fresh_process) -> None:
    """Type every printed command."""
    steps = printed_commands(outcome)
    assert len(steps) == expected, outcome
    for step in steps:
        quick = " --no-figures" if step.startswith("thinktime report") else ""  # drawing them all takes long
        found = typed(folder, step + quick, run)
        assert (found.code, found.err) == (0, ""), (step, found)


def looks(folder: Path, subject: str) -> None:
    """Commands that read a study, besides those that are printed, on its file or its store."""
    for words in ("study status", "study export", "study resume"):
        found = in_fresh_process(folder, *words.split(), subject)
        assert (found.code, found.err) == (0, ""), (words, found)


def test_a_study_of_two_logs_by_name(logs: Path) -> None:
    natural(logs / "two.toml", *REAL)
    outcome = in_fresh_process(logs, "study", "run", "two.toml")
    assert (outcome.code, outcome.err) == (0, "")
    assert "two logs: 12 of 12 runs done" in outcome.out
    looks(logs, "two.study")
    follow(logs, outcome, 2)
    page = (logs / "two.study" / "report.html").read_text()
    assert all(name in page for name in REAL)


def test_a_study_of_files_with_spaces_in_their_names(tmp_path: Path) -> None:
    """A packed log, a plain one in a folder, a study and a store with spaces: nothing depends on the spelling."""
    small_log(tmp_path / "my log.swf", jobs=150)
    (tmp_path / "a folder").mkdir()
    (tmp_path / "a folder" / "packed log.swf.gz").symlink_to(log(REAL[0]))
    natural(tmp_path / "my study.toml", "my log.swf", "a folder/packed log.swf.gz")
    outcome = in_fresh_process(tmp_path, "study", "run", "my study.toml")
    assert "two logs: 12 of 12 runs done" in outcome.out
    assert printed_commands(outcome)[0] == "thinktime study compare 'my study.study'"
    looks(tmp_path, "my study.study")
    follow(tmp_path, outcome, 2)


def test_the_advice_after_an_interrupt_works(logs: Path) -> None:
    natural(logs / "long.toml", *REAL, users="distribution-based", seeds=10)  # 2 logs × 3 schedulers × (1 + 10)
    run = process(logs, "study", "run", "long.toml", stderr=-1, stdout=-1, text=True)
    end = time.monotonic() + 60
    while not any(path.stat().st_size for path in logs.glob("long.study/journal/*")):
        assert run.poll() is None
        assert time.monotonic() < end
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130, (out, err)
    steps = printed_commands(Outcome(130, out, err))
    assert steps == ["thinktime study resume long.study"], err
    status = in_fresh_process(logs, "study", "status", "long.study")
    assert status.code == 0
    assert "66 of 66" not in status.out, "the study was over before it could be interrupted"
    resumed = typed(logs, steps[0])
    assert (resumed.code, resumed.err) == (0, "")
    assert "two logs: 66 of 66 runs done" in resumed.out


def test_a_new_study(tmp_path: Path) -> None:
    outcome = thinktime(tmp_path, "study", "init", "first study.toml")
    text = (tmp_path / "first study.toml").read_text()
    (tmp_path / "first study.toml").write_text(text.replace("seeds = 10", "seeds = 2"))
    assert printed_commands(outcome) == ["thinktime study run 'first study.toml'"]
    run = typed(tmp_path, printed_commands(outcome)[0], thinktime)
    assert (run.code, run.err) == (0, "")
    follow(tmp_path, run, 2, thinktime)


def test_a_study_that_was_not_run(tmp_path: Path) -> None:
    written(tmp_path / "small.toml")
    for store in ([], ["--store", "else where"]):
        refused = thinktime(tmp_path, "study", "compare", "small.toml", *store)
        assert refused.code == 2
        follow(tmp_path, refused, 1, thinktime)
        assert thinktime(tmp_path, "study", "compare", "small.toml", *store).code == 0


def test_a_study_of_one_configuration(tmp_path: Path) -> None:
    """There is nothing to compare it with, so `compare` is not printed."""
    written(tmp_path / "one.toml", TEXT.replace('"fcfs", ', ""))
    outcome = thinktime(tmp_path, "study", "run", "one.toml")
    assert printed_commands(outcome) == ["thinktime report one.study"]
    follow(tmp_path, outcome, 1, thinktime)


def test_a_study_with_failures(tmp_path: Path) -> None:
    """`resume` tries again, and fails again with code 3; the other commands work."""
    text = TEXT.replace("seeds = 2", 'seeds = 2\nplatforms = ["log", "machine:processors=2"]')
    written(tmp_path / "some fail.toml", f'{text}[[rules]]\noversized = "error"\n')
    outcome = thinktime(tmp_path, "study", "run", "some fail.toml")
    assert outcome.code == 3
    steps = printed_commands(outcome)
    assert steps[2] == "thinktime report 'some fail.study'"
    assert [typed(tmp_path, step, thinktime).code for step in (*steps[:2], f"{steps[2]} --no-figures")] == [3, 0, 0]


def test_the_demo(tmp_path: Path) -> None:
    outcome = thinktime(tmp_path, "demo", "--out", "the demo")
    assert outcome.code == 0, outcome
    follow(tmp_path, outcome, 2, thinktime)


def test_a_run_of_a_log_with_malformed_lines(tmp_path: Path) -> None:
    path = small_log(tmp_path / "dirty log.swf", jobs=50)
    path.write_text(f"{path.read_text()}this is no job\n")
    for options in ([], ["--filter", "strict"]):
        outcome = thinktime(tmp_path, "run", "dirty log.swf", "--no-figures", *options)
        assert outcome.code == 0, outcome
        follow(tmp_path, outcome, 1, thinktime)


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    """Advice with a placeholder cannot be typed as it is, and is not taken for a command."""
    refused = thinktime(tmp_path, "trace", "no run", "--out", "a.json")
    assert refused.code == 2
    assert "`thinktime run LOG --out 'no run'`" in refused.err
    assert printed_commands(refused) == []
