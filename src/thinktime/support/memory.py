"""The memory that this process may use."""

from __future__ import annotations

import os
import resource
from functools import cache


@cache
def memory_bytes() -> int:
    """Return the memory of this machine, or the limit of the process."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return machine if limit == resource.RLIM_INFINITY else min(machine, limit)
