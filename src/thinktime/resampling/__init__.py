"""Resample a log by user: draw its users again, week by week, into a new log. Zakay and Feitelson 2014."""

from thinktime.resampling.perturb import AMPLITUDES_S
from thinktime.resampling.pools import EDGE_WEEKS, KINDS, POOL_COLUMNS, Pools, pool_table, user_pools
from thinktime.resampling.rare_behaviours import Flurry, RareBehaviour, archive_filter, flurries, rare_behaviour
from thinktime.resampling.resample import resample, resample_stream
from thinktime.resampling.resampled import REPLICA_COLUMNS, Resampled
from thinktime.resampling.resampler import Resampler, pieces
from thinktime.resampling.user_classes import CLASSES, user_classes
from thinktime.resampling.weeks import origin_s
from thinktime.resampling.write import write_resample

__all__ = [
    "AMPLITUDES_S",
    "CLASSES",
    "EDGE_WEEKS",
    "KINDS",
    "POOL_COLUMNS",
    "REPLICA_COLUMNS",
    "Flurry",
    "Pools",
    "RareBehaviour",
    "Resampled",
    "Resampler",
    "archive_filter",
    "flurries",
    "origin_s",
    "pieces",
    "pool_table",
    "rare_behaviour",
    "resample",
    "resample_stream",
    "user_classes",
    "user_pools",
    "write_resample",
]
