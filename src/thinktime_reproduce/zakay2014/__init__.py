"""Zakay, Feitelson 2014: users who keep their behaviour."""

from thinktime_reproduce.zakay2014.claims import ZAKAY2014

__all__ = ["ZAKAY2014"]
