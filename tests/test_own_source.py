"""A policy's hash covers all code that decides what it does; what cannot be read is never taken for the same."""

from __future__ import annotations

import ctypes
import importlib
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import thinktime as tt
from thinktime.errors import InputError
from thinktime.spec import from_dict
from thinktime.spec.own_source import UNKNOWN, reusable, source_of

POLICY = """\
import thinktime as tt
import zz_constants
from zz_helpers import pick
from zz_base import Base

LIMIT = 3

class Mine(Base, name="zz-mine"):
    def schedule(self, now_s, queue, running, machine):
        import zz_lazy
        if machine.free < machine.processors:
            return ()
        return pick(queue.row)[: LIMIT + zz_constants.MORE + zz_lazy.MORE]
"""
FILES = {
    "zz_policy.py": POLICY,
    "zz_helpers.py": "import zz_deep\ndef pick(rows):\n    return rows[: min(zz_deep.N, 1)]\n",
    "zz_deep.py": "N = 1\n",
    "zz_constants.py": "MORE = 0\n",
    "zz_lazy.py": "MORE = 0\n",
    "zz_base.py": "import thinktime as tt\nclass Base(tt.OwnScheduler, name='zz-base'):\n    share = 0.5\n",
}
Load = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    forget_modules()


def forget_modules() -> None:
    for name in [name for name in sys.modules if name.startswith("zz_")]:
        del sys.modules[name]


def imported(module: str = "zz_policy") -> ModuleType:
    """As a new process would import it."""
    forget_modules()
    importlib.invalidate_caches()
    return importlib.import_module(module)


def changed(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))


CHANGES = {
    "a constant of the module": ("zz_policy.py", "LIMIT = 3", "LIMIT = 4"),
    "a helper": ("zz_helpers.py", "rows[:", "rows[1:"),
    "what a helper imports": ("zz_deep.py", "N = 1", "N = 2"),
    "a constant of another module": ("zz_constants.py", "0", "1"),
    "a module that a method imports": ("zz_lazy.py", "0", "1"),
    "the base class": ("zz_base.py", "0.5", "0.6"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_another_source(folder: Path, what: str) -> None:
    before = source_of(imported().Mine).sha256
    assert source_of(imported().Mine).sha256 == before != UNKNOWN
    changed(folder, *CHANGES[what])
    assert source_of(imported().Mine).sha256 != before


def test_the_folder_and_other_modules_do_not_matter(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    before = source_of(imported().Mine)
    (folder / "zz_other.py").write_text("X = 1\n")
    elsewhere = tmp_path_factory.mktemp("else")
    for name, text in FILES.items():
        (elsewhere / name).write_text(text)
    sys.path.insert(0, str(elsewhere))
    try:
        assert source_of(imported().Mine) == before
    finally:
        sys.path.remove(str(elsewhere))


def test_the_code_that_runs_counts_not_the_file_as_it_is_now(folder: Path) -> None:
    """A file that is edited after its import: Python still runs what was there."""
    mine = imported().Mine
    before = source_of(mine)
    changed(folder, "zz_helpers.py", "rows[:", "rows[1:")
    changed(folder, "zz_policy.py", "LIMIT = 3", "LIMIT = 9")
    assert source_of(mine) == before
    importlib.reload(sys.modules["zz_helpers"])
    assert source_of(mine) != before


def test_a_class_in_a_package_with_relative_imports(folder: Path) -> None:
    package = folder / "zz_package"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").write_text("SCALE = 1\n")
    (package / "inner" / "__init__.py").write_text("")
    (package / "inner" / "policy.py").write_text(
        "import thinktime as tt\nfrom .. import shared\nfrom .near import f\n"
        "class Packed(tt.OwnUsers, name='zz-packed'):\n"
        "    def start(self, workload, seed):\n        return f(shared.X)\n"
    )
    (package / "inner" / "near.py").write_text("def f(x):\n    return x\n")
    (package / "shared.py").write_text("X = 1\n")
    found = [source_of(imported("zz_package.inner.policy").Packed).sha256]
    for name, old in {"__init__.py": "1", "shared.py": "1", "inner/near.py": "return x"}.items():
        changed(package, name, old, f"{old} + 1")
        found.append(source_of(imported("zz_package.inner.policy").Packed).sha256)
    assert len(set(found)) == 4


def test_data_files_belong_to_the_class(folder: Path) -> None:
    changed(folder, "zz_policy.py", "    def schedule", "    data_files = ('weights.txt',)\n    def schedule")
    (folder / "weights.txt").write_text("1")
    before = source_of(imported().Mine)
    (folder / "weights.txt").write_text("2")
    assert source_of(imported().Mine) != before
    (folder / "weights.txt").unlink()
    assert source_of(imported().Mine).sha256 == UNKNOWN


def test_a_class_made_by_exec_is_never_reused(folder: Path) -> None:
    (folder / "zz_made.py").write_text(
        "import thinktime as tt\nfrom pathlib import Path\n"
        f"exec(Path({str(folder / 'body.txt')!r}).read_text())\nPlain = type('Plain', (tt.OwnScheduler,), {{}})\n"
    )
    (folder / "body.txt").write_text(
        "class Made(tt.OwnScheduler):\n    def schedule(self, now_s, queue, running, machine): return ()\n"
    )
    made = imported("zz_made")
    for cls in (made.Made, made.Plain):
        assert source_of(cls).sha256 == UNKNOWN
        assert "is not in the file of zz_made" in source_of(cls).because
        assert not reusable({"scheduler": cls().to_dict()})


def factory(limit: int) -> type[Any]:
    class Local(tt.OwnScheduler, name="zz-local"):
        def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
            return queue.row[:limit]

    return Local


def test_classes_of_a_function_differ_by_what_they_close_over() -> None:
    assert source_of(factory(1)) == source_of(factory(1))
    assert source_of(factory(1)).sha256 != source_of(factory(2)).sha256
    assert source_of(factory([])).sha256 == UNKNOWN  # type: ignore[arg-type]


def test_user_models_have_a_source() -> None:
    class Users(tt.OwnUsers, name="zz-users"):
        def start(self, workload: Any, seed: int) -> Any:
            return None

    data = Users().to_dict()
    assert data["source"] == source_of(Users).sha256
    assert from_dict("users", dict(data)) == Users()
    with pytest.raises(InputError, match="another source"):
        from_dict("users", {**data, "source": "0" * 16})


# --- classes typed in a program or a notebook

MAIN = """\
import sys; sys.path[:0] = {path!r}
import numpy as np
import thinktime as tt
from thinktime.spec.own_source import source_of
{before}
def helper(rows):
    return rows[:LIMIT]
class Mine(tt.OwnScheduler):
    limit: int = 2
    def schedule(self, now_s, queue, running, machine):
        return helper(queue.row)
{after}
found = source_of(Mine)
print(found.sha256, found.because)
"""


def in_program(folder: Path, before: str = "LIMIT = 1", after: str = "") -> str:
    path = folder / "program.py"
    path.write_text(MAIN.format(path=sys.path, before=before, after=after))
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, cwd=folder, timeout=60)
    assert done.stderr == ""
    return done.stdout.strip()


def test_a_class_of_the_program(tmp_path: Path) -> None:
    """Its source and what it refers to count; the rest of the program does not."""
    first = in_program(tmp_path)
    assert in_program(tmp_path, after="print(end='')") == first != UNKNOWN
    assert in_program(tmp_path, "LIMIT = 2") != first
    assert in_program(tmp_path, "LIMIT = np.int64(1)") != first
    assert in_program(tmp_path, after="def helper(rows): return rows[1:LIMIT]") != first
    assert in_program(tmp_path, "LIMIT = [1]").startswith(f"{UNKNOWN} it refers to LIMIT, a list, which may change")
    assert in_program(tmp_path, "LIMIT = object()").startswith(f"{UNKNOWN} it refers to LIMIT, a object")


def test_a_class_typed_into_the_interpreter(tmp_path: Path) -> None:
    text = MAIN.format(path=sys.path, before="LIMIT = 1", after="")
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.stdout.startswith(f"{UNKNOWN} the source of Mine is not available"), done


# --- compiled functions


def pointer(function: Callable[..., float]) -> Any:
    return ctypes.CFUNCTYPE(*[ctypes.c_double] * 6)(function)


def test_functions_of_ctypes() -> None:
    one, other = (tt.native(pointer(f)) for f in (lambda n, s, e, p, u: -p, lambda n, s, e, p, u: p + 0.0))
    assert one.text() != other.text()
    assert UNKNOWN not in one.text() + other.text()
    bare = [tt.native(pointer_of_address(pointer(lambda n, s, e, p, u: -p))) for _ in range(2)]
    assert bare[0].text() != bare[1].text(), "what cannot be looked into is never the same"
    assert not any(reusable({"key": each.text()}) for each in bare)


def pointer_of_address(function: Any) -> Any:
    address = ctypes.cast(function, ctypes.c_void_p).value
    bare = ctypes.CFUNCTYPE(*[ctypes.c_double] * 6)(address)
    bare.keep = function  # type: ignore[attr-defined]
    return bare


# --- in a store


def test_a_changed_helper_is_computed_again(folder: Path) -> None:
    workloads = '[{ generator = "default", jobs = 40 }]'
    text = f'name = "own"\nseeds = 2\nworkloads = {workloads}\nschedulers = ["zz_policy:Mine"]\n'
    (folder / "own.toml").write_text(text)
    assert [in_new_process(folder) for _ in range(2)] == ["2 0", "0 0"]
    changed(folder, "zz_deep.py", "N = 1", "N = 2")
    assert in_new_process(folder) == "2 0"


USERS = """\
import thinktime as tt
from zz_deep import N

class Slow(tt.OwnUsers):
    def start(self, workload, seed):
        self_submit = workload["submit_s"]
        class Behaviour:
            def begin(self):
                return [(row, float(submit) * N) for row, submit in enumerate(self_submit)]
            def ended(self, job, time_s, status):
                return ()
        return Behaviour()
"""


@pytest.mark.parametrize("edited", ["zz_users.py", "zz_deep.py"])
def test_an_edited_user_model_is_computed_again(folder: Path, edited: str) -> None:
    """The store never reuses the results of a class whose code, or a module of whose code, has changed."""
    (folder / "zz_users.py").write_text(USERS)
    workloads = '[{ generator = "default", jobs = 40 }]'
    text = f'name = "own"\nworkloads = {workloads}\nschedulers = ["easy"]\nusers = ["rigid", "zz_users:Slow"]\n'
    (folder / "own.toml").write_text(text)
    assert [in_new_process(folder) for _ in range(2)] == ["2 0", "0 0"]
    changed(folder, edited, *{"zz_users.py": ("* N", "* N + 60"), "zz_deep.py": ("N = 1", "N = 2")}[edited])
    assert in_new_process(folder) == "1 0"  # rigid users are still known


def in_new_process(folder: Path) -> str:
    """Runs that the study in the folder computes now, and how many of them fail."""
    study = "import thinktime as tt; study = tt.Study.read('own.toml', trust=True)"
    run = f"{study}; c = study.run('store').counts; print(c.done, c.failed)"
    text = f"import sys; sys.path[:0] = {sys.path!r}; {run}"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, cwd=folder, timeout=60)
    assert done.stderr == ""
    return done.stdout.strip()


def test_unknown_code_is_computed_every_time_and_said(tmp_path: Path) -> None:
    scope: dict[str, Any] = {"tt": tt, "__name__": "__main__"}
    exec(
        "class Made(tt.OwnScheduler, name='zz-made'):\n"
        "    def schedule(self, now_s, queue, running, machine): return queue.row[:1] if machine.free > 127 else ()\n",
        scope,
    )
    study = tt.Study.of(
        name="own", workloads=[{"generator": "default", "jobs": 40}], schedulers=[scope["Made"](), "easy"]
    )
    for _ in range(2):
        with pytest.warns(UserWarning, match="zz-made: .* never reused"):
            done = study.run(tmp_path / "store")
        assert (done.counts.failed, done.table.height) == (0, 2)
    assert (done.counts.done, done.counts.there) == (1, 1)


def test_known_code_is_reused_without_a_word(tmp_path: Path) -> None:
    study = tt.Study.of(name="own", workloads=[{"generator": "default", "jobs": 40}], schedulers=["easy"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [study.run(tmp_path / "store").counts.done for _ in range(2)] == [1, 0]
