"""Reacting users in streams: the same submissions as in memory, for blocks of any size."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.effort import examples
from tests.shared_data import log
from tests.simulation.streamed import assert_close, assert_same, assert_streamed_alike, blocks
from thinktime.users import UserModel

pytestmark = pytest.mark.filterwarnings("ignore::thinktime.errors.OutcomeWarning")

THRESHOLDS_MIN = (0.0, 1 / 60, 5 / 60, 0.5, 5.0)  # against times of some seconds
MODELS = st.one_of(
    st.builds(
        tt.SessionReplay,
        threshold_min=st.sampled_from(THRESHOLDS_MIN),
        delimiter=st.sampled_from(["arrival", "last", "max"]),
        graph=st.sampled_from(["reduced", "full"]),
        ties=st.sampled_from(["planned", "original"]),
    ),
    st.builds(tt.Adjusted, threshold_min=st.sampled_from(THRESHOLDS_MIN)),
)
RULES = st.fixed_dictionaries({"same_instant": st.sampled_from(["batch", "each-submit-first", "each-end-first"])})
ON_NODES: list[list[Any]] = [
    [tt.Failures(table=[{"nodes": [0, 1, 2], "from_s": 20, "to_s": 40}], jobs="lose")],
    ["power", tt.Failures(mtbf_h=0.05, mttr_h=0.001)],
    [tt.Maintenance(windows=[{"from_s": 50, "to_s": 70}])],
]


@st.composite
def workloads(draw: st.DrawFn) -> tt.Workload:
    """Few users, many equal times, recorded waits that differ much from the simulated ones."""
    random = np.random.default_rng(draw(st.integers(0, 10**9)))
    jobs, span = draw(st.integers(1, 40)), draw(st.sampled_from([5, 30, 200, 1000]))
    submit = np.sort(random.integers(0, span, jobs) + draw(st.sampled_from([0.0, 0.25])) * random.integers(0, 4, jobs))
    return tt.Workload.from_columns(
        submit_s=submit.astype(float),
        run_s=random.integers(0, draw(st.sampled_from([2, 30, 100])), jobs),
        wait_s=random.integers(0, draw(st.sampled_from([2, 30, 300])), jobs),
        processors=random.integers(1, 5, jobs),
        user=random.integers(1, 5, jobs),
        requested_time_s=random.integers(1, 60, jobs),
    )


@given(
    workloads(),
    MODELS,
    st.sampled_from([3, 4, 6, 50]),
    st.sampled_from(["easy", "fcfs", "sjf", "conservative"]),
    st.sampled_from([1, 2, 3, 7, 100]),
    RULES,
)
@examples(300)
def test_blocks_of_any_size(
    workload: tt.Workload, users: UserModel, processors: int, scheduler: str, rows: int, rules: dict[str, Any]
) -> None:
    assert_streamed_alike(workload, processors, scheduler, rows, users=users, **rules)


@given(workloads(), MODELS, st.sampled_from(ON_NODES), st.sampled_from([1, 3, 10]))
@examples(100)
def test_users_with_plugins(workload: tt.Workload, users: UserModel, plugins: list[Any], rows: int) -> None:
    cluster = tt.Cluster(groups=[{"name": "g", "nodes": 5, "core": 1}])
    assert_streamed_alike(workload, cluster, "easy", rows, users=users, plugins=plugins)


@pytest.mark.parametrize("users", ["session-replay", "adjusted"])
@pytest.mark.parametrize("speed", [1.0, 0.5, 4.0])
@pytest.mark.parametrize(
    ("name", "processors"), [("KTH-SP2-1996-2.1-cln", 100), ("CTC-SP2-1996-3.1-cln", 338), ("HPC2N-2002-2.2-cln", 240)]
)
def test_real_logs(name: str, processors: int, speed: float, users: str) -> None:
    path, machine = log(f"{name}.swf.gz"), tt.Machine(processors=processors, speed=speed)
    whole = tt.simulate(tt.read(path), machine, "easy", users=users)
    with TemporaryDirectory() as folder:
        summary = tt.simulate_stream(path, machine, "easy", Path(folder) / "run", users=users)
        streamed = tt.Result.load(Path(folder) / "run")
    assert_same(whole, streamed)
    assert_close(summary.values, whole.summary().values)
    assert 0 < streamed.statistics["most_jobs_read_ahead"] < len(whole)


LOG = tt.default_workload(jobs=300)


class AsRecorded(tt.OwnUsers):
    def start(self, workload: tt.Workload, seed: int) -> Any: ...


#: users → words of the error
REFUSED: list[tuple[Any, str]] = [
    ("fluid", "users fluid repeat the sessions of the whole log"),
    ("distribution-based", "users distribution-based draw from the delays of the whole log"),
    ("session-replay:activity=fluid", "activity=fluid of session-replay needs the whole log"),
    ("session-replay:think_times=response", "think_times=response of session-replay needs the whole log"),
    (AsRecorded(), "are given the whole workload"),
]


@pytest.mark.parametrize(("users", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_users_who_need_the_whole_log(users: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(tt.InputError, match=said):
        tt.simulate_stream(blocks(LOG, 50), 128, "easy", tmp_path / "run", users=users)
    assert list(tmp_path.iterdir()) == []


def test_a_limit_of_jobs_that_wait_in_memory(tmp_path: Path) -> None:
    fast = tt.Machine(processors=1000, speed=100)
    with pytest.raises(tt.InputError, match=r"raise read_ahead \(50\)"):
        tt.simulate_stream(blocks(LOG, 10), fast, "easy", tmp_path / "run", users="session-replay", read_ahead=50)
    assert list(tmp_path.iterdir()) == []
