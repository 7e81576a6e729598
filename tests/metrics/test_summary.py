"""The summary of the hand-worked schedule, its windows, and workloads with nothing to count."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from tests.metrics.schedule import PROCESSORS, columns, empty, timeline
from tests.shared_data import log, oracle
from thinktime.errors import InputError
from thinktime.metrics import CATALOGUE, Summary, summarize


def summary(**options: object) -> Summary:
    return summarize(columns(), timeline(), PROCESSORS, **options)  # type: ignore[arg-type]


HAND_WORKED = {
    "jobs": 6,
    "jobs_counted": 5,
    "completed": 4,
    "killed": 1,
    "rejected": 1,
    "unfinished": 0,
    "wait_mean_s": 44,  # (0 + 90 + 130 + 0 + 0) / 5
    "wait_median_s": 0,
    "wait_p95_s": 122,  # position 0.95·4 = 3.8 of 0 0 0 90 130: 90 + 0.8·40
    "wait_max_s": 130,
    "wait_std_s": math.sqrt((3 * 44**2 + 46**2 + 86**2) / 5),
    "response_mean_s": 79,  # (100 + 140 + 135 + 0 + 20) / 5
    "slowdown_mean": 6.56,  # (1 + 2.8 + 27 + 1 + 1) / 5
    "slowdown_median": 1,
    "bounded_slowdown_mean": 3.86,  # (1 + 2.8 + 13.5 + 1 + 1) / 5
    "bounded_slowdown_median": 1,
    "bounded_slowdown_p95": 11.36,  # 2.8 + 0.8·10.7
    "bounded_slowdown_max": 13.5,
    "per_processor_bounded_slowdown_mean": 3.5,  # (1 + 1 + 13.5 + 1 + 1) / 5
    "utilisation": 445 / 760,
    "offered_load": 445 / 680,
    "throughput_per_hour": 5 / 190 * 3600,
    "throughput_per_day": 5 / 190 * 86400,
    "makespan_s": 190,
    "makespan_days": 190 / 86400,
    "queued_jobs_mean": 220 / 190,
    "queued_jobs_max": 2,
    "queued_processors_mean": (4 * 10 + 5 * 80 + 1 * 50) / 190,
    "queued_processors_max": 5,
    "event_queued_jobs_mean": 0.6,
    "event_queued_jobs_max": 2,
    "event_queued_processors_mean": 1.5,
    "event_queued_processors_max": 5,
    "loss_of_capacity": 180 / 760,
    "loss_of_capacity_bounded": 180 / 760,
    "users": 3,
    "user_wait_mean_s": (45 + 65 + 0) / 3,
    "user_bounded_slowdown_mean": (1.9 + 7.25 + 1) / 3,
    "wait_jain": 110**2 / (3 * (45**2 + 65**2)),  # users wait 45, 65 and 0 s on average
    "bounded_slowdown_jain": (1.9 + 7.25 + 1) ** 2 / (3 * (1.9**2 + 7.25**2 + 1)),
    "worst_tenth_wait_mean_s": 65,
    "worst_tenth_bounded_slowdown_mean": 7.25,
    "lateness_mean_s": 0,  # rigid users
    "relative_lateness": 1,
    "additional_lateness_s": 0,
}


def test_every_metric_of_the_hand_worked_schedule() -> None:
    values = {name: value for name, value, _ in summary()}
    assert list(values) == list(CATALOGUE.every_run()) == list(HAND_WORKED)
    assert values == pytest.approx(HAND_WORKED, rel=1e-14)


def test_a_window_selects_jobs_by_submission_use_by_overlap_and_ends_by_time() -> None:
    cut = summary(warmup_s=100, cooldown_s=20)
    assert cut.settings["window_s"] == (100, 170)
    assert cut.settings["warmup_s"] == 100
    assert (cut["jobs_counted"], cut["completed"], cut["killed"]) == (2, 1, 1)  # jobs 5 and 6
    assert cut.excluded == {"submitted before the window": 4}
    assert cut["utilisation"] == pytest.approx((4 * 50 + 5) / (4 * 70))
    assert cut["throughput_per_hour"] == pytest.approx(4 / 70 * 3600)  # ends at 100, 150, 155, 160
    assert cut["makespan_s"] == 190 - 160
    assert cut["queued_jobs_mean"] == pytest.approx(50 / 70)


def test_a_given_window_is_the_same_as_the_cuts() -> None:
    given, cut = summary(window=(100, 170)), summary(warmup_s=100, cooldown_s=20)
    assert dict(given.values) == dict(cut.values)
    half = summary(window=(100, None), cooldown_s=20)
    assert dict(half.values) == dict(cut.values)


def test_jobs_after_the_window_are_counted_as_such() -> None:
    early = summary(window=(0, 15))
    assert early.excluded == {"submitted after the window": 4}
    assert early["jobs_counted"] == 2


def test_excluded_states_leave_the_means_and_are_accounted() -> None:
    without = summary(exclude=("rejected", "killed"))
    assert without["jobs_counted"] == 4
    assert without.excluded == {"killed": 1, "rejected": 1}
    assert without["wait_mean_s"] == 55


def test_unfinished_jobs_are_never_in_the_means() -> None:
    of = columns()
    of["status"][5], of["end_s"][5] = 3, np.nan
    stopped = summarize(of, timeline(), PROCESSORS, exclude=())
    assert (stopped["jobs_counted"], stopped["unfinished"]) == (4, 1)
    assert stopped.excluded == {"rejected": 1, "unfinished": 1}
    assert stopped.settings["window_s"] == (0, 160)


def test_quantiles_can_be_left_out() -> None:
    short = summary(quantiles=False)
    assert short["wait_p95_s"] is None
    assert short["wait_mean_s"] == 44
    assert "quantiles were not asked for" in str(short)


def test_the_text_states_window_cuts_tau_and_exclusions() -> None:
    text = str(summary(warmup_s=5))
    assert text.startswith("window 5 s to 190 s, warm-up cut 5 s, cool-down cut 0 s; tau 10 s\n")
    assert "not counted: 1 submitted before the window, 1 rejected; excluded by status: rejected" in text
    assert "bounded slowdown, maximum" in text
    assert all(len(line) < 100 for line in text.splitlines())


def test_rows_have_name_value_and_unit() -> None:
    assert ("wait_mean_s", 44.0, "s") in list(summary())


def test_an_unknown_metric_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"unknown metric 'wait_meen_s' .did you mean 'wait_mean_s'"):
        summary()["wait_meen_s"]


def test_json_has_the_settings_and_no_nan() -> None:
    data = json.loads(json.dumps(summary().to_dict(), allow_nan=False))
    assert data["settings"] == {
        "window_s": [0, 190], "warmup_s": 0, "cooldown_s": 0, "tau_s": 10, "exclude": ["rejected"],
    }  # fmt: skip
    assert data["excluded"] == {"rejected": 1}
    assert data["wait_mean_s"] == 44


def test_an_empty_workload_has_a_summary() -> None:
    nothing = summarize(empty(columns()), empty(timeline()), PROCESSORS, warmup_s=10)
    assert (nothing["jobs"], nothing["jobs_counted"]) == (0, 0)
    assert math.isnan(nothing["wait_mean_s"] or 0)
    assert "wait, mean" in str(nothing)
    assert "no job is counted" in str(nothing)
    assert json.loads(json.dumps(nothing.to_dict(), allow_nan=False))["wait_mean_s"] is None


def test_a_workload_of_rejected_jobs_has_a_summary() -> None:
    of = {name: values[3:4] for name, values in columns().items()}
    rejected = summarize(of, empty(timeline()), PROCESSORS)
    assert (rejected["rejected"], rejected["jobs_counted"]) == (1, 0)
    assert rejected.notes["wait_mean_s"] == "no job is counted"
    assert rejected.notes["utilisation"] == "the window has no length"


def test_a_window_without_length_has_a_summary() -> None:
    of = {name: values[4:5] for name, values in columns().items()}
    instant = summarize(of, empty(timeline()), PROCESSORS)
    assert (instant["jobs_counted"], instant["wait_mean_s"], instant["makespan_s"]) == (1, 0, 0)
    assert math.isnan(instant["utilisation"] or 0)
    assert instant.notes["offered_load"] == "all counted jobs were submitted at once"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"window": (5, 1)}, "ends before it begins"),
        ({"window": (500, None)}, "before it begins at 500 s"),
        ({"window": (math.nan, 5)}, "the window holds nan"),
        ({"warmup_s": -1}, "warmup_s must be at least 0 seconds"),
        ({"cooldown_s": math.inf}, "cooldown_s must be at least 0 seconds"),
        ({"warmup_s": 100, "cooldown_s": 100}, "leave nothing of the window from 0 s to 190 s"),
        ({"tau_s": 0}, "tau_s must be above 0 seconds"),
        ({"exclude": ("rejectd",)}, "did you mean 'rejected'"),
    ],
)
def test_a_wrong_window_is_one_message(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as error:
        summary(**options)
    assert "\n" not in str(error.value)


def test_means_of_a_real_schedule_are_those_measured_elsewhere() -> None:
    """EASY on the KTH log by the reference: mean wait 6804.974 s, mean bounded slowdown 90.7559."""
    schedule = np.loadtxt(oracle("reference/KTHn-batch-easy.csv.gz"), delimiter=",", skiprows=1)
    lines = np.loadtxt(log("KTH-SP2-1996-2.1-cln"), comments=";")
    size = dict(zip(lines[:, 0], np.where(lines[:, 7] > 0, lines[:, 7], lines[:, 4]), strict=True))
    job, submit, start, end = schedule.T
    of = {"submit_s": submit, "recorded_submit_s": submit, "start_s": start, "end_s": end, "run_s": end - start}
    of |= {
        "processors": np.array([size[j] for j in job]),
        "user": np.ones(len(job)),
        "status": np.zeros(len(job)),
    }
    result = summarize(of, empty(timeline()), 100)
    assert result["jobs_counted"] == 28467
    assert result["wait_mean_s"] == pytest.approx(6804.974, abs=5e-4)
    assert result["bounded_slowdown_mean"] == pytest.approx(90.7559, abs=5e-5)
