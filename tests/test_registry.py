"""Looking up a spec does not depend on what was imported before: the registry imports the layer of its kind."""

from __future__ import annotations

import subprocess
import sys

import pytest

from thinktime.spec import LAYERS, REGISTRY

LOOK = """
import os, sys
sys.path[:0] = {path!r}
import thinktime.spec as spec
for kind, name in {names!r}.items():
    if os.fork() == 0:  # a process that has imported nothing but the registry
        assert spec.LAYERS[kind] not in [each.partition(".")[2] for each in sys.modules]
        os._exit(0 if spec.lookup(kind, name).name == name else 1)
    assert os.wait()[1] == 0, kind
"""
ONE_OF_EACH = {
    "allocator": "best-fit",
    "application": "loop",
    "estimates": "perfect",
    "generator": "lublin",
    "platform": "machine",
    "plugin": "power",
    "reader": "swf",
    "scheduler": "easy",
    "technique": "gss",
    "users": "rigid",
    "writer": "csv",
}


def test_every_kind_has_its_layer() -> None:
    assert set(ONE_OF_EACH) == set(LAYERS)
    for kind in LAYERS:
        REGISTRY[kind]
    assert set(REGISTRY) == set(LAYERS), "a new kind needs its layer in the table"


def test_the_first_lookup_of_a_process_finds_every_kind() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOOK.format(path=sys.path, names=ONE_OF_EACH)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_shorthands_are_there_at_the_first_lookup() -> None:
    text = (
        f"import sys; sys.path[:0] = {sys.path!r}; import thinktime.spec as spec; print(spec.parse('platform', 'seth'))"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("Cluster.named('seth')"), done


def test_a_kind_that_does_not_exist() -> None:
    assert REGISTRY.get("nothing") is None
    with pytest.raises(KeyError):
        REGISTRY["nothing"]
