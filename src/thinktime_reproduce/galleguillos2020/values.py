"""What Galleguillos, Kiziltan, Netti and Soto (2020) printed, and what an independent prototype gave.

The paper has no table of slowdowns or queue sizes, only box plots and sentences on them. For comparison, this
module has the values of a prototype that was written independently, on 240 counted processors. They are not the
paper's.
"""

from __future__ import annotations

#: Table 1, rejecting dispatcher: log → simulator → as printed, mean and deviation of total CPU time in s, of mean and
#: of greatest memory in MB. The paper's scripts take real time, sum the memory of a process and its children every
#: 10 ms, and divide squares by n − 1.
TABLE_1 = {
    "Seth": {
        "AccaSim": (("15", "0.2"), ("18", "0.1"), ("18", "0.1")),
        "Alea": (("15", "0.5"), ("161", "5.4"), ("209", "23.7")),
    },
    "RICC": {
        "AccaSim": (("27", "0.5"), ("21", "0.1"), ("26", "0.1")),
        "Alea": (("24", "0.2"), ("162", "5.6"), ("272", "52.3")),
    },
    "MC": {
        "AccaSim": (("383", "4.1"), ("19", "0.1"), ("19", "0.2")),
        "Alea": (("548", "3.7"), ("195", "17.4"), ("1,165", "234.4")),
    },
}

#: Table 2: dispatcher → the same of total time and time of deciding in s, mean and greatest memory in MB. The scripts
#: add up what the simulator notes at each time point, and divide squares by n.
TABLE_2 = {
    "FIFO-FF": (("481", "2.6"), ("435", "2.3"), ("76", "0.2"), ("82", "0.3")),
    "FIFO-BF": (("485", "1.8"), ("438", "1.6"), ("79", "0.1"), ("85", "1.1")),
    "LJF-FF": (("493", "2.4"), ("444", "2.1"), ("80", "0.7"), ("86", "0.9")),
    "LJF-BF": (("497", "2.3"), ("447", "2.1"), ("81", "0.8"), ("86", "0.9")),
    "SJF-FF": (("466", "2.2"), ("424", "2.0"), ("82", "0.8"), ("86", "0.5")),
    "SJF-BF": (("469", "1.7"), ("426", "1.5"), ("82", "0.4"), ("86", "0.6")),
    "EBF-FF": (("1344", "2.9"), ("1301", "2.7"), ("82", "0.6"), ("85", "0.7")),
    "EBF-BF": (("1339", "4.6"), ("1296", "4.2"), ("82", "0.6"), ("84", "0.8")),
}

#: The rest of the time at a time point, in ms, and in all, in s: "around"
REST_MS, REST_S = 0.2, 40

#: Weekend share of 50,000 jobs that AccaSim 1.1.3 generated from Seth's log. As released its generator does not start:
#: two attributes of its resources are gone, and a random number is an array.
ACCASIM_WEEKEND = "0.251"

#: As printed, for the digits: mean wait in s; mean slowdown; of slowdowns above 1 how many, mean and quartiles; queue
#: size once an event, mean and greatest
PROTOTYPE = {
    "FIFO": ("16702", "589.7", "83887", "1424.6", "2.01", "5.77", "98.0", "58.7", "2462"),
    "SJF": ("8819", "215.3", "68602", "634.6", "1.52", "2.65", "10.42", "40.2", "2427"),
    "LJF": ("25849", "965.2", "79045", "2475.7", "2.08", "9.73", "115.7", "73.1", "2417"),
    "EASY": ("11520", "190.9", "71525", "539.6", "1.74", "3.39", "16.17", "44.7", "2425"),
    "EBF": ("9897", "165.8", "64816", "516.7", "1.59", "3.02", "14.38", "40.4", "2424"),
}
PROTOTYPE_QUANTITIES = (
    "mean wait, s",
    "mean slowdown",
    "jobs with slowdown above 1",
    "their mean slowdown",
    "their lower quartile",
    "their median",
    "their upper quartile",
    "mean queue, by event",
    "longest queue",
)
