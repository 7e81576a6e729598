"""Examples in docstrings give what they say."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

from tests.shared_data import ROOT

PACKAGE = ROOT / "src" / "thinktime"
MODULES = [
    module.name
    for module in pkgutil.walk_packages([str(PACKAGE)], "thinktime.")
    if (
        path := PACKAGE.parent / (module.name.replace(".", "/") + ("/__init__.py" if module.ispkg else ".py"))
    ).is_file()
    and ">>>" in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    as_a_user = {"__name__": "examples"}  # a policy that an example defines is not one of the package
    found = doctest.testmod(import_module(name), extraglobs=as_a_user, optionflags=flags)
    assert found.attempted > 0
    assert found.failed == 0
