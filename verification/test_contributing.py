"""The files that CONTRIBUTING shows make a scheduler and a plugin: nothing else is edited.

A copy of the repository gets these files and a new engine. Then the command line, the comparison with the reference,
the generated pages, the type checker and the tests of the surface know both.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared_data import ROOT

FILE = re.compile(r"<!-- (?:not run: )?the file (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
SCHEDULER = {"reference/window.py", "engine/schedulers/window.cc", "src/thinktime/schedulers/window.py"}
PLUGIN = {"engine/plugins/congestion.cc", "src/thinktime/plugins/congestion.py"}
GENERATED = {"docs/reference/schedulers.md", "docs/reference/plugins.md", "src/thinktime/__init__.pyi"}
LISTS = {"docs/reference/command_line.md", "docs/reference/python.md"}  # made too, and list names
COPIED = (
    "ARCHITECTURE.md",
    "CMakeLists.txt",
    "CONTRIBUTING.md",
    "pyproject.toml",
    "docs",
    "engine",
    "reference",
    "src",
    "tests",
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with the files of the page and a built engine."""
    if shutil.which("cmake", path=_path()) is None or importlib.util.find_spec("nanobind") is None:
        pytest.skip("cmake or nanobind is missing: run `make native` once, which installs the build tools")
    folder = tmp_path_factory.mktemp("repository")
    for name in COPIED:
        source = ROOT / name
        ignore = shutil.ignore_patterns("*.so", "__pycache__")
        shutil.copytree(source, folder / name, ignore=ignore) if source.is_dir() else shutil.copy(source, folder / name)
    for name, text in files().items():
        assert not (folder / name).exists(), name
        (folder / name).write_text(text)
    _build(folder)
    return folder


def files() -> dict[str, str]:
    return dict(FILE.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))


def _path() -> str:
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])


def _build(folder: Path) -> None:
    """Without optimisation: twice as fast to compile."""
    build = folder / "build"
    options = [f"-DPython_EXECUTABLE={sys.executable}", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-O0"]
    ninja = ["-G", "Ninja"] if shutil.which("ninja", path=_path()) else []
    _run(folder, "cmake", "-S", ".", "-B", str(build), *ninja, *options)
    _run(folder, "cmake", "--build", str(build), "--parallel", str(os.cpu_count() or 1))
    engine = next(build.glob("_engine*.so"))
    shutil.copy(engine, folder / "src" / "thinktime" / engine.name)


def _run(folder: Path, *command: str) -> str:
    environment = {**os.environ, "PATH": _path(), "PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder}"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def _python(folder: Path, *arguments: str) -> str:
    return _run(folder, sys.executable, *arguments)


def test_the_page_has_the_files() -> None:
    assert set(files()) == SCHEDULER | PLUGIN


def test_the_command_line(tree: Path) -> None:
    _python(tree, "-m", "thinktime", "generate", "default:jobs=200", "--out", "log.swf.gz")
    said = _python(
        tree, "-m", "thinktime", "run", "log.swf.gz", "--scheduler", "window:size=3", "--no-figures", "--out", "run"
    )
    assert "window:size=3" in said
    assert "window" in _python(tree, "-m", "thinktime", "run", "--help")


def test_the_engine_agrees_with_the_reference(tree: Path) -> None:
    code = """
import numpy as np, thinktime as tt
from reference import Job
from tests.engine.agreement import assert_agreement
random = np.random.default_rng(1)
for k in range(300):
    rows = random.integers([0, 0, 1, 0], [25, 10, 9, 15], (int(random.integers(1, 30)), 4))
    jobs = [Job(*map(int, row)) for row in rows]
    assert_agreement(
        jobs, 8, tt.Window(size=int(random.integers(1, 6))),
        overrun=["extend", "extend-blind", "kill"][k % 3],
        same_instant=["batch", "each-submit-first", "each-end-first"][k // 3 % 3],
    )
"""
    _python(tree, "-c", code)


def test_the_plugin_publishes_and_records(tree: Path) -> None:
    code = """
import thinktime as tt
cluster = tt.Cluster(groups=[{"name": "g", "nodes": 64, "core": 2}])
log = tt.default_workload(jobs=300)
scheduler = tt.Easy(order=tt.key.where(tt.key.waiting_jobs > 3, tt.key.area, tt.key.submit))
run = tt.simulate(log, cluster, scheduler, plugins=["congestion"])
print(len(run.reports["congestion"]), tt.check(run))
"""
    rows, problems = _python(tree, "-c", code).split(maxsplit=1)
    assert int(rows) > 0
    assert problems.strip() == "[]"


def test_pages_types_and_tests_know_both(tree: Path) -> None:
    before = _contents(tree)
    _python(tree, "docs/generate.py")
    changed = {name for name, text in _contents(tree).items() if before.get(name) != text}
    assert changed - LISTS == GENERATED
    (tree / "mine.py").write_text(
        "import thinktime as tt\nfound: tt.Scheduler = tt.Window(size=3)\nother: int = tt.Congestion()\n"
    )
    if importlib.util.find_spec("mypy"):
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "mine.py"],
            cwd=tree, env={**os.environ, "MYPYPATH": str(tree / "src")}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        errors = [line for line in done.stdout.splitlines() if line.startswith("mine.py")]
        assert len(errors) == 1, done.stdout
        assert errors[0].startswith("mine.py:3: error: Incompatible types in assignment")
    tests = ["tests/test_api.py", "tests/test_layers.py", "tests/test_registry.py", "tests/schedulers/test_specs.py"]
    pages = "tests/docs/test_reference.py::test_a_generated_page_is_up_to_date"
    _python(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, pages)


def _contents(folder: Path) -> dict[str, str]:
    """Text files of the copy by name."""
    paths = [
        path for name in COPIED for path in (folder / name).rglob("*") if path.suffix in (".py", ".pyi", ".md", ".cc")
    ]
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in paths}
