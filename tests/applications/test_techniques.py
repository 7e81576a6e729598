"""Techniques: the sequences of the literature, what every sequence must be, and the engine against the reference."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.applications import TECHNIQUES, Facts, chunk_sequence, play
from tests.applications.loops import VARIANTS, EngineTechnique, Loop, begin, loops, reference_technique
from tests.effort import examples
from thinktime import InputError, _engine
from thinktime.applications import technique_of
from thinktime.applications.techniques import FixedIncrease, RandomChunks, Taper, Technique
from thinktime.spec import REGISTRY, from_dict, parse

variants = st.sampled_from(VARIANTS)
FIXED = [spec for spec in VARIANTS if not _engine.Technique(spec.name, {}).adaptive]
MEASURING = ["awf-b", "awf-c", "awf-d", "awf-e", "af"]


def sequence(text: str, tasks: int, cores: int, **facts: Any) -> list[int]:
    """By the engine; the reference must give the same."""
    spec = technique_of(text)
    found = _engine.chunk_sequence(spec.engine_name(), spec.engine_options(), tasks, cores, **facts).tolist()
    assert found == chunk_sequence(spec.name, Facts(tasks=tasks, cores=cores, **facts), **spec.options())
    return list(found)


def repeated(*pairs: tuple[int, int]) -> list[int]:
    return [size for size, times in pairs for _ in range(times)]


@pytest.mark.parametrize(
    ("text", "tasks", "cores", "sizes"),
    [
        ("gss", 100, 4, [25, 19, 14, 11, 8, 6, 5, 3, 3, 2, 1, 1, 1, 1]),
        ("fac", 100, 4, repeated((13, 4), (6, 4), (3, 4), (2, 4), (1, 4))),
        ("gss", 1000, 4, [250, 188, 141, 106, 79, 59, 45, 33, 25, 19, 14, 11, 8, 6, 4, 3, 3, 2, 1, 1, 1, 1]),
        ("tss", 1000, 4, [125, 117, 109, 101, 93, 85, 77, 69, 61, 53, 45, 37, 28]),
        ("tfss", 1000, 4, repeated((113, 4), (81, 4), (49, 4), (17, 1), (11, 1))),
        ("fiss", 1000, 4, repeated((50, 4), (83, 4), (116, 4), (4, 1))),
        ("viss", 1000, 4, repeated((62, 4), (93, 4), (108, 3), (56, 1))),
        ("static", 10, 4, [3, 3, 3, 1]),
        ("static", 9, 4, [3, 3, 3]),
        ("static-balanced", 10, 4, [3, 3, 2, 2]),
        ("static-balanced", 3, 4, [1, 1, 1]),
        ("ss", 5, 2, [1] * 5),
        ("mfsc", 100, 4, repeated((5, 20))),
        ("tss", 100, 4, repeated((13, 7), (9, 1))),
    ],
)
def test_sequences(text: str, tasks: int, cores: int, sizes: list[int]) -> None:
    assert sequence(text, tasks, cores) == sizes


def test_an_exact_decrement_shrinks_where_a_whole_one_is_none() -> None:
    sizes = sequence("tss:decrement=exact", 100, 4)
    assert sizes == sorted(sizes, reverse=True)
    assert (sizes[0], sizes[-1]) == (13, 1)
    assert sequence("tss:decrement=exact", 1000, 4)[:3] == [125, 117, 108]  # 124 / 15 smaller each


def test_fixed_size_chunking_follows_its_formula() -> None:
    size = (math.sqrt(2) * 10_000 * 0.5 / (2.0 * 8 * math.sqrt(math.log(8)))) ** (2 / 3)
    assert set(sequence("fsc", 10_000, 8, deviation_s=2.0, overhead_s=0.5)[:-1]) == {math.ceil(size)}


def test_fixed_size_chunking_at_its_edges() -> None:
    assert sequence("fsc", 100, 4, deviation_s=0.0, overhead_s=1.0) == [25] * 4  # no variation
    assert sequence("fsc", 100, 4, deviation_s=1.0, overhead_s=0.0) == [1] * 100  # no overhead
    assert sequence("fsc", 100, 1, deviation_s=1.0, overhead_s=1.0) == [100]  # ln 1 = 0
    assert sequence("fsc", 100, 4, deviation_s=1e-9, overhead_s=1e9) == [25] * 4  # never more than a share


def test_tapering_follows_its_formula() -> None:
    v, share = 1.3 * 0.5, 250.0
    assert sequence("tap", 1000, 4, deviation_s=0.5)[0] == math.ceil(
        share + v * v / 2 - v * math.sqrt(2 * share + v * v / 4)
    )


def test_without_variation_tapering_is_guided_and_the_first_factor_is_all() -> None:
    assert sequence("tap", 1000, 4) == sequence("gss", 1000, 4)
    assert sequence("fac-probabilistic", 1000, 4) == [250] * 4


def test_more_variation_makes_earlier_chunks_smaller() -> None:
    for text in ("tap", "fac-probabilistic"):
        first = [sequence(text, 1000, 4, deviation_s=deviation)[0] for deviation in (0.0, 0.5, 1.0, 3.0)]
        assert first == sorted(first, reverse=True)
        assert len(set(first)) == 4


def test_probabilistic_factoring_follows_its_formula() -> None:
    b = 4 * 2.0 / (2 * 1.0 * math.sqrt(1000))
    first = math.ceil(1000 / (4 * (1 + b * b + b * math.sqrt(b * b + 2))))
    remaining = 1000 - 4 * first
    b = 4 * 2.0 / (2 * 1.0 * math.sqrt(remaining))
    second = math.ceil(remaining / (4 * (2 + b * b + b * math.sqrt(b * b + 4))))
    assert sequence("fac-probabilistic", 1000, 4, deviation_s=2.0)[:8] == [first] * 4 + [second] * 4


def test_weighted_factoring_gives_by_speed() -> None:
    facts = Facts(tasks=800, cores=4, speeds=(1.0, 2.0, 4.0, 1.0))
    technique = EngineTechnique(technique_of("wf"), facts)
    assert [technique.chunk(core, 800) for core in range(4)] == [50, 100, 200, 50]


def test_random_chunks_stay_in_their_range_and_follow_their_key() -> None:
    options = technique_of("rand:smallest=3,largest=7").engine_options()
    sizes = [_engine.chunk_sequence("rand", options, 2000, 4, key_low=key).tolist() for key in (1, 1, 2)]
    assert sizes[0] == sizes[1] != sizes[2]
    assert set(sizes[0][:-1]) == {3, 4, 5, 6, 7}


def test_how_large_random_chunks_get() -> None:
    assert max(sequence("rand", 30_000, 10_000)) == 3
    assert max(sequence("rand:largest=all", 30_000, 10_000)) > 3000


@pytest.mark.parametrize("spec", [spec() for spec in REGISTRY["technique"].values()], ids=repr)
@pytest.mark.parametrize("cores", [1, 2, 7, 64])
def test_as_many_equal_tasks_as_cores_are_one_each(spec: Any, cores: int) -> None:
    events = play([5.0] * cores, [1.0] * cores, EngineTechnique(spec, Facts(tasks=cores, cores=cores, mean_s=5.0)))
    assert [(event.core, event.start, event.end) for event in events] == [(core, 0.0, 5.0) for core in range(cores)]


@examples(300)
@given(st.sampled_from(FIXED), loops(most=5000))
def test_a_sequence_is_the_whole_loop(spec: Technique, loop: Loop) -> None:
    facts = loop.facts
    known = (facts.tasks, facts.cores, facts.mean_s, facts.deviation_s, facts.overhead_s)
    sizes = _engine.chunk_sequence(spec.name, spec.engine_options(), *known, *facts.key)
    assert sizes.sum() == facts.tasks
    assert sizes.min() >= 1
    assert spec.name != "ss" or len(sizes) == facts.tasks


@examples(600)
@given(variants, loops())
def test_the_engine_plays_as_the_reference(spec: Technique, loop: Loop) -> None:
    facts = loop.facts
    expected = play(loop.lengths, loop.speeds, reference_technique(spec, facts), facts.overhead_s)
    found = play(loop.lengths, loop.speeds, EngineTechnique(spec, facts), facts.overhead_s)
    assert found == expected


@examples(200)
@given(variants, loops(), st.integers(0, 2**32 - 1))
def test_the_engine_answers_as_the_reference_for_any_measurements(spec: Technique, loop: Loop, seed: int) -> None:
    random = np.random.default_rng(seed)
    ours, theirs = EngineTechnique(spec, loop.facts), reference_technique(spec, loop.facts)
    remaining = loop.facts.tasks
    while remaining:
        core = int(random.integers(loop.facts.cores))
        size = ours.chunk(core, remaining)
        assert size == min(max(theirs.chunk(core, remaining), 1), remaining)
        work = float(random.choice([0.0, 5e-324, 1e-300, 1.0, random.random(), 1e6 * random.random()]))
        for technique in (ours, theirs):
            technique.done(core, size, work, work + 0.5)
        remaining -= size


@examples(100)
@given(variants, loops(), loops())
def test_a_technique_forgets_the_loop_before(spec: Technique, before: Loop, loop: Loop) -> None:
    used = EngineTechnique(spec, before.facts)
    play(before.lengths, before.speeds, used, before.facts.overhead_s)
    begin(used.bound, loop.facts)
    fresh = EngineTechnique(spec, loop.facts)
    first, second = (play(loop.lengths, loop.speeds, each, 0.1) for each in (used, fresh))
    assert first == second


@pytest.mark.parametrize("spec", VARIANTS, ids=repr)
@pytest.mark.parametrize("tasks", [1, 2, 3])
@pytest.mark.parametrize("cores", [1, 4])
def test_hardly_any_tasks(spec: Technique, tasks: int, cores: int) -> None:
    facts = Facts(tasks=tasks, cores=cores, deviation_s=0.5)
    events = play([1.0] * tasks, [1.0] * cores, EngineTechnique(spec, facts))
    assert [event.task for event in events] == list(range(tasks))


@pytest.mark.parametrize("name", MEASURING)
def test_who_is_not_measured_gets_first_tasks(name: str) -> None:
    technique = EngineTechnique(technique_of(f"{name}:first=3"), Facts(tasks=1000, cores=4))
    assert [technique.chunk(core, 1000) for core in range(4)] == [3] * 4
    technique.done(0, 3, 0.0, 0.0)  # no time at all tells nothing
    assert technique.chunk(0, 900) == 3


@pytest.mark.parametrize("name", MEASURING)
def test_faster_cores_get_more(name: str) -> None:
    """Of what two cores do at 1 and 3 tasks a second, the second gets three times as many."""
    technique = EngineTechnique(technique_of(name), Facts(tasks=8000, cores=2))
    for _ in range(2):
        technique.done(0, 3, 3.0, 3.0)
        technique.done(1, 3, 1.0, 1.0)
    slow = technique.chunk(0, 8000)
    fast = technique.chunk(1, 8000)
    assert abs(fast - 3 * slow) <= 3
    assert slow == (2000 if name == "af" else 1000)  # half of 8000 a batch, or all if nothing varies


@pytest.mark.parametrize(("name", "listens"), [("awf-b", False), ("awf-c", False), ("awf-d", True), ("awf-e", True)])
def test_who_counts_the_overhead(name: str, listens: bool) -> None:
    technique = EngineTechnique(technique_of(name), Facts(tasks=800, cores=2))
    technique.done(0, 1, 1.0, 1.0)
    technique.done(1, 1, 1.0, 3.0)
    assert technique.chunk(0, 800) == (300 if listens else 200)


def test_later_chunks_weigh_more() -> None:
    technique = EngineTechnique(technique_of("awf-c"), Facts(tasks=800, cores=2))
    technique.done(0, 1, 1.0, 1.0)
    technique.done(1, 1, 4.0, 4.0)
    technique.done(1, 1, 1.0, 1.0)  # (1 x 4 + 2 x 1) / (1 + 2) = 2 s a task
    assert technique.chunk(0, 800) == round(200 * 2 * 2 / 3)


def test_batches_keep_their_size_and_chunks_do_not() -> None:
    for name, sizes in (("awf-b", [200, 200, 100]), ("awf-c", [200, 150, 100])):
        technique = EngineTechnique(technique_of(name), Facts(tasks=800, cores=2))
        for core in range(2):
            technique.done(core, 1, 1.0, 1.0)
        assert [technique.chunk(0, remaining) for remaining in (800, 600, 400)] == sizes


def test_adaptive_factoring_follows_its_formula() -> None:
    """Core 0: 1 and 3 s, so a mean of 2 and a variance of 2. Core 1: 2 x 4 and 2 x 6 s, 5 and 2 (1 + 1) = 4."""
    technique = EngineTechnique(technique_of("af"), Facts(tasks=1000, cores=2))
    for core, tasks, times in ((0, 1, (1.0, 3.0)), (1, 2, (8.0, 12.0))):
        for time in times:
            technique.done(core, tasks, time, time)
    d, t, r = 2 / 2 + 4 / 5, 1 / (1 / 2 + 1 / 5), 900
    size = (d + 2 * t * r - math.sqrt(d * d + 4 * d * t * r)) / 2
    assert technique.chunk(0, 900) == int(size / 2 + 0.55)
    assert technique.chunk(1, 900) == int(size / 5 + 0.55)


@pytest.mark.parametrize("name", MEASURING)
def test_measuring_pays_on_unequal_cores(name: str) -> None:
    speeds = (1.0, 1.0, 1.0, 0.25)
    lengths = np.random.default_rng(1).gamma(4.0, 0.25, 2000).tolist()
    facts = Facts(tasks=2000, cores=4, deviation_s=0.5)
    ends = {}
    for text in (name, "static"):
        events = play(lengths, speeds, EngineTechnique(technique_of(text), facts))
        ends[text] = max(event.end for event in events)
    best = sum(lengths) / sum(speeds)
    assert best < ends[name] < 1.05 * best < 2 * best < ends["static"]


def test_all_cores_ask_first_and_ties_go_by_number() -> None:
    events = play([0.0, 1.0, 1.0, 1.0, 1.0], [1.0] * 3, EngineTechnique(technique_of("ss"), Facts(5, 3)))
    assert [event.core for event in events] == [0, 1, 2, 0, 0]
    assert [event.end for event in events] == [0, 1, 1, 1, 2]


def test_the_registries_agree() -> None:
    engines = set(_engine.technique_names()) - {"native"}  # compiled functions have no name
    assert sorted(engines) == sorted(REGISTRY["technique"]) == sorted(TECHNIQUES)


@pytest.mark.parametrize("spec", VARIANTS, ids=repr)
def test_specs_parse_as_themselves(spec: Technique) -> None:
    assert parse("technique", spec.text()) == spec == technique_of(spec.text()) == technique_of(spec)
    assert from_dict("technique", spec.to_dict()) == spec


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("gs", r"no technique is called 'gs' \(did you mean 'gss'\?\)"),
        ("gss:alpha=1", "technique gss has no option 'alpha': it takes none"),
        ("rand:smallest=0", "smallest of rand is 0: choose a whole number from 1"),
        ("rand:smallest=5,largest=4", "largest of rand is 4: choose at least smallest, 5"),
        ("rand:largest=most", "largest of rand is 'most'"),
        ("rand:largest=2.5", "largest of rand is 2.5: choose a whole number"),
        ("fiss:stages=1", "stages of fiss is 1: choose a whole number from 2 to 1000"),
        ("tap:alpha=-1", "alpha of tap is -1: choose a number from 0 to 1000"),
        ("tap:alpha=x", "alpha of tap is 'x'"),
        ("tss:decrement=half", "decrement of tss is 'half': choose one of whole, exact"),
        ("af:first=nan", "first of af is nan: choose a whole number"),
        (7, "technique is 7: write its name"),
    ],
)
def test_mistakes_are_error_messages(text: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        technique_of(text)


def test_the_same_number_is_the_same_option() -> None:
    assert Taper(alpha=2) == Taper(alpha=2.0)
    assert technique_of("fiss:stages=4.0") == FixedIncrease(stages=4)
    assert RandomChunks.random


def test_the_engine_refuses_what_makes_no_sense() -> None:
    with pytest.raises(ValueError, match="no technique is called guided"):
        _engine.Technique("guided", {})
    with pytest.raises(ValueError, match="wf depends on the requesting core"):
        _engine.chunk_sequence("wf", {}, 10, 2)
    technique = _engine.Technique("gss", {})
    with pytest.raises(ValueError, match="no core 0"):
        technique.chunk(0, 1)
    with pytest.raises(ValueError, match="one task"):
        begin(technique, Facts(tasks=0, cores=1))
    with pytest.raises(ValueError, match="one entry per core"):
        begin(technique, Facts(tasks=1, cores=2, speeds=(1.0,)))
