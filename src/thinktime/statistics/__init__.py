"""Statistics: pure functions on arrays, one method per file, each with its source."""

from thinktime.statistics.batch_means import BatchMeans, Independence, batch_means, independence
from thinktime.statistics.bootstrap import acceleration, bootstrap, drawn_interval, share_below
from thinktime.statistics.bounds import UNBOUNDED, Bounds
from thinktime.statistics.interval import Interval, t_interval
from thinktime.statistics.paired import Paired, paired, weighted_differences
from thinktime.statistics.ranks import Ranks, Test, average_ranks, friedman, holm, nemenyi, sign_test, wilcoxon
from thinktime.statistics.required_runs import runs_for_half_width, runs_for_relative_half_width, runs_to_detect
from thinktime.statistics.warmup import Cut, fixed_cut, mser5

__all__ = [
    "UNBOUNDED",
    "BatchMeans",
    "Bounds",
    "Cut",
    "Independence",
    "Interval",
    "Paired",
    "Ranks",
    "Test",
    "acceleration",
    "average_ranks",
    "batch_means",
    "bootstrap",
    "drawn_interval",
    "fixed_cut",
    "friedman",
    "holm",
    "independence",
    "mser5",
    "nemenyi",
    "paired",
    "runs_for_half_width",
    "runs_for_relative_half_width",
    "runs_to_detect",
    "share_below",
    "sign_test",
    "t_interval",
    "weighted_differences",
    "wilcoxon",
]
