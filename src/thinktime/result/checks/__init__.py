"""Invariants of a result: `check` recomputes what must hold and lists every violation."""
