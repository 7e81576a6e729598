"""The guides' examples run as they stand."""

from __future__ import annotations

import re

import pytest

from tests.shared_data import ROOT


@pytest.mark.parametrize("name", ["default_workload", "figures"])
def test_the_examples_of_a_guide_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs" / "guides" / f"{name}.md").read_text(), re.DOTALL
    )
    assert blocks
    exec(compile("\n".join(blocks), f"{name}.md", "exec"), {})
