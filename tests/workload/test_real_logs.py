"""Real logs hold the dirt that was counted in them independently, and give the published numbers."""

from __future__ import annotations

import numpy as np
import pytest

from tests.shared_data import log
from tests.traces.lines import lines_accounted_for
from thinktime.traces import read_log
from thinktime.workload import read_swf

#: jobs, run = −1, run = 0, allocated ≤ 0, estimate ≤ 0, run > estimate, by more than 60 s
DIRT = {
    "KTH-SP2-1996-2.1-cln": (28476, 0, 8, 1, 0, 475, 64),
    "CTC-SP2-1996-3.1-cln": (77222, 0, 17, 0, 6, 7174, 1380),
    "HPC2N-2002-2.2-cln": (202871, 0, 0, 0, 0, 14817, 6170),
    "CEA-Curie-2011-2.1-cln": (312826, 0, 17286, 10912, 3, 5416, 3269),
}


@pytest.mark.parametrize("name", DIRT)
def test_dirt_is_found_as_counted(name: str) -> None:
    fields = read_log(log(name)).fields
    run, allocated, asked = fields[3], fields[4], fields[8]
    over = (asked > 0) & (run > asked)
    found = (
        *(len(run), np.sum(run == -1), np.sum(run == 0), np.sum(allocated <= 0), np.sum(asked <= 0)),
        *(np.sum(over), np.sum(over & (run > asked + 60))),
    )
    assert found == DIRT[name]


#: both fields known and different
UNEQUAL = {"KTH-SP2-1996-2.1-cln": 219, "HPC2N-2002-2.2-cln": 729, "CEA-Curie-2011-2.1-cln": 20020}


@pytest.mark.parametrize("name", UNEQUAL)
def test_requested_is_not_always_allocated(name: str) -> None:
    fields = read_log(log(name)).fields
    allocated, requested = fields[4], fields[7]
    known = (requested > 0) & (allocated > 0)
    assert np.sum(known & (requested != allocated)) == UNEQUAL[name]


def test_other_dirt() -> None:
    ctc, hpc2n = read_log(log("CTC-SP2-1996-3.1-cln")).fields, read_log(log("HPC2N-2002-2.2-cln")).fields
    curie = read_log(log("CEA-Curie-2011-2.1-cln")).fields
    assert np.all(ctc[7] == -1)
    assert (np.sum(hpc2n[5] > hpc2n[3]), np.sum(hpc2n[10] == -1)) == (25811, 878)
    assert (np.sum(curie[7] == -1), np.sum(curie[10] == 5)) == (84604, 17486)


#: lines, kept by base, users, machine, MaxJobs claimed where it is wrong
BASE = {
    "KTH-SP2-1996-2.1-cln": (28500, 28475, 214, 100, 28490),
    "CTC-SP2-1996-3.1-cln": (77251, 77222, 679, 338, 79302),
    "HPC2N-2002-2.2-cln": (202902, 202871, 257, 240, 527371),
    "CEA-Curie-2011-2.1-cln": (312900, 301914, 581, 93312, 773138),
    "UniLu-Gaia-2014-1": (52030, 51860, 84, 2004, None),
    "NASA-iPSC-1993-3": (42292, 42264, 69, 128, None),
}


@pytest.mark.parametrize("name", BASE)
def test_base_filter(name: str) -> None:
    lines, kept, users, machine, claimed = BASE[name]
    workload = read_swf(log(name))
    account = workload.account
    assert (account["lines"], account["kept"], account["users"]) == (lines, kept, users)
    assert account["machine_processors"] == machine
    assert (account["max_jobs_mismatch"] or {}).get("MaxJobs") == claimed
    assert lines_accounted_for(account) == lines
    assert np.all(np.diff(workload["submit_s"]) >= 0)
