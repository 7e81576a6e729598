"""Texts are in plain English: no banned words, no long sentences, no documents that are not in the repository."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared_data import ROOT

#: Words and phrases that pages, docstrings, comments, help texts and messages avoid.
BANNED = re.compile(
    r"\b(whoever|whomever|whom|nobody|somebody|anybody|everybody)\b"
    r"|\bor a sentence\b|\b(is|are|be) told\b|\bcan be said\b|\ba row a job\b"
    r"|\b(one|a) (row|line|value|file) a (job|user|node|task|log|metric|run|label|event)\b"
    r"|\bso (many|much) (at|of)\b|\bas many as there is no\b|\bof one's own\b",
    re.IGNORECASE,
)
#: Documents that are not in the repository.
FOREIGN = re.compile(r"\b(SPEC|SWF|DESIGN|STYLE)\.md\b|papers/SPEC|\bSPEC \d|\bApp\. D\b|\.\./shared/(?!logs|oracle)")
#: Maximum length of a sentence in a page. The aim is 25.
LONGEST = 40

#: Folders and files whose text is checked; tests and verification may quote what they reject.
CHECKED = (
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs",
    "examples",
    "src",
    "engine",
    "reference",
)
SUFFIXES = (".md", ".py", ".h", ".cc", ".toml", ".pyi")
#: path → why it may use a banned word
EXCEPTIONS: dict[str, str] = {}


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "--", *CHECKED], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("git is not available, or this is not a checkout")
    names = [name for name in listed.stdout.splitlines() if name.endswith(SUFFIXES) and name not in EXCEPTIONS]
    return [ROOT / name for name in names if (ROOT / name).exists()]


def group_of(path: Path) -> str:
    """Return the top folder of a file; below src also the package and its layer."""
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[: 3 if parts[0] == "src" else 2 if parts[0] in ("engine", "docs", "reference") else 1])


FILES = tracked()
GROUPS = sorted({group_of(path) for path in FILES})
PAGES = [path for path in FILES if path.suffix == ".md"]


def test_texts_are_found() -> None:
    assert len(FILES) > 300
    assert len(PAGES) > 50


@pytest.mark.parametrize("group", GROUPS)
def test_no_banned_words(group: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in FILES
        if group_of(path) == group
        for number, line in words_of(path)
        if BANNED.search(line)
    ]
    assert found == []


def test_every_cited_document_is_in_the_repository() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in FILES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if FOREIGN.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_sentences_of_a_page_are_short(page: Path) -> None:
    found = [sentence for sentence in sentences(page.read_text(encoding="utf-8")) if len(sentence.split()) > LONGEST]
    assert found == []


def words_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield what people read in a file, with line numbers: prose of pages; comments and texts of programs."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".py", ".pyi"):
        yield from _python_words(text)
    elif path.suffix == ".md":
        yield from enumerate(_without_blocks(text).splitlines(), 1)
    else:
        yield from enumerate(text.splitlines(), 1)


def _python_words(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for offset, line in enumerate(node.value.splitlines()):
                yield node.lineno + offset, line


def _without_blocks(page: str) -> str:
    """Blank the blocks of code and output; keep the number of lines."""
    return re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), page, flags=re.S | re.M)


def sentences(page: str) -> Iterator[str]:
    """Yield the sentences of paragraphs and items, without blocks, tables, headings, comments and link targets."""
    prose = re.sub(r"<!--.*?-->|^ {4,}\S.*$", "", _without_blocks(page), flags=re.S | re.M)
    prose = re.sub(r"\]\([^)]*\)", "]", prose)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[*+-]|\d+\.)\s)", prose):
        if not paragraph.lstrip().startswith(("|", "#", "!")):
            yield from re.split(r"(?<=[.!?:;])\s+", " ".join(paragraph.split()))


def test_the_check_finds_what_it_looks_for() -> None:
    assert [bool(BANNED.search(line)) for line in ("nobody waits", "one row per job", "a row a job")] == [1, 0, 1]
    assert FOREIGN.search("see SPEC.md")
    assert not FOREIGN.search("docs/formats/swf.md")
    page = "# Head\n\nOne two. Three:\n\n```text\nfour five\n```\n\n* six\n* seven\n\n| a | b |\n"
    assert list(sentences(page)) == ["One two.", "Three:", "* six", "* seven"]
