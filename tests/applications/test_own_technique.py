"""Own techniques, in Python and compiled: equal to the engine's where they are the same, and held to the rules."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.applications.own_techniques import Drawing, Factoring, Guided, MeasuredAwfC, Weighted
from tests.effort import examples
from tests.study.studies import small
from thinktime.applications import CHUNK_SIGNATURE, DONE_SIGNATURE, Technique
from thinktime.errors import InputError
from thinktime.spec import REGISTRY, as_spec, from_dict, parse
from thinktime.testing.user_models import difficult_workload

MACHINE = tt.Machine(processors=16)
OWN = (Guided, Factoring, Weighted, MeasuredAwfC, Drawing)


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    for cls in OWN:
        REGISTRY["technique"][cls.name] = cls
    yield
    forget()


def forget() -> None:
    known = REGISTRY["technique"]
    for name in [name for name, cls in known.items() if issubclass(cls, tt.OwnTechnique)]:
        del known[name]


def small_log() -> tt.Workload:
    return tt.default_workload(jobs=60, seed=3)


def run_of(technique: Any, **options: Any) -> tt.Result:
    loops = tt.Loop(technique=technique, **{"variation": 0.5, "tasks_per_core": 6, **options})
    return tt.simulate(small_log(), tt.Machine(processors=128), tt.Easy(), applications=loops)


def assert_same(first: tt.Result, second: tt.Result) -> None:
    for name in ("start_s", "end_s", "status"):
        assert np.array_equal(first.columns[name], second.columns[name], equal_nan=True)
    assert first.reports["inside"].equals(second.reports["inside"])


# --- equal to the engine's ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "engines"),
    [(Guided(), "gss"), (Factoring(), "fac"), (Weighted(), "wf"), (Weighted(), "fac")],
)
@pytest.mark.parametrize(
    "more", [{}, {"overhead_s": 3.0}, {"release": "idle"}, {"distribution": "exponential", "variation": 1.0}]
)
def test_in_python_as_in_the_engine(own: Technique, engines: str, more: dict[str, Any]) -> None:
    assert_same(run_of(own, **more), run_of(engines, **more))


def test_with_speeds_and_measurements() -> None:
    unequal = {"speeds": "64*1+64*0.5", "tasks_per_core": 12}
    assert_same(run_of(Weighted(), **unequal), run_of("wf", **unequal))
    assert run_of(MeasuredAwfC(), **unequal).summary()["chunks"] == pytest.approx(
        run_of("awf-c", **unequal).summary()["chunks"], rel=0.02
    )


@examples(60)
@given(
    st.integers(1, 12), st.sampled_from([0.0, 0.3, 2.0]), st.sampled_from([0.0, 0.7]), st.sampled_from(["gss", "fac"])
)
def test_any_loop(per_core: int, variation: float, overhead_s: float, name: str) -> None:
    own = {"gss": Guided(), "fac": Factoring()}[name]
    runs = [
        tt.simulate(
            difficult_workload(40),
            MACHINE,
            "fcfs",
            applications=tt.Loop(technique=each, tasks_per_core=per_core, variation=variation, overhead_s=overhead_s),
        )
        for each in (own, name)
    ]
    assert_same(*runs)


def test_tasks_are_replayed() -> None:
    ours, engines = run_of(Factoring()), run_of("fac")
    for first, second in zip(ours.tasks(), engines.tasks(), strict=True):
        assert {name: values.tolist() for name, values in first.items()} == {
            name: values.tolist() for name, values in second.items()
        }


# --- compiled -----------------------------------------------------------------------------------------------


def compiled() -> tuple[Any, Any]:
    numba = pytest.importorskip("numba")

    @numba.cfunc(CHUNK_SIGNATURE)
    def guided(remaining, worker, tasks, workers, mean_s, deviation_s, overhead_s, state):  # type: ignore[no-untyped-def]
        return (remaining + workers - 1) // workers

    @numba.cfunc(CHUNK_SIGNATURE)
    def factoring(remaining, worker, tasks, workers, mean_s, deviation_s, overhead_s, state):  # type: ignore[no-untyped-def]
        if state[0] == 0:
            state[0] = workers
            state[1] = (remaining + 2 * workers - 1) // (2 * workers)
        state[0] -= 1
        return int(state[1])

    return guided, factoring


def test_compiled_as_in_the_engine() -> None:
    guided, factoring = compiled()
    assert_same(run_of(tt.native_technique(guided)), run_of("gss"))
    run = run_of(tt.native_technique(factoring, state=2))
    assert_same(run, run_of("fac"))
    text = run.spec["applications"]["technique"]
    assert text.startswith("native(factoring, state=2) ")
    assert as_spec("technique", text) == tt.native_technique(factoring, state=2)
    assert tt.Loop(technique=text) == tt.Loop(technique=tt.native_technique(factoring, state=2))


def test_compiled_with_measurements() -> None:
    numba = pytest.importorskip("numba")

    @numba.cfunc(CHUNK_SIGNATURE)
    def doubling(remaining, worker, tasks, workers, mean_s, deviation_s, overhead_s, state):  # type: ignore[no-untyped-def]
        return int(2 * state[1 + worker]) if state[1 + worker] > 0 else 1

    @numba.cfunc(DONE_SIGNATURE)
    def keep(worker, tasks, work_s, total_s, state):  # type: ignore[no-untyped-def]
        state[1 + worker] = tasks

    class Doubling(tt.OwnTechnique):
        def start(self, loop: Any) -> Any:
            class Last:
                def __init__(self) -> None:
                    self.tasks: dict[int, int] = {}

                def chunk(self, remaining: int, worker: int, loop: Any) -> int:
                    return 2 * self.tasks.get(worker, 0) or 1

                def done(self, worker: int, tasks: int, work_s: float, total_s: float) -> None:
                    self.tasks[worker] = tasks

            return Last()

    assert_same(run_of(tt.native_technique(doubling, state=1, per_worker=1, done=keep)), run_of(Doubling()))


def test_ctypes_pointers() -> None:
    kinds = [ctypes.c_int64] * 4 + [ctypes.c_double] * 3 + [ctypes.POINTER(ctypes.c_double)]

    @ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)
    def single(remaining: int, *_: Any) -> int:
        return 1

    assert_same(run_of(tt.native_technique(single)), run_of("ss"))


def test_mistakes_in_compiled_techniques() -> None:
    numba = pytest.importorskip("numba")

    @numba.cfunc("float64(float64, float64, float64, float64, float64)")
    def key(now_s, submit_s, estimate_s, processors, user):  # type: ignore[no-untyped-def]
        return now_s

    with pytest.raises(
        InputError, match=r"key has the signature float64\(.*: it must be int64\(.*, of remaining, worker"
    ):
        tt.native_technique(key)
    with pytest.raises(InputError, match="has no address: compile it with @numba"):
        tt.native_technique(lambda *_: 1)
    with pytest.raises(InputError, match="state is -1: choose a whole number from 0"):
        tt.native_technique(compiled()[0], state=-1)


# --- specs --------------------------------------------------------------------------------------------------


def test_they_print_compare_and_round_trip() -> None:
    loops = tt.Loop(technique=Factoring(parts=3), variation=0.5)
    assert repr(loops) == "Loop(technique=Factoring(parts=3), variation=0.5)"
    assert loops.text() == "loop:technique=factoring-in-python:parts=3,variation=0.5"
    assert from_dict("application", loops.to_dict()) == loops
    assert (
        parse("application", "loop:technique=tests.applications.own_techniques:Factoring:parts=3,variation=0.5")
        == loops
    )
    assert loops.to_dict()["technique"]["source"]
    assert loops != tt.Loop(technique=Factoring(parts=2), variation=0.5)
    assert tt.simulate(small_log(), 128, applications=loops).digest != run_of("fac").digest


def test_changed_code_is_another_run() -> None:
    stored = tt.Loop(technique=Guided()).to_dict()
    stored["technique"]["source"] = "0" * 16
    with pytest.raises(InputError, match="technique guided-in-python has another source than when this was written"):
        from_dict("application", stored)


def test_saved_and_replayed(tmp_path: Any) -> None:
    run = run_of(Guided())
    run.save(tmp_path / "run")
    again = tt.Result.load(tmp_path / "run")
    assert again == run
    assert sum(len(block["task"]) for block in again.tasks()) == run.summary()["tasks"]


def test_in_a_study(tmp_path: Any) -> None:
    models = [tt.Loop(technique=Guided()), "loop:technique=gss"]
    results = small(schedulers=["easy"], seeds=1, applications=models).run(tmp_path / "store")
    waits = results.table["wait_mean_s"].to_list()
    assert len(waits) == 2
    assert waits[0] == waits[1]


# --- what they may not do -----------------------------------------------------------------------------------


def answering(answer: Any) -> tt.OwnTechnique:
    def chunk(self: Any, remaining: int, worker: int, loop: Any) -> Any:
        return answer(remaining)

    return type("Mine", (tt.OwnTechnique,), {"chunk": chunk})()


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda left: 0, "technique mine answered with 0 when"),
        (lambda left: -3, "answered with -3"),
        (lambda left: 1.0, "answered with 1.0 when"),
        (lambda left: True, "answered with True"),
        (lambda left: None, "answered with None when"),
        (lambda left: 1 // (left - left), "technique mine failed with ZeroDivisionError"),
    ],
)
def test_wrong_answers_are_error_messages(answer: Any, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        run_of(answering(answer))
    assert sentence in str(error.value)


def test_more_than_remain_counts_as_all_and_numpy_numbers_are_whole() -> None:
    assert_same(run_of(answering(lambda left: 10**9)), run_of(answering(lambda left: np.int64(left))))


def test_other_mistakes() -> None:
    class Forgetful(tt.OwnTechnique):
        pass

    with pytest.raises(InputError, match="NotImplementedError: Forgetful needs a method chunk"):
        run_of(Forgetful())
    with pytest.raises(InputError, match=r"technique is the class Guided: create an object, Guided\(\)"):
        tt.Loop(technique=Guided)
    with pytest.raises(InputError, match="is reserved for the built-in"):

        class Gss(tt.OwnTechnique):
            pass

    with pytest.raises(InputError, match="which is written in Python: choose a built-in or a compiled technique"):
        tt.OtherSimulator(run="true", technique=Guided())

    class Nothing(tt.OwnTechnique):
        def start(self, loop: Any) -> Any:
            return 3

    with pytest.raises(InputError, match="start of nothing gave 3: return an object with a method chunk"):
        run_of(Nothing())


# --- the check ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("technique", [Guided(), Factoring(), MeasuredAwfC(), Drawing(), "fac", "af"])
def test_the_check_accepts(technique: Any) -> None:
    tt.testing.check_technique(technique)


def test_the_check_finds_chance_and_mistakes() -> None:
    import random

    with pytest.raises(AssertionError, match="decides differently in a second run"):
        tt.testing.check_technique(answering(lambda left: random.randint(1, 3)))
    with pytest.raises(AssertionError, match="answered with 0"):
        tt.testing.check_technique(answering(lambda left: left // 9))
    with pytest.raises(AssertionError, match="per chunk"):
        tt.testing.check_technique(answering(lambda left: sum(range(4000)) and 1), slowest_us=20)


forget()  # what this file has defined: other tests go through the registry
