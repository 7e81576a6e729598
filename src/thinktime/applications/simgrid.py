"""SimGrid as the application level."""

from __future__ import annotations

from pathlib import Path

WORKER = Path(__file__).parent / "workers" / "simgrid_worker.py"
