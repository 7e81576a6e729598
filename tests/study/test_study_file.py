"""A study's file: what it means, and one sentence with the line for every mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import thinktime as tt
from tests.study.studies import TEXT, small, written
from thinktime.errors import InputError
from thinktime.study import Study
from thinktime.study.outcomes import baseline_of
from thinktime.study.study_file import EXAMPLE
from thinktime.support.toml_lines import line_of


def test_the_file_and_the_same_keys_in_python_are_the_same_study(tmp_path: Path) -> None:
    read = Study.read(written(tmp_path / "study.toml"))
    assert [task.run for task in read.tasks()] == [task.run for task in small().tasks()]
    specs = small(schedulers=[tt.FCFS(), {"name": "easy", "spec": tt.Easy()}])
    assert [task.run for task in specs.tasks()] == [task.run for task in small().tasks()]


def test_the_grid_is_the_product_of_its_dimensions() -> None:
    study = small(estimates=["requested", "perfect"], platforms=["log", "machine:processors=64"])
    cells = [task.cell for task in study.tasks()]
    assert len(cells) == 2 * 2 * 2 * 2
    assert cells[0] == {
        "workload": "default",
        "platform": "log",
        "scheduler": "fcfs",
        "users": "rigid",
        "applications": "fixed",
        "estimates": "requested",
        "rules": "default",
        "seed": 1,
    }
    assert len({task.run for task in study.tasks()}) == len(cells)


def test_only_and_skip_take_names_patterns_and_seeds() -> None:
    assert len(small(skip=[{"scheduler": "fcfs"}]).tasks()) == 2
    assert len(small(skip=[{"scheduler": "f*", "seed": 2}]).tasks()) == 3
    assert {task.cell["seed"] for task in small(only=[{"seed": 2}]).tasks()} == {2}
    with pytest.raises(InputError, match="exclude the whole grid"):
        small(only=[{"scheduler": "sjf"}]).tasks()


def test_what_draws_nothing_at_random_is_run_once(tmp_path: Path) -> None:
    log = tmp_path / "a.swf"
    tt.write_swf(tt.default_workload(jobs=20), log)
    study = small(workloads=[{"generator": "default", "jobs": 60}, {"log": str(log)}], seeds=5)
    assert len(study.tasks()) == 2 * 5 + 2 * 1
    assert study.unseeded() == 2
    assert len(small(workloads=[{"generator": "default", "jobs": 60, "seed": 3}], seeds=5).tasks()) == 2


def test_a_run_is_the_hash_of_what_matters_not_of_names_and_paths(tmp_path: Path) -> None:
    one, two, other = (tmp_path / name for name in ("a.swf", "b.swf", "c.swf"))
    tt.write_swf(tt.default_workload(jobs=20), one)
    two.write_bytes(one.read_bytes())
    other.write_bytes(one.read_bytes().replace(b"Version: 2.2", b"Version: 2.3"))
    runs = [small(workloads=[{"log": str(path)}]).tasks()[0].run for path in (one, two, other)]
    assert runs[0] == runs[1] != runs[2]
    named = small(schedulers=[{"name": "mine", "spec": "fcfs"}]).tasks()[0]
    assert named.run == small().tasks()[0].run
    assert small(summary={"tau_s": 60}).tasks()[0].run != small().tasks()[0].run


def test_the_example_is_a_study(tmp_path: Path) -> None:
    study = Study.read(written(tmp_path / "example.toml", EXAMPLE))
    assert len(study.tasks()) == 40


TWO = '{ name = "a", spec = "fcfs" }, { name = "a, x", spec = "easy" }'
ESTIMATES = """
[[estimates]]
name = "x, y"
spec = "perfect"
[[estimates]]
name = "y"
spec = "requested"
"""

#: what is wrong → text, and what the sentence must hold
MISTAKES = {
    "no TOML": ("name = small", "at line 1"),
    "unknown key": ('nmae = "x"\n' + TEXT, "line 1: unknown key 'nmae' (did you mean 'name'?)"),
    "missing key": ('name = "x"\nschedulers = ["fcfs"]', "the key workloads is missing"),
    "unknown scheduler": (TEXT.replace('"easy"', '\n  "eesy"'), "line 4: no scheduler is called 'eesy'"),
    "unknown option": (TEXT.replace('"easy"', '"easy:ordr=sjf"'), "line 3: scheduler easy has no option 'ordr'"),
    "no list": (TEXT.replace('["fcfs", "easy"]', '"fcfs"'), "line 3: schedulers is 'fcfs', but it should be"),
    "empty list": (TEXT.replace('["fcfs", "easy"]', "[]"), "line 3: schedulers is []"),
    "two names": (TEXT.replace('"easy"', '"fcfs"'), "two entries of scheduler are named 'fcfs'"),
    "seeds": (TEXT.replace("seeds = 2", "seeds = 0"), "line 2: seeds must be between 1 and 100,000"),
    "seed twice": (TEXT.replace("seeds = 2", "seeds = [3, 3]"), "line 2: seeds must be"),
    "negative seed": (TEXT.replace("seeds = 2", "seeds = [-3]"), "line 2: seed is -3"),
    "generator": (TEXT.replace('"default"', '"defult"'), "line 4: unknown generator 'defult'"),
    "generator option": (TEXT + "wekks = 3", "line 4: generator default has no option 'wekks'"),
    "log and generator": (TEXT + 'log = "a"', "line 4: a workload needs one of the keys"),
    "no such log": (TEXT + '[[workloads]]\nlog = "nix.swf"', "line 7: No file or downloaded log named nix.swf"),
    "reading": (TEXT + '[[workloads]]\nlog = "study.toml"\nfiltre = "x"', "line 7: unknown key 'filtre' of a log"),
    "filter": (TEXT + '[[workloads]]\nlog = "study.toml"\nfilter = "x"', "line 7: filter is 'x'"),
    "rule": (TEXT + '[[rules]]\noverrun = "kil"', "line 7: overrun is 'kil' (did you mean 'kill'?)"),
    "rules key": (TEXT + '[[rules]]\nname = "a"\novrrun = "kill"', "line 9: unknown key 'ovrrun' of rules"),
    "summary": (TEXT + "[summary]\nwarmup_s = -1", "line 8: summary.warmup_s is -1"),
    "skip": (TEXT + '[[skip]]\nsheduler = "fcfs"', "line 7: unknown dimension 'sheduler'"),
    "metric": ('metrics = ["wait"]\n' + TEXT, "line 1: unknown metric 'wait'"),
    "baseline": ('baseline = "sjf"\n' + TEXT, "line 1: unknown scheduler 'sjf' of the baseline"),
    "allocators": ('allocators = ["first"]\n' + TEXT, "line 1: no allocator is called 'first'"),
    "keep": ('keep = "all"\n' + TEXT, "line 1: keep is 'all'"),
    "table": (
        TEXT.replace('"easy"', '{ nme = "x", spec = "easy" }'),
        "line 3: unknown key 'nme' in a table of schedulers",
    ),
    "no spec": (TEXT.replace('"easy"', '{ name = "x" }'), "line 3: a table of schedulers has no spec"),
    "string key": ("strategy = 1\n" + TEXT, "line 1: unknown key 'strategy'"),
    "misplaced": (
        'name = "x"\n[[workloads]]\ngenerator = "default"\nschedulers = ["fcfs"]',
        "(line 4) and so belongs to it",
    ),
    "skip of an unknown name": (TEXT + '[[skip]]\nscheduler = "esay"', "skip names an unknown scheduler, 'esay'"),
    "window": (TEXT + "[summary]\nwindow = [9, 3]", "line 8"),
    "infinite": (TEXT + "[summary]\ntau_s = inf", "line 8"),
    "too deep": ("a = " + "[" * 5000, "is not TOML"),
    "skipped baseline": ('baseline = "easy"\n' + TEXT + '[[skip]]\nscheduler = "easy"', "matches no run"),
    "merged": (TEXT.replace('"fcfs", "easy"', TWO) + ESTIMATES, "two configurations are named 'a, x, y'"),
    "number": (TEXT.replace('"easy"', "3"), "line 3: schedulers is 3: give a spec or a text"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_message_with_its_line(tmp_path: Path, mistake: str) -> None:
    text, sentence = MISTAKES[mistake]
    with pytest.raises(InputError) as caught:
        Study.read(written(tmp_path / "study.toml", text)).tasks()
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "study.toml"))
    assert "\n" not in str(caught.value)


def test_names_with_the_letters_of_patterns() -> None:
    study = small(schedulers=[{"name": "easy [v2]", "spec": "easy"}, "fcfs"], baseline="easy [v2]")
    assert baseline_of(study) == "easy [v2]"
    assert len(small(schedulers=["fcfs", {"name": "a*b", "spec": "easy"}], skip=[{"scheduler": "a*b"}]).tasks()) == 2


def test_a_study_comes_back_from_what_its_store_holds() -> None:
    study = small(schedulers=["fcfs", tt.Easy(order="sjf")], question="?", keep="jobs", seeds=[3, 5])
    again = Study.from_dict(json.loads(json.dumps(study.to_dict())))
    assert [task.run for task in again.tasks()] == [task.run for task in study.tasks()]
    assert again.to_dict() == json.loads(json.dumps(study.to_dict()))


def test_what_is_no_text_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="is not UTF-8"):
        Study.read(tmp_path / "study.toml")
    with pytest.raises(InputError, match="Cannot read"):
        Study.read(tmp_path)


def test_lines_of_keys() -> None:
    text = 'a = [1,\n  "x, [y", # , comment\n  { b = 2 },\n]\n[t]\nc = 1\n[[u]]\nd = 1\n[[u]]\nd = 2\n'
    found = {path: line_of(text, path) for path in [("a",), ("a", 0), ("a", 1), ("a", 2), ("t", "c"), ("u", 1, "d")]}
    assert found == {("a",): 1, ("a", 0): 1, ("a", 1): 2, ("a", 2): 3, ("t", "c"): 6, ("u", 1, "d"): 10}
    assert line_of(text, ("nix",)) is None
    assert line_of(text, ("u", 7, "nix")) == 9
