"""Madon, Da Costa, Pierson 2024: replay with feedback."""

from thinktime_reproduce.madon2024.claims import MADON2024

__all__ = ["MADON2024"]
