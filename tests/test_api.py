"""The public surface: names, what an import costs, and the example of the design."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from tests.shared_data import LOGS, ROOT

HEAVY = {"numpy", "polars", "matplotlib", "scipy", "typer", "rich", "thinktime._engine"}


def in_a_fresh_interpreter(code: str) -> str:
    """What the code prints in a new process."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},  # as installed, or as in this process
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def loaded_by(statement: str) -> set[str]:
    return HEAVY & set(in_a_fresh_interpreter(f"{statement}\nprint(*sys.modules)").split())


# --- names --------------------------------------------------------------------------------------------------


def test_every_public_name_is_there() -> None:
    """In a new process, because other tests have loaded the layers already."""
    code = "import thinktime as tt\nprint(*[name for name in tt.__all__ if not callable(getattr(tt, name))])"
    assert in_a_fresh_interpreter(code) == "__version__ key"


def test_simulate_stays_the_function() -> None:
    """A layer has the same name; loading it must not hide the function."""
    for first in (
        "tt.Simulation",
        "tt.simulate_stream",
        "from thinktime.simulation import State",
        "tt.simulate",
    ):
        code = f"import thinktime as tt\n{first}\nprint(type(tt.simulate).__name__)"
        assert in_a_fresh_interpreter(code) == "function", first


def test_no_function_has_the_name_of_a_layer() -> None:
    """Python binds an imported package in its parent, which would hide the function."""
    layers = {path.stem for path in (ROOT / "src" / "thinktime").iterdir()}
    assert not layers & set(vars(tt)["_LAYER_OF"])


def test_star_import_and_dir() -> None:
    names = in_a_fresh_interpreter("from thinktime import *\nprint(*dir())").split()
    assert set(tt.__all__) - {"__version__"} <= set(names)  # type: ignore[attr-defined]
    assert set(tt.__all__) <= set(dir(tt))  # type: ignore[attr-defined]


def test_type_checkers_see_the_same_names() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "generate.py"))
    assert made["STUB"].read_text() == made["stub"](), "run python docs/generate.py"
    seen = re.findall(r" as (\w+)$", made["stub"](), re.MULTILINE)
    assert set(seen) | {"__version__"} == set(dir(tt))


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match=r"^module 'thinktime' has no attribute 'simulat'$"):
        tt.simulat  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(tt, "EASY")


# --- what an import costs -----------------------------------------------------------------------------------


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded_by("import thinktime") == set()
    assert loaded_by("import thinktime; thinktime.Easy(order='sjf'); thinktime.Machine(processors=4)") == set()


def test_a_simulation_loads_no_data_frames_and_no_figures() -> None:
    code = (
        "import thinktime as tt\n"
        "run = tt.simulate(tt.default_workload(jobs=20), tt.Machine(processors=128), tt.Easy())\n"
        "run.summary()"
    )
    assert loaded_by(code) == {"numpy", "thinktime._engine"}


# --- the example --------------------------------------------------------------------------------------------


@pytest.fixture
def kth(tmp_path: Path) -> Path:
    """The log of the example, or a generated one in its place."""
    real = LOGS / "KTH-SP2-1996-2.1-cln.swf.gz"
    if real.exists():
        return real
    path = tmp_path / "generated.swf.gz"
    tt.write_swf(tt.default_workload(processors=100, weeks=4), path)
    return path


def test_the_example_of_the_design(kth: Path, tmp_path: Path) -> None:
    """As far as its parts exist: reacting users and comparisons are to come."""
    code = f"""
import thinktime as tt

log     = tt.read_swf({str(kth)!r})
machine = tt.Machine(processors=100)
run     = tt.simulate(log, machine, tt.Easy())
what_if = tt.simulate(log, machine.scaled(speed=0.5), tt.Easy(), estimates=tt.Estimates.at_least(2.0))
sim     = tt.Simulation(log, machine, tt.Easy(order="sjf"))
assert sim.step()
sim.run(until=log["submit_s"][100])
assert sim.state.clock_s <= log["submit_s"][100] < sim.state.next_s
assert not sim.state.queue.flags.writeable
assert tt.check(run) == [] == tt.check(what_if)
assert len(run.jobs) == len(log) == len(what_if.jobs)
assert what_if.summary()["wait_mean_s"] > run.summary()["wait_mean_s"] > 0
print(run.summary())
print(*run.jobs.columns)
"""
    *_, columns = in_a_fresh_interpreter(code).splitlines()
    assert columns.split()[:4] == ["job", "user", "submit_s", "start_s"]


def test_the_example_with_a_generated_log(tmp_path: Path) -> None:
    """The same calls when there is no log at hand."""
    path = tmp_path / "generated.swf"
    log = tt.default_workload(processors=100, weeks=1)
    tt.write_swf(log, path)
    read = tt.read_swf(path)
    for name in ("job", "submit_s", "run_s", "processors", "requested_time_s", "user"):
        assert np.array_equal(read[name], log[name]), name


def test_importing_the_policies_reads_none_of_our_files() -> None:
    """Hashing the code behind a policy is for modules of the user's: our own are named by the version."""
    code = "import thinktime.simulation, thinktime.spec.module_files as files; print(sorted(files._read))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
