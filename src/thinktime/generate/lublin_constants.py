"""The constants of the model of Lublin and Feitelson, as in their program m_lublin99.c.

U. Lublin and D. G. Feitelson, The workload on parallel supercomputers: modeling the characteristics of rigid jobs,
J. Parallel Distrib. Comput. 63(11), 2003. The sizes are those of a machine of 128 nodes.
"""

from __future__ import annotations

from dataclasses import dataclass

LOG2_MACHINE = 7.0  # log2 of the machine size of these constants
LONGEST_LOG_RUN = 12.0  # longer run times are drawn again: e^12 s, 1.9 days
LONGEST_LOG_GAP = 13.0  # longer inter-arrival times are drawn again: e^13 s, 5.1 days
CYCLE_BEGINS = 11  # number of the first slot of the cycle


@dataclass(frozen=True)
class Constants:
    """Constants of one kind of jobs."""

    serial: float  # share of serial jobs
    power2: float  # share of jobs that are parallel and rounded to a power of two
    low: float  # sizes are 2^u: u between low and medium in a share `small` of the cases, else between medium and high
    medium: float
    high: float
    small: float
    a1: float  # ln of the run time is gamma(a1, b1) with probability pa * size + pb, else gamma(a2, b2)
    b1: float
    a2: float
    b2: float
    pa: float
    pb: float
    a_gap: float  # ln of the inter-arrival time is gamma(a_gap * rush, b_gap)
    b_gap: float
    rush: float
    a_cycle: float  # slots get the probability of gamma(a_cycle, b_cycle) within half a slot of their number
    b_cycle: float
    queue: float  # SWF's field 15


BATCH = Constants(
    serial=0.2927,
    power2=0.6686,
    low=1.2,
    medium=5.0,
    high=7.0,
    small=0.875,
    a1=6.57,
    b1=0.823,
    a2=639.1,
    b2=0.0156,
    pa=-0.003,
    pb=0.6986,
    a_gap=6.0415,
    b_gap=0.8531,
    rush=1.0519,
    a_cycle=6.1271,
    b_cycle=5.2740,
    queue=1.0,
)
INTERACTIVE = Constants(
    serial=0.1541,
    power2=0.625,
    low=1.0,
    medium=3.0,
    high=5.5,
    small=0.705,
    a1=3.8351,
    b1=0.6605,
    a2=7.073,
    b2=0.6856,
    pa=-0.0118,
    pb=0.9156,
    a_gap=6.5510,
    b_gap=0.6621,
    rush=0.9797,
    a_cycle=8.9186,
    b_cycle=3.6680,
    queue=0.0,
)
TYPELESS = Constants(
    serial=0.244,
    power2=0.576,
    low=0.8,
    medium=4.5,
    high=7.0,
    small=0.86,
    a1=4.2,
    b1=0.94,
    a2=312.0,
    b2=0.03,
    pa=-0.0054,
    pb=0.78,
    a_gap=10.2303,
    b_gap=0.4871,
    rush=1.0225,
    a_cycle=8.1737,
    b_cycle=3.9631,
    queue=0.0,
)

#: `types` → kinds of jobs, each in its own stream; ties go in this order
KINDS = {
    "both": {"interactive": INTERACTIVE, "batch": BATCH},
    "batch": {"batch": BATCH},
    "interactive": {"interactive": INTERACTIVE},
    "typeless": {"typeless": TYPELESS},
}
