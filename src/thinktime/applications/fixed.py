"""Jobs as the log recorded them."""

from __future__ import annotations

from typing import ClassVar

from thinktime.applications.application import Application


class Fixed(Application, name="fixed"):
    """A job runs for its recorded run time, divided by the machine's speed."""

    inside: ClassVar[bool] = False
