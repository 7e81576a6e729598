"""Estimates for whatever maximum, number of jobs and known shares: valid, complete, never too short."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import examples
from thinktime.generate.estimate_model import EstimateBins, EstimateModel, weights_of
from thinktime.support.random_streams import stream


@examples(150)
@given(
    maximum_s=st.integers(3600, 2_000_000),
    jobs=st.integers(1, 1_000_000),
    shares=st.dictionaries(st.integers(1, 3600), st.floats(0, 0.05), max_size=19),
    top=st.none() | st.floats(0, 0.05),
    seed=st.integers(0, 1000),
)
def test_bins_are_a_distribution(maximum_s: int, jobs: int, shares, top, seed: int) -> None:
    popular = {**shares, **({} if top is None else {maximum_s: top})}
    found = EstimateBins.drawn(jobs, maximum_s, popular, stream(seed, "test"))
    assert np.all(np.diff(found.time_s) > 0)
    assert found.time_s[0] > 0
    assert found.time_s[-1] == maximum_s
    assert np.all(found.share >= 0)
    assert abs(found.share.sum() - 1) < 1e-9
    assert set(popular) <= set(found.time_s.astype(int))
    run_s = np.where(stream(seed, "run").random(200) < 0.5, 0.0, 1.0)  # no estimate is too short
    drawn = EstimateModel(found, weights_of(found, run_s)).draw(run_s, stream(seed, "draw").random(200))
    assert np.all(np.isin(drawn, found.time_s[found.share > 0]))
