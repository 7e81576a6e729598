"""Numbers of Zakay and Feitelson 2014, as far as the logs at hand are the same versions."""

from __future__ import annotations

import numpy as np
import pytest

import thinktime as tt
from tests.shared_data import log as shared_log
from thinktime.resampling import Resampler, pool_table

#: log → long-term users and jobs; temporary users and jobs with 4 weeks at the edges, and as in Table V.
#: The paper had KTH-SP2-1996-2 and CEA-Curie-2011-2.1-cln; of CTC and HPC2N earlier versions, where it counts 236 users
#: with 10,625 jobs and 66 with 7,949.
TABLE_V = {
    "KTH-SP2-1996-2": ((102, 25_202), (84, 3_087), (66, 2_349)),
    "KTH-SP2-1996-2.1-cln": ((102, 25_192), (82, 3_039), (66, 2_347)),
    "CTC-SP2-1996-3.1-cln": ((314, 63_289), (320, 13_234), (236, 10_629)),
    "HPC2N-2002-2.2-cln": ((178, 194_475), (77, 8_345), (68, 7_950)),
    "CEA-Curie-2011-2.1-cln": ((269, 244_733), (262, 45_488), (223, 38_814)),
}


@pytest.mark.parametrize("name", TABLE_V)
def test_table_v(name: str) -> None:
    log = tt.read_swf(shared_log(name))
    long_term, at_four, as_printed = TABLE_V[name]
    for edge_weeks, temporary in (("text", at_four), (4, at_four), ("table_v", as_printed)):
        row = pool_table([log], edge_weeks=edge_weeks).row(0, named=True)
        assert (row["long_term_users"], row["long_term_jobs"]) == long_term
        assert (row["temporary_users"], row["temporary_jobs"]) == temporary
        assert sum(row[f"{kind}_jobs"] for kind in ("long_term", "temporary", "discarded")) == len(log)


#: log → edge weeks, jobs of a resample and their spread
COUNTS = {"KTH-SP2-1996-2.1-cln": (8, 27_900, 300), "CTC-SP2-1996-3.1-cln": (4, 78_000, 1_600)}


@pytest.mark.parametrize("name", COUNTS)
def test_job_counts_and_work(name: str) -> None:
    """The mean of 20 resamples within two published standard deviations; work as in the log within 3 %."""
    log = tt.read_swf(shared_log(name))
    edge_weeks, jobs, spread = COUNTS[name]
    resampler = Resampler(log, edge_weeks=edge_weeks)
    made = [resampler.workload(seed) for seed in range(20)]
    assert abs(np.mean([len(each) for each in made]) - jobs) < 2 * spread
    work = [float(each["run_s"] @ each["processors"]) / float(log["run_s"] @ log["processors"]) for each in made]
    assert 0.96 < np.mean(work) < 1.02


def test_a_log_of_five_times_the_length_is_like_the_source_in_every_part() -> None:
    log = tt.read_swf(shared_log("KTH-SP2-1996-2.1-cln"))
    resampler = Resampler(log, weeks=5 * 48)
    made = resampler.workload(1)
    part = np.floor(made["submit_s"] / (48 * 604800.0)).astype(int)
    counts = np.bincount(part, minlength=5)
    assert (np.abs(counts / 28_200 - 1) < 0.1).all()


def test_the_load_follows_the_factor() -> None:
    log = tt.read_swf(shared_log("KTH-SP2-1996-2.1-cln"))
    offered = {
        load: np.mean([Resampler(log, load=load).workload(seed).account["offered_load"] for seed in range(8)])
        for load in (0.8, 1.0, 1.2, 2.0)
    }
    for load in (0.8, 1.2, 2.0):
        assert offered[load] / offered[1.0] == pytest.approx(load, rel=0.08)
