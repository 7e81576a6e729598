"""`thinktime run` with several schedulers, `thinktime compare` and `thinktime plot`, also on a real log."""

from __future__ import annotations

from pathlib import Path

import pytest

import thinktime as tt
from tests import shared_data
from tests.cli.commands import small_log, thinktime
from tests.cli.next_steps import printed_commands, typed

SCHEDULERS = ("--scheduler", "fcfs", "--scheduler", "easy:order=sjf", "--no-figures")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `runs/fcfs` and `runs/easy-order=sjf`."""
    folder = tmp_path_factory.mktemp("several")
    small_log(folder / "small.swf", jobs=2000)
    done = thinktime(folder, "run", "small.swf", *SCHEDULERS, "--out", "runs")
    assert (done.code, sorted(path.name for path in (folder / "runs").iterdir())) == (0, ["easy-order=sjf", "fcfs"])
    return folder


def test_each_scheduler_has_its_own_run_directory_and_a_column(tmp_path: Path) -> None:
    small_log(tmp_path / "small.swf")
    done = thinktime(tmp_path, "run", "small.swf", *SCHEDULERS)
    runs = sorted((tmp_path / "runs").iterdir())
    assert [path.name.rpartition("-")[0] for path in runs] == ["small-easy-order=sjf", "small-fcfs"]
    head = next(line for line in done.out.splitlines() if line.split()[:1] == ["metric"])
    assert head.split() == ["metric", "fcfs", "easy:order=sjf"]
    assert "mean" in done.out
    again = thinktime(tmp_path, "run", "small.swf", *SCHEDULERS, "--json").json
    assert {name: run["already_there"] for name, run in again["runs"].items()} == {"fcfs": True, "easy:order=sjf": True}
    assert [command.split()[1] for command in printed_commands(done)] == ["compare"]
    assert typed(tmp_path, printed_commands(done)[0]).code == 0


def test_several_schedulers_give_the_runs_that_one_gives(folder: Path, tmp_path: Path) -> None:
    small_log(tmp_path / "small.swf", jobs=2000)
    thinktime(tmp_path, "run", "small.swf", "--scheduler", "fcfs", "--no-figures", "--out", "one")
    assert tt.Result.load(tmp_path / "one").digest == tt.Result.load(folder / "runs" / "fcfs").digest


def test_schedulers_stream(tmp_path: Path) -> None:
    small_log(tmp_path / "small.swf")
    done = thinktime(tmp_path, "run", "small.swf", *SCHEDULERS, "--stream", "--json")
    assert list(done.json["runs"]) == ["fcfs", "easy:order=sjf"]


def test_a_scheduler_given_twice_is_refused(tmp_path: Path) -> None:
    small_log(tmp_path / "small.swf")
    done = thinktime(tmp_path, "run", "small.swf", "--scheduler", "easy", "--scheduler", "easy")
    assert (done.code, done.err) == (2, "thinktime: --scheduler easy is given twice: give each scheduler once\n")


def test_compare_is_tt_compare(folder: Path) -> None:
    runs = ["runs/fcfs", "runs/easy-order=sjf"]
    done = thinktime(folder, "compare", *runs, "--metric", "wait_mean_s", "--by", "batch", "--level", "0.9", "--json")
    results = [tt.Result.load(folder / run) for run in runs]
    ours = tt.compare(results, metric="wait_mean_s", by="batch", level=0.9)
    assert {name: done.json[name] for name in ours.to_dict()} == ours.to_dict()
    assert done.json["runs"] == dict(zip(["fcfs", "easy:order=sjf"], runs, strict=True))
    text = thinktime(folder, "compare", *runs, "--metric", "wait_mean_s", "--by", "batch", "--level", "0.9")
    assert text.out == f"{ours}\n"


def test_compare_reports_bad_outcomes(tmp_path: Path) -> None:
    small_log(tmp_path / "small.swf")
    for name, rule in (("kill", "kill"), ("extend", "extend")):
        thinktime(tmp_path, "run", "small.swf", "--no-figures", "--overrun", rule, "--out", name)
    done = thinktime(tmp_path, "compare", "extend", "kill")
    assert done.code == 0
    killed = tt.Result.load(tmp_path / "kill").summary()["killed"]
    assert killed == 0 or f"{killed:,}" in done.out


def test_compare_draws_the_file_that_is_named(folder: Path, tmp_path: Path) -> None:
    runs = ["runs/fcfs", "runs/easy-order=sjf"]
    done = thinktime(folder, "compare", *runs, "--out", tmp_path / "x.png")
    assert (done.code, [path.name for path in tmp_path.iterdir()]) == (0, ["x.png"])
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("compare", "runs/fcfs"), "compare needs at least two run directories (got 1)"),
        (("compare", "runs/fcfs", "nowhere"), "nowhere"),
        (("compare", "runs/fcfs", "runs/easy-order=sjf", "--metric", "wait"), "wait_mean_s"),
        (("compare", "runs/fcfs", "runs/easy-order=sjf", "--by", "moon"), "by is 'moon'"),
        (("compare", "runs/fcfs", "runs/easy-order=sjf", "--out", "x.gif"), "--out must end in .png, .pdf or .svg"),
        (("plot", "runs/fcfs", "gant"), "no figure kind named 'gant' (did you mean 'gantt'?): choose one of"),
        (("plot", "gantt"), "gantt is not a run directory"),
        (("plot", "runs/fcfs", "gantt", "--out", "x"), "--out must end in .png, .pdf or .svg (got 'x')"),
        (("plot", "runs/fcfs", "wait_ecdf", "--window", "1d:2d"), "wait_ecdf has no --window"),
        (("plot", "runs/fcfs", "power_over_time"), "does not have the data for power_over_time"),
    ],
)
def test_mistakes(folder: Path, arguments: tuple[str, ...], words: str) -> None:
    done = thinktime(folder, *arguments)
    assert (done.code, words in done.err) == (2, True), done.err


@pytest.mark.parametrize(
    ("kind", "file", "begin"),
    [("gantt", "x.png", b"\x89PNG"), ("wait_ecdf", "y.pdf", b"%PDF"), ("", "z.svg", b"<?xml")],
)
def test_plot_writes_exactly_the_named_file(folder: Path, tmp_path: Path, kind: str, file: str, begin: bytes) -> None:
    done = thinktime(folder, "plot", "runs/fcfs", *filter(None, [kind]), "--out", tmp_path / file)
    assert (done.code, done.out) == (0, f"{tmp_path / file}\n")
    assert [path.name for path in tmp_path.iterdir()] == [file]
    assert (tmp_path / file).read_bytes().startswith(begin)


def test_plot_of_several_runs_and_the_list_of_kinds(folder: Path, tmp_path: Path) -> None:
    from thinktime import plots
    from thinktime.cli.options import names

    done = thinktime(
        folder, "plot", "runs/fcfs", "runs/easy-order=sjf", "wait_boxes", "--json", "--out", tmp_path / "b.png"
    )
    assert (done.json["paths"], done.json["kind"]) == ([str(tmp_path / "b.png")], "wait_boxes")
    known = {*plots.kinds("run"), *plots.kinds("runs")}
    assert set(thinktime(folder, "plot", "list", "--json").json) == known == set(names.figure_kinds())


def test_a_real_log(tmp_path: Path) -> None:
    log = shared_data.log("KTH-SP2-1996-2.1-cln.swf.gz")
    done = thinktime(tmp_path, "run", log, *SCHEDULERS, "--json").json["runs"]
    directories = [run["paths"]["run"] for run in done.values()]
    found = thinktime(tmp_path, "compare", *directories, "--metric", "wait_mean_s", "--json").json
    (contrast,) = found["metrics"]["wait_mean_s"]["contrasts"]
    assert contrast["difference"] < 0
    assert contrast["baseline"] == "fcfs"
    assert thinktime(tmp_path, "plot", directories[0], "gantt", "--window", "7d:9d", "--out", "kth.png").code == 0
    assert (tmp_path / "kth.png").is_file()
