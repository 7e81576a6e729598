"""The name of a log, from the name of its file."""

from __future__ import annotations

from pathlib import Path


def log_name(path: str) -> str:
    """`KTH-SP2-1996-2.1-cln` of `…/KTH-SP2-1996-2.1-cln.swf.gz`; bytes that are no text become `?`."""
    name = Path(path).name.encode("utf-8", "replace").decode("utf-8")
    for suffix in (".gz", ".xz", ".bz2", ".zip", ".swf", ".txt"):
        name = name[: -len(suffix)] if name.lower().endswith(suffix) and len(name) > len(suffix) else name
    return name or "log"
