"""What Galleguillos, Kiziltan, Netti and Soto (2020) printed, and what an independent prototype gave.

The paper has no table of slowdowns or queue sizes, only box plots and sentences on them. To have numbers all the same,
the values of a prototype that was written apart from this program, on 240 processors that are only counted, stand
beside ours. They are not the paper's.
"""

from __future__ import annotations

#: Table 1, rejecting dispatcher: log → total CPU time in s, mean and greatest memory in MB, of AccaSim
TABLE_1 = {"Seth": (15, 18, 18), "RICC": (27, 21, 26), "MC": (383, 19, 19)}

#: Table 2: dispatcher → total CPU time and time of deciding in s, mean and greatest memory in MB
TABLE_2 = {
    "FIFO-FF": (481, 435, 76, 82),
    "FIFO-BF": (485, 438, 79, 85),
    "LJF-FF": (493, 444, 80, 86),
    "LJF-BF": (497, 447, 81, 86),
    "SJF-FF": (466, 424, 82, 86),
    "SJF-BF": (469, 426, 82, 86),
    "EBF-FF": (1344, 1301, 82, 85),
    "EBF-BF": (1339, 1296, 82, 84),
}

#: The rest of the time at a time point, in ms, and in all, in s: "around"
REST_MS, REST_S = 0.2, 40

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
