"""Reproductions: verdicts are arithmetic, a miss is printed as a miss, a log that is not there is named."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import thinktime as tt
from thinktime.errors import InputError
from thinktime.reproduce import (
    REPRODUCTIONS,
    Claim,
    Findings,
    Reproduction,
    carry_out,
    galleguillos2020_speed,
    judge,
    processes,
)
from thinktime.study import Study


def claim(paper: float, ours: float | None, digits: int = 2, relative: float = 0.0, label: str = "toy") -> Claim:
    return Claim("Table 1", "a row", "value", paper, digits, relative, label, lambda findings: ours)


@pytest.mark.parametrize(
    ("paper", "ours", "relative", "verdict"),
    [
        (4.51, 4.5149, 0.0, "met"),
        (4.51, 4.516, 0.0, "missed"),
        (100.0, 100.9, 0.01, "met"),
        (100.0, 101.1, 0.01, "missed"),
        (-100.0, -99.1, 0.01, "met"),
        (0.0, 0.004, 0.1, "met"),
        (1.0, None, 0.1, "missed"),
        (1.0, float("nan"), 0.1, "missed"),
    ],
)
def test_a_verdict_follows_from_the_tolerance(paper: float, ours: float, relative: float, verdict: str) -> None:
    findings = Findings({"toy": None}, {}, {})  # type: ignore[dict-item]
    (found,) = judge([claim(paper, ours, relative=relative)], findings, {})
    assert found.verdict == verdict


def test_what_needs_another_log_says_which() -> None:
    (found,) = judge([claim(1.0, 1.0, label="sdsc")], Findings({}, {}, {}), {"sdsc": "needs the raw file"})
    assert (found.verdict, found.why, found.ours) == ("needs", "needs the raw file", None)


def toy(folder: Path) -> Reproduction:
    tt.write_swf(tt.default_workload(jobs=100), folder / "toy.swf")

    def study(label: str, path: Path) -> Study:
        return Study.of(name="toy", workloads=[{"name": label, "log": str(path)}], schedulers=["fcfs", "easy"])

    def ours(findings: Findings) -> float | None:
        return findings.value("toy", "jobs", scheduler="easy")

    claims = [Claim("Table 1", "easy", "jobs", 100.0, 0, 0.0, "toy", ours)]
    claims += [Claim("Table 1", "easy", "jobs", 90.0, 0, 0.0, "toy", ours)]
    return Reproduction("toy", "Nobody, nowhere", {"toy": "toy.swf", "other": "nix.swf"}, study, claims)


def test_a_reproduction_is_carried_out_once_and_written(tmp_path: Path) -> None:
    done = carry_out(toy(tmp_path), tmp_path, tmp_path)
    assert [each.verdict for each in done.verdicts] == ["met", "missed"]
    assert done.directory == tmp_path / "toy"
    assert (tmp_path / "toy" / "verdicts.json").is_file()
    again = carry_out(toy(tmp_path), tmp_path, tmp_path)
    assert again.to_dict() == done.to_dict()


def test_reproductions_can_share_a_directory(tmp_path: Path) -> None:
    first = toy(tmp_path)
    other = Reproduction(**{**vars(first), "name": "other", "claims": first.claims[:1]})
    for each in (first, other):
        carry_out(each, tmp_path, tmp_path / "out")
    found = [json.loads((tmp_path / "out" / name / "verdicts.json").read_text()) for name in ("toy", "other")]
    assert [(each["reproduction"], len(each["values"])) for each in found] == [("toy", 2), ("other", 1)]


def test_without_logs_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        carry_out(REPRODUCTIONS["madon2024"], tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_ambiguous_claim_is_missed_with_a_sentence(tmp_path: Path) -> None:
    reproduction = toy(tmp_path)
    vague = Claim("T", "r", "q", 1.0, 0, 0.0, "toy", lambda findings: findings.value("toy", "jobs"))
    done = carry_out(Reproduction(**{**vars(reproduction), "claims": [vague]}), tmp_path, tmp_path)
    assert done.verdicts[0].verdict == "missed"
    assert "a claim must describe one" in done.verdicts[0].why


def test_no_log_at_all_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has none of the logs of madon2024"):
        carry_out(REPRODUCTIONS["madon2024"], tmp_path, tmp_path)
    with pytest.raises(InputError, match="does not exist"):
        carry_out(REPRODUCTIONS["madon2024"], tmp_path / "nix", tmp_path)


def test_another_log_under_the_right_name_is_warned_of(tmp_path: Path) -> None:
    reproduction = toy(tmp_path)
    done = carry_out(Reproduction(**{**vars(reproduction), "jobs": {"toy": 99}}), tmp_path, tmp_path)
    assert "has 100 jobs, the paper's log 99" in done.warnings[0]
    assert carry_out(Reproduction(**{**vars(reproduction), "jobs": {"toy": 100}}), tmp_path, tmp_path).warnings == []


# --- bounds, and what is measured ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "ours", "verdict"),
    [
        ("above", 1.1, "met"),
        ("above", 1.0, "missed"),
        ("below", 0.9, "met"),
        ("below", 1.0, "missed"),
        ("below", float("nan"), "missed"),
        ("above", None, "missed"),
    ],
)
def test_a_bound_has_no_tolerance(kind: str, ours: float | None, verdict: str) -> None:
    bound = Claim("F", "r", "q", 1.0, 0, 0.5, "toy", lambda findings: ours, kind, explained="because")
    (found,) = judge([bound], Findings({"toy": None}, {}, {}), {})  # type: ignore[dict-item]
    assert found.verdict == verdict
    assert found.why == ("because" if verdict == "missed" else "")
    assert bound.tolerance == 0.0


def measuring(folder: Path, **more: Any) -> Reproduction:
    def measure(logs: Mapping[str, Path], peers: Mapping[str, Path]) -> dict[str, Any]:
        return {"seconds": 2.0, "peers": sorted(peers)}

    def beside(findings: Findings) -> list[Claim]:
        seconds = findings.measured["seconds"]
        return [Claim("T", "r", "q", seconds, 0, 0.0, "toy", lambda found: 1.0, "below", "a peer here")]

    parts = {**vars(toy(folder)), "measure": measure, "beside": beside, "peers": ("peer",)}
    return Reproduction(**{**parts, **more})


def test_what_is_measured_is_written_and_judged(tmp_path: Path) -> None:
    done = carry_out(measuring(tmp_path), tmp_path, tmp_path, peers={"peer": tmp_path / "toy.swf"})
    last = done.to_dict()["values"][-1]
    assert (last["source"], last["kind"], last["paper"], last["verdict"]) == ("a peer here", "below", 2.0, "met")
    written = json.loads((tmp_path / "toy" / "verdicts.json").read_text())
    assert written["measured"] == {"seconds": 2.0, "peers": ["peer"]}


def test_peers_that_cannot_be_run_are_told_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="toy runs no accasim: leave out --accasim"):
        carry_out(toy(tmp_path), tmp_path, tmp_path / "out", peers={"accasim": tmp_path})
    with pytest.raises(InputError, match="give --peer the Python that has peer installed"):
        carry_out(measuring(tmp_path), tmp_path, tmp_path / "out", peers={"peer": tmp_path / "nix"})
    assert not (tmp_path / "out").exists()


def test_a_process_is_timed_and_its_memory_looked_at() -> None:
    found = processes.cost([sys.executable, "-c", "held = bytearray(60_000_000); sum(range(3_000_000))"])
    assert 0 < found.cpu_s < 60
    if Path("/proc/self/statm").exists():
        assert found.max_mb is not None
        assert found.max_mb > 57  # 60 million bytes
    with pytest.raises(InputError, match="ended with 1: ValueError: not so"):
        processes.cost([sys.executable, "-c", "raise ValueError('not so')"])


# --- galleguillos2020, on a log of its name that is not its log ----------------------------------------------


def test_galleguillos2020_on_generated_jobs(tmp_path: Path) -> None:
    """The numbers say nothing about the paper; every run, claim and figure is there."""
    tt.write_swf(tt.default_workload(jobs=600), tmp_path / "HPC2N-2002-2.2-cln.swf")
    small = Reproduction(**{**vars(REPRODUCTIONS["galleguillos2020"]), "measure": None})
    done = carry_out(small, tmp_path, tmp_path / "out")
    by_log = {log: [each for each in done.verdicts if each.claim.log == log] for log in ("Seth", "counted", "RICC")}
    assert all(each.ours is not None for each in by_log["counted"])
    figures = [each for each in by_log["Seth"] if each.claim.table.startswith("Fig")]
    assert all(each.ours is not None for each in figures)
    assert {each.verdict for each in by_log["RICC"]} == {"needs"}
    assert [path.name.partition("_")[0] for path in done.figures] == ["fig10", "fig11", "fig12", "fig13"]
    assert "has 600 jobs, the paper's log 202,871" in done.warnings[0]


def test_galleguillos2020_measures_processes(tmp_path: Path) -> None:
    tt.write_swf(tt.default_workload(jobs=50), tmp_path / "log.swf")
    found = galleguillos2020_speed.measure({"RICC": tmp_path / "log.swf"}, {})
    assert set(found) == {"nothing", "rejecting"}
    assert found["rejecting"]["RICC"]["cpu_s"] > 0
