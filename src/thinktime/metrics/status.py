"""The four ends a job can come to, as the codes that arrays hold and the words that people read."""

from __future__ import annotations

COMPLETED = 0  # ran to its end
KILLED = 1  # cut at its estimate
REJECTED = 2  # never queued, e.g. larger than the machine
UNFINISHED = 3  # the simulation was stopped before the job ended

#: STATUS_NAMES[code] is the word for the code.
STATUS_NAMES = ("completed", "killed", "rejected", "unfinished")
