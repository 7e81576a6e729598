"""When a workload lacks what a measure needs. A wrong setting is a plain InputError, and no description is made."""

from __future__ import annotations

from thinktime.errors import InputError


class NotMeasuredError(InputError):
    """The sentence that a description keeps in place of the measure."""
