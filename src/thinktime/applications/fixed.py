"""Recorded run times."""

from __future__ import annotations

from typing import ClassVar

from thinktime.applications.application import Application


class Fixed(Application, name="fixed"):
    """Runs each job for its recorded run time, divided by the speed of the machine."""

    inside: ClassVar[bool] = False
