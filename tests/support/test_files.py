"""Small files of others: only regular ones, not too large, not too deep."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from thinktime.support import files


def test_a_regular_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "f").write_text('{"a": [1, 2]}', encoding="utf-8")
    assert files.json_of(tmp_path / "f") == {"a": [1, 2]}
    (tmp_path / "link").symlink_to(tmp_path / "f")
    assert files.text_of(tmp_path / "link") == '{"a": [1, 2]}'


@pytest.mark.parametrize(("kind", "words"), [("fifo", "a pipe"), ("folder", "a folder"), ("device", "a device")])
def test_anything_else_is_refused_at_once(tmp_path: Path, kind: str, words: str) -> None:
    path = tmp_path / "f"
    {"fifo": os.mkfifo, "folder": os.mkdir, "device": lambda to: os.symlink("/dev/zero", to)}[kind](path)
    with pytest.raises(OSError, match=words):
        files.text_of(path)


def test_a_large_file_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "f").open("wb") as file:
        file.truncate(files.MOST_TEXT_BYTES + 1)
    with pytest.raises(OSError, match="at most 268,435,456 are read"):
        files.text_of(tmp_path / "f")


@pytest.mark.parametrize("depth", [101, 5000, 200_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_deep_nesting_is_a_value_error(depth: int, opening: str, closing: str) -> None:
    with pytest.raises(ValueError, match="nested"):
        files.parse_json(opening * depth + "1" + closing * depth)


def test_what_is_wide_is_not_deep() -> None:
    wide = [[[k]] for k in range(10_000)]
    assert files.parse_json(json.dumps(wide)) == wide
    deep = "[" * 100 + "]" * 100
    assert files.parse_json(deep) == json.loads(deep)


@pytest.mark.parametrize("parse", [files.parse_toml, files.parse_json])
@pytest.mark.parametrize("digits", [20, 4000, 5000])
def test_numbers_beyond_64_bits_are_refused(parse, digits: int) -> None:
    text = '"a"' + (" = " if parse is files.parse_toml else ": ") + "9" * digits
    with pytest.raises(ValueError, match=r"bits|digits"):
        parse(text if parse is files.parse_toml else f"{{{text}}}")


def test_deep_toml_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="nested"):
        files.parse_toml("a = " + "[" * 5000 + "]" * 5000)
    with pytest.raises(ValueError, match="nested"):
        files.parse_toml("a = " + "[" * 150 + "]" * 150)
