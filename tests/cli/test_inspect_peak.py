"""`thinktime inspect LOG --peak LENGTH`: the most intensive window of a log."""

from __future__ import annotations

from pathlib import Path

import thinktime as tt
from tests.cli.commands import small_log, thinktime


def test_the_window_and_its_log(tmp_path: Path) -> None:
    small_log(tmp_path / "log.swf")
    facts = thinktime(tmp_path, "inspect", "log.swf", "--peak", "24h", "--out", "busy.swf.gz", "--json").json
    found = tt.peak(tt.read_swf(tmp_path / "log.swf"), hours=24)
    assert (facts["jobs"], facts["from_s"], facts["until_s"]) == (found.jobs, found.from_s, found.until_s)
    assert len(tt.read_swf(tmp_path / "busy.swf.gz")) == found.jobs
    told = thinktime(tmp_path, "inspect", "log.swf", "--peak", "1d", "--by", "work").out
    assert "the 24 h with the most submitted processor-seconds" in told


def test_some_jobs_only(tmp_path: Path) -> None:
    workload = tt.read_swf(small_log(tmp_path / "log.swf"))
    user = int(workload["user"][0])
    facts = thinktime(tmp_path, "inspect", "log.swf", "--peak", "7d", "--remove", f"user!={user}", "--json").json
    assert facts["jobs"] == tt.peak(workload.select(workload["user"] == user), hours=168).jobs


def test_mistakes(tmp_path: Path) -> None:
    small_log(tmp_path / "log.swf")
    wrong = {
        ("--peak", "soon"): "--peak must be a duration",
        ("--peak", "0"): "must be positive",
        ("--peak", "1h", "--by", "luck"): "--by is 'luck'",
        ("--peak", "1h", "--figures"): "remove --figures",
        ("--peak", "1h", "--out", "folder"): "--out: a log must end in",
        ("--peak", "1h", "--out", "log.swf"): "would overwrite the input",
    }
    for arguments, sentence in wrong.items():
        done = thinktime(tmp_path, "inspect", "log.swf", *arguments)
        assert (done.code, sentence in done.err) == (2, True), done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.swf"]
