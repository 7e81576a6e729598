"""Eleliemy, Mohammed, Ciorba 2017: two levels of scheduling."""

from thinktime_reproduce.eleliemy2017.claims import ELELIEMY2017

__all__ = ["ELELIEMY2017"]
