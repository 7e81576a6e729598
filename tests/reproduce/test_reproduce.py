"""Reproductions: verdicts are arithmetic, a miss is printed as a miss, a log that is not there is named."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import thinktime as tt
from tests.reproduce.mutations import assert_wrong_papers_turn_rows_red
from thinktime.errors import InputError
from thinktime.study import Study
from thinktime_reproduce import (
    REPRODUCTIONS,
    Claim,
    Findings,
    Reproduction,
    Rule,
    Tolerance,
    judge,
    run_reproduction,
)
from thinktime_reproduce.galleguillos2020 import processes

HELD_OUT = ("met_held_out", "missed_held_out", "needs_held_out")


TOY = Findings({"toy": None}, {}, {})  # type: ignore[dict-item]


def claim(paper: str, ours: float | None, relative: float = 0.0, label: str = "toy") -> Claim:
    apart = Tolerance("as an example", relative=relative) if relative else None
    return Claim("Table 1", "a row", "value", paper, label, lambda findings: ours, tolerance=apart)


@pytest.mark.parametrize(
    ("paper", "ours", "relative", "verdict", "category"),
    [
        ("4.51", 4.5149, 0.0, "met", "digits"),
        ("4.51", 4.516, 0.0, "missed", "digits"),
        ("4.51", 4.5149, 0.1, "met", "digits"),
        ("4.51", 4.516, 0.1, "met", "tolerance"),
        ("100.0", 100.9, 0.01, "met", "tolerance"),
        ("100.0", 101.1, 0.01, "missed", "tolerance"),
        ("1,000", 1000.4, 0.0, "met", "digits"),
        ("−100.0", -99.1, 0.01, "met", "tolerance"),
        ("0.00", 0.004, 0.1, "met", "digits"),
        ("0.000", 0.004, 0.0, "missed", "digits"),
        ("1.0", None, 0.1, "missed", "tolerance"),
        ("1.0", float("nan"), 0.1, "missed", "tolerance"),
    ],
)
def test_verdict_and_class_follow_from_digits_and_tolerance(
    paper: str, ours: float, relative: float, verdict: str, category: str
) -> None:
    (found,) = judge([claim(paper, ours, relative=relative)], TOY, {})
    assert (found.verdict, found.category) == (verdict, category)


def test_a_tolerance_has_a_reason_and_a_paper_value_is_text() -> None:
    with pytest.raises(InputError, match="a tolerance needs a reason"):
        Tolerance(" ", relative=0.1)
    with pytest.raises(InputError, match="a tolerance must be positive"):
        Tolerance("none")
    with pytest.raises(InputError, match=r"as printed, such as '0.50' \(got 4.5\)"):
        claim(4.5, 4.5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="an upper bound"):
        Claim("T", "r", "q", "1", "toy", lambda findings: 1.0, "above", "cost")


def test_a_miss_says_what_was_tried_computed_if_it_can_be() -> None:
    wrong = claim("1.0", 2.0)
    reasons = ("two readings", lambda findings: f"{len(findings.studies)} log", "")
    found = judge([replace(wrong, tried=tried) for tried in reasons], TOY, {})
    assert [each.why for each in found] == ["two readings", "1 log", "not explained; no other reading was tried"]
    assert judge([claim("1.0", None)], TOY, {})[0].why == "no value of ours to compare with"


def test_a_rule_is_fit_on_the_logs_it_was_chosen_on_and_held_out_on_others() -> None:
    rule, other = Rule("hours of four", ("kth", "ctc")), Rule("sixty days", ("curie",))
    judged = {
        label: replace(claim("1.0", 1.0, label=label), rules=(rule, other)).judged for label in ("kth", "curie", "lanl")
    }
    assert judged == {"kth": "fit", "curie": "fit", "lanl": "held out"}
    assert claim("1.0", 1.0).judged == ""


def test_a_rule_is_judged_class_by_class_on_logs_it_was_not_chosen_on() -> None:
    rule = Rule("hours of four", ("kth",))
    claims = [
        replace(claim("1.0", 1.0, label="kth"), rules=(rule,)),
        replace(claim("1.0", 1.0), rules=(rule,)),
        replace(claim("1.0", 2.0), rules=(rule,)),
        replace(claim("1.0", 1.2, relative=0.5), rules=(rule,)),
        replace(claim("1.0", 1.0, label="not there"), rules=(rule,)),
        claim("1.0", 1.0),
    ]
    assert rule.held_out(judge(claims, TOY, {})) == {"digits": (1, 2), "tolerance": (1, 1)}


def test_what_needs_another_log_says_which() -> None:
    (found,) = judge([claim("1.0", 1.0, label="sdsc")], Findings({}, {}, {}), {"sdsc": "needs the raw file"})
    assert (found.verdict, found.why, found.ours) == ("needs", "needs the raw file", None)


def toy(folder: Path) -> Reproduction:
    tt.write_swf(tt.default_workload(jobs=100), folder / "toy.swf")

    def study(label: str, path: Path) -> Study:
        return Study.of(name="toy", workloads=[{"name": label, "log": str(path)}], schedulers=["fcfs", "easy"])

    def ours(findings: Findings) -> float | None:
        return findings.value("toy", "jobs", scheduler="easy")

    claims = [Claim("Table 1", "easy", "jobs", "100", "toy", ours)]
    claims += [Claim("Table 1", "easy", "jobs", "90", "toy", ours)]
    return Reproduction("toy", "A. Author, Journal", {"toy": "toy.swf", "other": "nix.swf"}, study, claims)


def test_a_reproduction_is_carried_out_once_and_written(tmp_path: Path) -> None:
    done = run_reproduction(toy(tmp_path), tmp_path, tmp_path)
    assert [each.verdict for each in done.verdicts] == ["met", "missed"]
    assert done.directory == tmp_path / "toy"
    assert done.counts["digits"] == {"met": 1, "missed": 1, "needs": 0} | dict.fromkeys(HELD_OUT, 0)
    written = json.loads((tmp_path / "toy" / "verdicts.json").read_text())
    assert written["counts"] == done.counts
    assert {"met", "missed", "needs"}.isdisjoint(written)  # classes are never added up
    with (tmp_path / "toy" / "verdicts.csv").open(encoding="utf-8", newline="") as file:
        assert [(row["class"], row["verdict"]) for row in csv.DictReader(file)] == [
            ("digits", "met"),
            ("digits", "missed"),
        ]
    again = run_reproduction(toy(tmp_path), tmp_path, tmp_path)
    assert again.to_dict() == done.to_dict()


def test_reproductions_can_share_a_directory(tmp_path: Path) -> None:
    first = toy(tmp_path)
    other = Reproduction(**{**vars(first), "name": "other", "claims": first.claims[:1]})
    for each in (first, other):
        run_reproduction(each, tmp_path, tmp_path / "out")
    found = [json.loads((tmp_path / "out" / name / "verdicts.json").read_text()) for name in ("toy", "other")]
    assert [(each["reproduction"], len(each["values"])) for each in found] == [("toy", 2), ("other", 1)]


def test_without_logs_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        run_reproduction(REPRODUCTIONS["madon2024"], tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_ambiguous_claim_is_missed_with_a_sentence(tmp_path: Path) -> None:
    reproduction = toy(tmp_path)
    vague = Claim("T", "r", "q", "1", "toy", lambda findings: findings.value("toy", "jobs"))
    done = run_reproduction(Reproduction(**{**vars(reproduction), "claims": [vague]}), tmp_path, tmp_path)
    assert done.verdicts[0].verdict == "missed"
    assert "a claim must describe one" in done.verdicts[0].why


def test_no_log_at_all_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has none of the logs of madon2024"):
        run_reproduction(REPRODUCTIONS["madon2024"], tmp_path, tmp_path)
    with pytest.raises(InputError, match="does not exist"):
        run_reproduction(REPRODUCTIONS["madon2024"], tmp_path / "nix", tmp_path)


def test_another_log_under_the_right_name_is_warned_of(tmp_path: Path) -> None:
    reproduction = toy(tmp_path)
    done = run_reproduction(Reproduction(**{**vars(reproduction), "jobs": {"toy": 99}}), tmp_path, tmp_path)
    assert "has 100 jobs, the paper's log 99" in done.warnings[0]
    assert (
        run_reproduction(Reproduction(**{**vars(reproduction), "jobs": {"toy": 100}}), tmp_path, tmp_path).warnings
        == []
    )


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
        ("at most", 1.04, "met"),
        ("at most", 1.06, "missed"),
        ("at least", 0.96, "met"),
        ("at least", 0.94, "missed"),
        ("at least", float("nan"), "missed"),
    ],
)
def test_a_bound_has_no_tolerance(kind: str, ours: float | None, verdict: str) -> None:
    bound = Claim("F", "r", "q", "1.0", "toy", lambda findings: ours, kind, tried="because")
    (found,) = judge([bound], TOY, {})
    assert (found.verdict, found.category) == (verdict, "claim")
    assert found.why == ("because" if verdict == "missed" else "")
    with pytest.raises(InputError, match="a bound has no tolerance"):
        replace(bound, tolerance=Tolerance("wide", relative=0.5))


def measuring(folder: Path, **more: Any) -> Reproduction:
    def measure(logs: Mapping[str, Path], peers: Mapping[str, Path]) -> dict[str, Any]:
        return {"seconds": 2.0, "peers": sorted(peers)}

    def beside(findings: Findings) -> list[Claim]:
        seconds = f"{findings.measured['seconds']:.1f}"
        return [Claim("T", "r", "q", seconds, "toy", lambda found: 1.0, "below", "own", source="a peer here")]

    parts = {**vars(toy(folder)), "measure": measure, "beside": beside, "peers": ("peer",)}
    return Reproduction(**{**parts, **more})


def test_what_is_measured_is_written_and_judged(tmp_path: Path) -> None:
    done = run_reproduction(measuring(tmp_path), tmp_path, tmp_path, peers={"peer": tmp_path / "toy.swf"})
    last = done.to_dict()["values"][-1]
    assert (last["source"], last["kind"], last["paper"], last["verdict"]) == ("a peer here", "below", "2.0", "met")
    assert done.counts["own"]["met"] == 1
    written = json.loads((tmp_path / "toy" / "verdicts.json").read_text())
    assert written["measured"] == {"seconds": 2.0, "peers": ["peer"]}


def test_peers_that_cannot_be_run_are_reported_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="toy runs no accasim: leave out --accasim"):
        run_reproduction(toy(tmp_path), tmp_path, tmp_path / "out", peers={"accasim": tmp_path})
    with pytest.raises(InputError, match="give --peer the Python that has peer installed"):
        run_reproduction(measuring(tmp_path), tmp_path, tmp_path / "out", peers={"peer": tmp_path / "nix"})
    assert not (tmp_path / "out").exists()


def test_a_process_is_timed_and_its_memory_looked_at() -> None:
    found = processes.cost([sys.executable, "-c", "held = bytearray(60_000_000); sum(range(3_000_000))"])
    assert 0 < found.cpu_s < 60
    if Path("/proc/self/statm").exists():
        assert found.max_mb is not None
        assert found.max_mb > 57  # 60 million bytes
    with pytest.raises(InputError, match="ended with 1: ValueError: not so"):
        processes.cost([sys.executable, "-c", "raise ValueError('not so')"])


# --- papers with wrong values ------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "log"), [("madon2024", "KTH-SP2-1996-2.1-cln"), ("zakay2014", "HPC2N-2002-2.2-cln")])
def test_wrong_papers_turn_rows_red(name: str, log: str, tmp_path: Path) -> None:
    """Verdicts follow from the paper's values; the log is another one of the same name."""
    tt.write_swf(tt.default_workload(jobs=60), tmp_path / f"{log}.swf")
    claims = [replace(claim, tried="of another log") for claim in REPRODUCTIONS[name].claims]
    done = run_reproduction(replace(REPRODUCTIONS[name], draw=None, claims=claims), tmp_path, tmp_path / "out")
    assert assert_wrong_papers_turn_rows_red(done.verdicts) >= 3
