"""`resample` and `resample_stream`: a new workload from the users of a log, at once or in blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from thinktime.resampling.builder import Block
from thinktime.resampling.pools import LONG_TERM_WEEKS
from thinktime.resampling.rare_behaviours import RareBehaviour
from thinktime.resampling.resampled import Resampled
from thinktime.resampling.resampler import Log, Resampler


def resample(
    log: Log | Sequence[Log],
    *,
    seed: int = 0,
    weeks: int | None = None,
    load: float | Sequence[float] = 1.0,
    long_term_weeks: float = LONG_TERM_WEEKS,
    edge_weeks: float | str = "text",
    start: str = "log",
    initial_long_term: float | None = None,
    initial_temporary: float | None = None,
    temporaries_per_week: float | None = None,
    rare: Sequence[RareBehaviour | str] = (),
    rare_per_week: float = 0.0,
    bias: Mapping[int, float] | str | None = None,
    locality: float = 0.0,
    shake: str | None = None,
    amplitude_s: float | None = None,
    piece: tuple[int, int] | None = None,
    keep_ids: bool = False,
) -> Resampled:
    """Make a new workload from the users of a log, or of several logs.

    Parameters
    ----------
    log
        A workload, the name or path of a log, or a list of these. Several logs are mixed.
    seed
        Random seed. The same seed gives the same jobs.
    weeks
        Length of the result; by default that of the longest log.
    load
        Multiply the number of users by this factor; one number, or one per log.
    long_term_weeks
        Users who are active for longer are long-term: every one appears, and starts again when through.
    edge_weeks
        Discard temporary users whose whole activity lies within this distance of the begin or end of the log: a number
        of weeks, `"text"` (4, as in the paper's text) or `"table_v"` (as in its Table V).
    start
        Start week of long-term users: a random week of the `"log"`, or of their `"activity"`.
    initial_long_term, initial_temporary, temporaries_per_week
        Numbers of users in week 0, and arrivals per week; by default as in the log.
    rare, rare_per_week
        Rare behaviours of the first log, as `RareBehaviour`, `"USER:BEGIN:END"` or an archive filter, and how many
        start per week on average. See `flurries`.
    bias
        Draw some users more often: a mapping from user number to weight, or a text such as `"work:large=2"`.
    locality
        Reorder the jobs of each user: from -1 (random order) to 1 (similar jobs together); 0 keeps the order.
    shake, amplitude_s
        Displace `"jobs"`, `"sessions"` or `"users"` at random by at most `amplitude_s` seconds.
    piece
        Use only the weeks [first, end) of the log, for example (0, 26).
    keep_ids
        Keep the user numbers of the log. Replicas of a user then share a number.

    Returns
    -------
    Resampled
        A workload with the table `replicas`: the origin of each user.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.resample(tt.default_workload(weeks=30), weeks=4, load=1.2, seed=1).account["weeks"]
    4
    """
    resampler = Resampler(
        log,
        weeks=weeks,
        load=load,
        long_term_weeks=long_term_weeks,
        edge_weeks=edge_weeks,
        start=start,
        initial_long_term=initial_long_term,
        initial_temporary=initial_temporary,
        temporaries_per_week=temporaries_per_week,
        rare=rare,
        rare_per_week=rare_per_week,
        bias=bias,
        locality=locality,
        shake=shake,
        amplitude_s=amplitude_s,
        piece=piece,
        keep_ids=keep_ids,
    )
    return resampler.workload(seed)


def resample_stream(
    log: Log | Sequence[Log],
    *,
    seed: int = 0,
    block_weeks: int | None = None,
    weeks: int | None = None,
    load: float | Sequence[float] = 1.0,
    long_term_weeks: float = LONG_TERM_WEEKS,
    edge_weeks: float | str = "text",
    start: str = "log",
    initial_long_term: float | None = None,
    initial_temporary: float | None = None,
    temporaries_per_week: float | None = None,
    rare: Sequence[RareBehaviour | str] = (),
    rare_per_week: float = 0.0,
    bias: Mapping[int, float] | str | None = None,
    locality: float = 0.0,
    shake: str | None = None,
    amplitude_s: float | None = None,
    piece: tuple[int, int] | None = None,
    keep_ids: bool = False,
) -> Iterator[Block]:
    """Yield the jobs of `resample` in blocks, in constant memory, for logs of any length.

    Parameters
    ----------
    block_weeks
        Weeks per block; by default about 100,000 jobs per block.
    log, seed, weeks, load, long_term_weeks, edge_weeks, start, initial_long_term, initial_temporary, \
temporaries_per_week, rare, rare_per_week, bias, locality, shake, amplitude_s, piece, keep_ids
        As for `resample`.

    Yields
    ------
    dict[str, numpy.ndarray]
        The columns of a workload, for `simulate_stream`, in order of submission.

    Examples
    --------
    >>> import thinktime as tt
    >>> log = tt.default_workload(weeks=30)
    >>> blocks = tt.resample_stream(log, weeks=4, block_weeks=2)
    >>> sum(len(block["job"]) for block in blocks) == len(tt.resample(log, weeks=4))
    True
    """
    resampler = Resampler(
        log,
        weeks=weeks,
        load=load,
        long_term_weeks=long_term_weeks,
        edge_weeks=edge_weeks,
        start=start,
        initial_long_term=initial_long_term,
        initial_temporary=initial_temporary,
        temporaries_per_week=temporaries_per_week,
        rare=rare,
        rare_per_week=rare_per_week,
        bias=bias,
        locality=locality,
        shake=shake,
        amplitude_s=amplitude_s,
        piece=piece,
        keep_ids=keep_ids,
    )
    return resampler.blocks(seed, block_weeks)
