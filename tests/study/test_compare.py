"""Comparisons: the numbers are those of the methods, the words say no more than the numbers."""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy import stats

import thinktime as tt
from thinktime.study.comparison.block_table import Table
from thinktime.study.comparison.compare import _join_dependent_blocks, compare_table, compare_tables
from thinktime.study.comparison.compared import Comparison
from thinktime.study.comparison.run_blocks import By, tables
from thinktime.study.comparison.sentences import rank_words, three_digits
from thinktime.study.comparison.verdict import VERDICTS
from thinktime.support.random_streams import stream

HARD = stream(1, "test").exponential(10_000.0, size=20)  # of each block, for all configurations
NOISE = stream(2, "test").normal(0, 300.0, size=(3, 20))


def rows(size: int = 20, effect: float = 7200.0) -> dict[str, dict[object, float]]:
    """fcfs, easy (shorter by two hours) and another that differs from fcfs by noise only."""
    values: dict[str, dict[Hashable, float]] = {
        "fcfs": 20_000 + HARD + NOISE[0],
        "easy": 20_000 + HARD + NOISE[1] - effect,
        "other": 20_000 + HARD + NOISE[2],
    }
    return {name: {(f"w{k}", 1): float(of[k]) for k in range(size)} for name, of in values.items()}


@cache
def runs(weeks: int = 12) -> tuple[tt.Workload, tuple[tt.Result, ...]]:
    workload, machine = tt.default_workload(weeks=weeks, load=0.6), tt.Machine(processors=128)
    schedulers = (tt.Easy(), tt.Easy(order="sjf"), tt.FCFS())
    return workload, tuple(tt.simulate(workload, machine, each) for each in schedulers)


def only(comparison: Comparison) -> str:
    return " ".join(comparison.words())


# --- studies ------------------------------------------------------------------------------------------------


def test_a_clear_difference_is_shown_and_said() -> None:
    found = compare_table(rows(), metric="wait_mean_s")
    easy = found["wait_mean_s"]["easy"]
    assert (easy.verdict, easy.blocks_needed) == ("better", None)
    assert easy.paired is not None
    assert easy.paired.difference.estimate == pytest.approx(np.mean(NOISE[1] - NOISE[0]) - 7200)
    assert "easy shortens the mean wait compared with fcfs by 2.0" in only(found)
    assert "in all 20 runs" in only(found)
    assert "Averaged over 20 logs; it may not hold for others." in only(found)


def test_noise_is_no_difference() -> None:
    found = compare_table(rows(), metric="wait_mean_s")
    other = found["wait_mean_s"]["other"]
    assert other.verdict == "open"
    assert "20 runs show no difference in the mean wait of other compared with fcfs" in only(found)
    assert f"About {other.blocks_needed} runs would be needed" in only(found)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_fewer_than_five_runs_have_points_and_no_intervals(n: int) -> None:
    """Not in the contrast, the estimates, the table, the text, nor in JSON."""
    found = compare_table({k: v for k, v in rows(n).items() if k != "other"}, metric="wait_mean_s")
    easy = found["wait_mean_s"]["easy"]
    assert easy.paired is not None
    assert (easy.verdict, easy.blocks_needed, easy.wilcoxon) == ("few", 6, None)
    assert not any(each.known for each in (easy.paired.difference, easy.paired.bootstrap, easy.paired.relative))
    assert not any(each.known for each in found["wait_mean_s"].estimates.values())
    frame = found.table()
    assert frame["estimate"].null_count() == 0
    ends = ("low", "high", "difference_low", "difference_high", "bca_low", "bca_high", "relative_low", "p_holm")
    assert all(frame[name].null_count() == 2 for name in ends)
    assert f"With {n} runs there are no intervals" in only(found)
    assert "At least 6 runs are needed to judge" in only(found)
    assert "NaN" not in json.dumps(found.to_dict())


def test_the_rank_test_needs_six_runs_however_clear_the_difference() -> None:
    """2 / 2^5 = 0.0625: five runs on one side are not enough for 5 %."""
    two = {name: of for name, of in rows(5).items() if name != "other"}
    easy = compare_table(two)["value"]["easy"]
    assert (easy.verdict, easy.blocks_needed, easy.p_holm) == ("few", 6, 0.0625)
    assert compare_table({n: of for n, of in rows(6).items() if n != "other"})["value"]["easy"].verdict == "lower"


def test_a_single_run_concludes_nothing() -> None:
    found = compare_table(rows(1), metric="wait_mean_s")
    assert [contrast.verdict for contrast in found["wait_mean_s"].contrasts] == ["single", "single"]
    assert "the differences hold for these runs and have no intervals" in only(found)
    assert found.table()["estimate"].to_list()[0] == pytest.approx(rows(1)["fcfs"]["w0", 1])


def test_copies_under_other_seeds_count_once() -> None:
    copied: dict[str, dict[Hashable, float]] = {
        name: {("kth", seed): value["w0", 1] for seed in range(50)} for name, value in rows().items()
    }
    found = compare_table(copied)
    assert len(found["value"].table.values) == 1
    assert "The seeds change nothing in kth: it counts as one run." in only(found)
    assert "One run per configuration" in only(found)


def test_only_common_blocks_are_compared() -> None:
    some = rows()
    del some["easy"]["w3", 1]
    some["other"]["w4", 1] = float("nan")
    found = compare_table(some)
    assert len(found["value"].table.values) == 18
    assert "2 of 20 runs are left out" in only(found)


def test_the_tests_are_scipys_and_holm_is_over_all_metrics() -> None:
    found = compare_tables({"a": rows(), "b": rows(effect=50.0)})
    differences = [NOISE[1] - NOISE[0] - 7200, NOISE[2] - NOISE[0], NOISE[1] - NOISE[0] - 50, NOISE[2] - NOISE[0]]
    p = [stats.wilcoxon(of).pvalue for of in differences]
    contrasts = [contrast for metric in ("a", "b") for contrast in found[metric].contrasts]
    assert [contrast.wilcoxon.p_value for contrast in contrasts if contrast.wilcoxon] == pytest.approx(p)
    assert contrasts[0].p_holm == pytest.approx(4 * min(p))
    friedman = stats.friedmanchisquare(*(list(of.values()) for of in rows().values()))
    ranks = found["a"].ranks
    assert ranks is not None
    assert ranks.p_value == pytest.approx(friedman.pvalue)


def test_more_utilisation_is_better() -> None:
    values: dict[str, dict[Hashable, float]] = {
        "a": {k: 0.5 + k / 100 for k in range(9)},
        "b": {k: 0.6 + k / 100 for k in range(9)},
    }
    values["c"] = {k: 0.4 + k / 90 for k in range(9)}
    ranks = compare_table(values, metric="utilisation")["utilisation"].ranks
    assert ranks is not None
    assert ranks.average == (2, 1, 3)
    assert "b raises the utilisation compared with a by 0.100" in only(compare_table(values, metric="utilisation"))


def test_many_pairs_are_counted_not_listed() -> None:
    shifts = stream(6, "test").normal(0, 1, (8, 12)) + 10.0 * np.arange(8)[:, None] // 40
    found = compare_table({f"c{k}": dict(enumerate(of)) for k, of in enumerate(shifts.tolist())})
    assert "of 28 pairs" in rank_words(found["value"])


def test_equal_configurations() -> None:
    some: dict[str, dict[Hashable, float]] = {
        "a": {k: float(k) for k in range(8)},
        "b": {k: float(k) for k in range(8)},
    }
    found = compare_table(some)
    assert found["value"]["b"].verdict == "equal"
    assert "have the same value in every run" in only(found)


def test_the_baseline_can_be_chosen() -> None:
    found = compare_table(rows(), baseline="easy")
    assert found["value"].table.names == ("easy", "fcfs", "other")
    assert found["value"]["fcfs"].verdict == "higher"


def test_a_few_blocks_that_carry_the_mean_are_named() -> None:
    """Higher in 29 blocks by a little, lower in one by much."""
    a: dict[Hashable, float] = {k: 100.0 + (1 if k else -900) + k / 100 for k in range(30)}
    found = compare_table({"b": dict[Hashable, float](dict.fromkeys(range(30), 100.0)), "a": a})
    assert found["value"]["a"].verdict == "open"
    assert "above in 29 of 30, more than by chance" in only(found)


def test_more_than_double_is_said_in_times() -> None:
    base: dict[Hashable, float] = {k: 10.0 + k for k in range(9)}
    found = compare_table({"a": base, "b": {k: 4 * value for k, value in base.items()}}, metric="wait_mean_s")
    assert "b lengthens the mean wait compared with a by 42.0 s" in only(found)
    assert "4.00 times as much (4.00 to 4.00), in all 9 runs" in only(found)


def test_dictionary_table_and_text() -> None:
    found = compare_table(rows(), metric="wait_mean_s")
    assert json.loads(json.dumps(found.to_dict()))["words"] == found.words()
    frame = found.table()
    assert frame["configuration"].to_list() == ["fcfs", "easy", "other"]
    assert frame["verdict"].to_list() == ["baseline", "better", "open"]
    assert set(frame["verdict"]) - {"baseline"} <= set(VERDICTS)
    answer, table = str(found).split("\n\n")
    assert answer.startswith("- easy shortens")
    assert table.startswith("wait, mean [s], 20 runs, 95 % intervals\n")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"a": {1: 1.0}}, "needs at least two"),
        ({"a": {1: 1.0}, "b": {2: 1.0}}, "no block has a value"),
    ],
)
def test_wrong_tables(wrong: dict[str, dict[object, float]], sentence: str) -> None:
    with pytest.raises(tt.InputError, match=sentence):
        compare_table(wrong)


def test_wrong_options() -> None:
    with pytest.raises(tt.InputError, match="did you mean 'easy'"):
        compare_table(rows(), baseline="esy")
    with pytest.raises(tt.InputError, match="between 0 and 1"):
        compare_table(rows(), level=95)
    with pytest.raises(tt.InputError, match="metric is empty"):
        compare_tables({})
    with pytest.raises(tt.InputError, match="was not compared"):
        compare_table(rows())["wait_mean_s"]
    with pytest.raises(tt.InputError, match="unknown configuration"):
        compare_table(rows())["value"]["fcsf"]


# --- runs of one log ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["auto", "week", "day", "batch"])
def test_the_estimate_is_the_summarys_own(by: By) -> None:
    _, results = runs()
    found = tt.compare(results, metric=["wait_mean_s", "bounded_slowdown_mean"], by=by)
    for metric in ("wait_mean_s", "bounded_slowdown_mean"):
        table = found[metric].table
        summaries = [run.summary()[metric] for run in results]
        assert [table.estimate(k) for k in range(3)] == pytest.approx(summaries)
        assert found[metric][table.names[1]].difference == pytest.approx(summaries[1] - summaries[0])


def test_names_come_from_what_differs() -> None:
    workload, results = runs()
    assert tt.compare(results)["bounded_slowdown_mean"].table.names == ("easy", "easy:order=sjf", "fcfs")
    fast = tt.simulate(workload, tt.Machine(processors=128, speed=2.0), tt.Easy())
    names = tt.compare([results[0], fast])["bounded_slowdown_mean"].table.names
    assert names == ("machine:processors=128", "machine:processors=128,speed=2")
    assert tt.compare([results[0]] * 2)["bounded_slowdown_mean"].table.names == ("run 1", "run 2")
    assert tt.compare(results, names=["a", "b", "c"])["bounded_slowdown_mean"].table.names == ("a", "b", "c")


def test_a_run_against_itself_is_equal() -> None:
    _, results = runs()
    found = tt.compare([results[0], results[0]], metric=["wait_mean_s", "utilisation"])
    assert [each.contrasts[0].verdict for each in found.metrics.values()] == ["equal", "equal"]


def test_weeks_and_batches() -> None:
    _, results = runs()
    weeks, batches = (tt.compare(results, by=by)["bounded_slowdown_mean"].table for by in ("week", "batch"))
    assert (weeks.kind, len(weeks.values) * weeks.each) == ("week", 12)
    assert (batches.kind, len(batches.values) * batches.each) == ("batch", 20)
    assert batches.weights.max() - batches.weights.min() <= 40  # equally many, but for jobs of one instant
    assert tt.compare(runs(3)[1])["bounded_slowdown_mean"].table.kind == "batch"


def test_users_weigh_the_same() -> None:
    _, results = runs()
    found = tt.compare(results, metric="wait_mean_s", by="user")
    table = found["wait_mean_s"].table
    assert [table.estimate(k) for k in range(3)] == pytest.approx(
        [run.summary()["user_wait_mean_s"] for run in results]
    )
    assert "share one machine" in only(found)


def test_time_metrics_are_over_the_submissions() -> None:
    _, results = runs()
    metrics = ["utilisation", "queued_jobs_mean", "loss_of_capacity", "loss_of_capacity_bounded"]
    found = tt.compare(results[:2], metric=metrics)
    submit = results[0].columns["submit_s"]
    for metric in metrics:
        summary = results[0].summary(window=(submit[0], submit[-1]))
        assert found[metric].table.estimate(0) == pytest.approx(summary[metric])


def test_a_blocks_quantile_is_that_of_its_jobs() -> None:
    _, results = runs()
    table = tables(results, ["wait_p95_s"], None, "week", 0.0, 0.0)[0]
    submit = results[0].columns["submit_s"]
    waits = (results[0].columns["start_s"] - submit)[submit - submit[0] < 7 * 86400]
    assert table.values[0, 0] == pytest.approx(np.quantile(waits, 0.95))
    assert "95th percentile of the wait" in only(tt.compare(results, metric="wait_p95_s"))


def test_alike_neighbours_conclude_nothing() -> None:
    """FCFS on a machine that is too small: the waits grow through the log, and every week is like the last."""
    workload, _ = runs()
    machine = tt.Machine(processors=96)
    results = [tt.simulate(workload, machine, each, oversized="clip") for each in (tt.FCFS(), tt.Easy())]
    found = tt.compare(results, metric="wait_mean_s", by="day")
    assert found["wait_mean_s"]["easy"].verdict == "correlated"
    assert "this may not hold at other times" in only(found)


def test_alike_neighbours_are_joined_where_it_helps() -> None:
    """Pairs of weeks with the same difference: joined in twos they are independent. Weights add up."""
    difference = np.repeat(stream(5, "test").normal(size=30), 2)
    values = np.stack([np.full(60, 10.0), 10 + difference], axis=1)
    weights = np.tile([1.0, 3.0], 30)
    weeks = Table("wait_mean_s", ("a", "b"), tuple(range(60)), values, weights, "week", ordered=True, workloads=("w",))
    joined = _join_dependent_blocks(weeks)
    assert (joined.each, len(joined.values)) == (2, 30)
    assert joined.weights.tolist() == [4.0] * 30
    assert joined.estimate(1) == pytest.approx(weeks.estimate(1))
    assert (
        _join_dependent_blocks(replace(weeks, values=values[::2], weights=weights[::2], blocks=tuple(range(30)))).each
        == 1
    )


def test_an_odd_block_joins_the_last() -> None:
    values = np.array([[1.0, 1], [2, 2], [3, 3], [4, 4], [8, 8]])
    table = Table("x", ("a", "b"), tuple(range(5)), values, np.ones(5), "week", ordered=True)
    assert table.joined().values[:, 0].tolist() == [1.5, 5.0]
    assert table.joined().weights.tolist() == [2, 3]


def test_cuts_and_jobs_that_did_not_end() -> None:
    workload, results = runs()
    found = tt.compare(results, warmup_s=7 * 86400.0)
    assert "jobs are not counted" in only(found)
    small = tt.simulate(workload, tt.Machine(processors=64), tt.Easy())
    rejected = np.count_nonzero(small.columns["status"] == 2)
    assert f"{rejected} of {len(workload)} jobs are not counted" in only(tt.compare([results[0], small]))


def test_the_same_seed_gives_the_same_comparison() -> None:
    _, results = runs()
    assert tt.compare(results, seed=3).to_dict() == tt.compare(results, seed=3).to_dict()


def test_wrong_runs() -> None:
    workload, results = runs()
    other = tt.simulate(workload.select(np.arange(100)), tt.Machine(processors=128), tt.Easy())
    for wrong, sentence in (
        ({"results": results[:1]}, "needs two or more"),
        ({"results": [results[0], other]}, "different jobs"),
        ({"results": results, "metric": "wait_mean"}, "did you mean 'wait_mean_s'"),
        ({"results": results, "metric": "makespan_s"}, "thinktime study"),
        ({"results": results, "metric": "utilisation", "by": "user"}, "no value by user"),
        ({"results": results, "by": "month"}, "by is 'month'"),
        ({"results": results, "names": ["a", "a", "b"]}, "different names"),
        ({"results": results, "warmup_s": 1e12}, "smaller cuts"),
    ):
        with pytest.raises(tt.InputError, match=sentence):
            tt.compare(**wrong)  # type: ignore[arg-type]


def test_numbers_in_words() -> None:
    assert [three_digits(x) for x in (0, 0.01234, 1.234, 12.34, 123.4, 12345.6, -2.5)] == [
        *("0", "0.0123", "1.23", "12.3", "123", "12,346", "-2.50")
    ]


def test_mappings_name_the_runs() -> None:
    log = tt.default_workload(weeks=3)
    runs = {"a": tt.simulate(log, 128), "b": tt.simulate(log, 128, "fcfs")}
    found = tt.compare(runs)
    assert str(found) == str(tt.compare(list(runs.values()), names=["a", "b"]))
    assert found["bounded_slowdown_mean"].table.names == ("a", "b")


def test_a_comparison_can_be_looked_at() -> None:
    log = tt.default_workload(weeks=3)
    found = tt.compare([tt.simulate(log, 128), tt.simulate(log, 128, "fcfs")], metric=["wait_mean_s", "utilisation"])
    assert repr(found).startswith("<Comparison with easy by wait_mean_s: fcfs ")
    assert repr(found["utilisation"]).startswith("<MetricComparison by utilisation with easy: fcfs")
    assert found._repr_html_().count("<table>") == 2
    assert found.plot().axes[0].get_title(loc="left") or found.plot().axes[0].get_title()
    assert found.plot("utilisation").axes
    with pytest.raises(tt.InputError, match="was not compared"):
        found.plot("users")
