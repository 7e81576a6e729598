"""New logs from old ones: users are taken apart and put together again, week by week. Zakay and Feitelson 2014."""

from thinktime.callable_module import make_callable
from thinktime.resample.classes import CLASSES, user_classes
from thinktime.resample.pools import EDGE_WEEKS, KINDS, Pools, user_pools
from thinktime.resample.rare import Flurry, RareBehaviour, archive_filter, flurries, rare_behaviour
from thinktime.resample.resampled import REPLICA_COLUMNS, Resampled
from thinktime.resample.resampler import Resampler, pieces, resample, resample_stream
from thinktime.resample.shake import AMPLITUDES_S
from thinktime.resample.table import POOL_COLUMNS, pool_table
from thinktime.resample.weeks import WEEK_S, origin_s
from thinktime.resample.write import write_resample

__all__ = [
    "AMPLITUDES_S",
    "CLASSES",
    "EDGE_WEEKS",
    "KINDS",
    "POOL_COLUMNS",
    "REPLICA_COLUMNS",
    "WEEK_S",
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

make_callable(__name__, resample)
