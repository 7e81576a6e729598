"""`tt.resample` is a layer that can be called, whoever loads it first."""

from __future__ import annotations

import subprocess
import sys

import pytest

FIRST = ("tt.resample", "import thinktime.resample.pools", "tt.user_pools", "from thinktime.resample import Resampler")


@pytest.mark.parametrize("first", FIRST)
def test_the_layer_and_the_call_are_one(first: str) -> None:
    code = (
        f"import thinktime as tt\n{first}\nimport thinktime.resample as layer\n"
        "log = tt.default_workload(weeks=13)\n"
        "print(layer is tt.resample, callable(layer.user_pools), len(tt.resample(log, weeks=2)) > 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True True True\n", "")


def test_the_call_has_the_functions_signature() -> None:
    import inspect

    import thinktime as tt

    assert list(inspect.signature(tt.resample).parameters) == ["log", "seed", "options"]
