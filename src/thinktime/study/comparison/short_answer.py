"""The answer of a comparison or a study in at most ten lines, the most important first.

There are three forms, from the longest to the shortest: one sentence per configuration in full, one per metric and
configuration over all logs and conditions, or one per metric with counts. The longest form that fits is used; the first
metrics keep the longer form.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from thinktime.study.comparison.block_table import Table
from thinktime.study.comparison.sentences import block, contrast_words, scope_words, size_of, three_digits, what
from thinktime.study.comparison.verdict import VERDICTS

if TYPE_CHECKING:
    from thinktime.study.comparison.compared import Comparison, Contrast

LINES, WIDTH = 10, 110  # of an answer as text
NEAR = 0.005  # smaller relative differences are grouped as `within 0.5 %`
CAVEAT_LINES = 3


@dataclass(frozen=True)
class Case:
    """A comparison on one log under one condition, such as a user model."""

    comparison: Comparison
    log: str = ""
    condition: str = ""
    short: str = ""  # name of the log in sentences, tables and figures
    heading: str = ""  # the condition with its dimensions, `users: rigid`

    @property
    def place(self) -> str:
        log = self.short or self.log
        return f"{log} ({self.condition})" if log and self.condition else log or self.condition


def short_names(logs: Sequence[str]) -> dict[str, str]:
    """Return `KTH-SP2` for `KTH-SP2-1996-2.1-cln`: without year and version, if the names stay different."""
    cut = {log: re.split(r"-(?=\d)|\.swf", log)[0] or log for log in logs}
    return cut if len(set(cut.values())) == len(cut) else {log: log for log in logs}


@dataclass(frozen=True)
class CaseContrast:
    """One contrast in one case."""

    case: Case
    table: Table
    contrast: Contrast

    @property
    def kind(self) -> tuple[str, int]:
        """`shown`, `seen`, `near`, `equal` or `open`, and the sign of the difference."""
        verdict, sign = VERDICTS[self.contrast.verdict], 1 if self.contrast.difference > 0 else -1
        if verdict.shown or verdict.name in ("equal", "open"):
            return ("shown", sign) if verdict.shown else (verdict.name, 0)
        small = self.contrast.difference == 0 or abs(self.relative or 1.0) < NEAR
        return ("near", 0) if small else ("seen", sign)

    @property
    def relative(self) -> float | None:
        return self.contrast.relative


def answer(cases: Sequence[Case], caveats: Sequence[str] = (), hint: str = "") -> list[str]:
    """Return the sentences, caveats first and the hint last; at most ten lines of 110 characters."""
    first, last = _fit(list(caveats), CAVEAT_LINES, "More warnings: {n}."), [*_tail(cases), *([hint] if hint else [])]
    for form in _forms(cases):
        said = [*first, *form(cases), *last]
        note = [] if form is _in_full else _correlation_note(cases)
        if note and lines_of([*said, *note]) <= LINES:
            return [*said[: len(said) - len(last)], *note, *last]
        if lines_of(said) <= LINES:
            return said
    room = LINES - lines_of([*first, *last[:1]])
    return [*first, *_fit(said[len(first) : len(said) - len(last)], room, "{n} more: see the tables."), *last[:1]]


def _correlation_note(cases: Sequence[Case]) -> list[str]:
    """Explain the words `not independent`, which short forms only mention."""
    for case in cases:
        for each in case.comparison.metrics.values():
            if any(contrast.verdict == "correlated" for contrast in each.contrasts):
                blocks = block(each.table, 2)
                label = VERDICTS["correlated"].label.capitalize()
                return [f"{label}: neighbouring {blocks} are correlated, so a difference may not hold at other times."]
    return []


def lines_of(sentences: Iterable[str]) -> int:
    """Return the number of lines of a list of sentences."""
    return sum(len(textwrap.wrap(f"- {each}", WIDTH, subsequent_indent="  ")) for each in sentences)


def _fit(sentences: list[str], room: int, rest: str) -> list[str]:
    """Return the sentences that fit, and one that counts the others."""
    if lines_of(sentences) <= room:
        return sentences
    kept: list[str] = []
    while lines_of([*kept, sentences[len(kept)]]) < room:
        kept.append(sentences[len(kept)])
    return [*kept, rest.format(n=len(sentences) - len(kept))]


Form = Callable[[Sequence[Case]], list[str]]


def _forms(cases: Sequence[Case]) -> list[Form]:
    """Return the forms from the longest to the shortest: in full, then with fewer metrics by configuration."""
    metrics = len(_contrasts_by_metric(cases))
    shorter = [partial(_sentences_then_counts, long=metrics - k) for k in range(metrics + 1)]
    return [*([_in_full] if len(cases) == 1 else []), *shorter]


def _sentences_then_counts(cases: Sequence[Case], long: int) -> list[str]:
    """Return sentences by configuration for the first metrics, and counts for the others."""
    every = [of for of in _contrasts_by_metric(cases).values() if of]
    detailed = [sentence for of in every[:long] for sentence in _of_metric(cases, of)]
    return [*detailed, *(_verdict_counts(of) for of in every[long:])]


def _contrasts_by_metric(cases: Sequence[Case]) -> dict[str, list[CaseContrast]]:
    """Return metric → its contrasts, in the order of the study's metrics."""
    metrics = dict.fromkeys(metric for case in cases for metric in case.comparison.metrics)
    return {metric: [said for case in cases for said in _case_contrasts(case, metric)] for metric in metrics}


def _case_contrasts(case: Case, metric: str) -> list[CaseContrast]:
    each = case.comparison.metrics.get(metric)
    return [] if each is None else [CaseContrast(case, each.table, contrast) for contrast in each.contrasts]


# --- one sentence per configuration, in full ----------------------------------------------------------------


def _in_full(cases: Sequence[Case]) -> list[str]:
    level = cases[0].comparison.level
    return [
        contrast_words(said.table, said.contrast, level)
        for every in _contrasts_by_metric(cases).values()
        for said in sorted(every, key=_importance)
    ]


def _importance(said: CaseContrast) -> tuple[int, float]:
    """Sort key: shown differences first, then observed ones, then the rest; large before small."""
    order = {"shown": 0, "seen": 1, "open": 2, "near": 3, "equal": 3}
    return order[said.kind[0]], -abs(said.relative or 0.0)


# --- one sentence per metric and configuration --------------------------------------------------------------


def _of_metric(cases: Sequence[Case], every: list[CaseContrast]) -> list[str]:
    """Return one sentence per group of configurations with the same changes."""
    by_name: dict[str, list[CaseContrast]] = {}
    for said in sorted(every, key=_importance):
        by_name.setdefault(said.contrast.name, []).append(said)
    names_of: dict[str, list[str]] = {}
    for name, of in by_name.items():
        names_of.setdefault(_changes(cases, of), []).append(name)
    return [f"{', '.join(names)}: {changes}." for changes, names in names_of.items()]


def _changes(cases: Sequence[Case], of: list[CaseContrast]) -> str:
    """`mean wait 3 to 9 % shorter than easy on KTH; no difference shown on SDSC`."""
    groups: dict[tuple[str, int], list[CaseContrast]] = {}
    for said in of:
        groups.setdefault(said.kind, []).append(said)
    parts = [
        f"{_phrase(kind, group)}{_than_baseline_on(cases, group, k == 0)}"
        for k, (kind, group) in enumerate(groups.items())
    ]
    return f"{what(of[0].table)} {'; '.join(parts)}"


def _phrase(kind: tuple[str, int], group: list[CaseContrast]) -> str:
    name, sign = kind
    fixed = {"open": "shows no difference", "equal": "the same", "near": f"within {100 * NEAR:g} %"}
    if name in fixed:
        return fixed[name]
    alike = any(said.contrast.verdict == "correlated" for said in group)
    doubt = f" ({VERDICTS['correlated'].label})" if alike else ""
    return f"{_changed(group, sign)}{_single_interval(group)}{doubt}"


def _changed(group: list[CaseContrast], sign: int) -> str:
    """`12 % shorter`, or `46 times as long` where it more than doubles everywhere."""
    shares = sorted(said.relative for said in group if said.relative is not None)
    if len(shares) < len(group) or shares[0] <= 1:
        return f"{_size_or_range(group)} {_comparative(group[0].table, sign)}"
    low, high = (three_digits(1 + share) for share in (shares[0], shares[-1]))
    size = low if low == high else f"{low} to {high}"
    return f"{size} times as {'long' if group[0].table.about.unit == 's' else 'high'}"


def _comparative(table: Table, sign: int) -> str:
    shorter, longer = ("shorter", "longer") if table.about.unit == "s" else ("lower", "higher")
    return longer if sign > 0 else shorter


def _size_or_range(group: list[CaseContrast]) -> str:
    """`12 %`, or `3 to 14 %`; the difference itself where the baseline is 0."""
    shares = sorted(abs(said.relative) for said in group if said.relative is not None)
    if len(shares) < len(group):
        return " and ".join(dict.fromkeys(size_of(said.table, said.contrast) for said in group))
    low, high = _percent(shares[0]), _percent(shares[-1])
    return f"{high} %" if low == high else f"{low} to {high} %"


def _percent(share: float) -> str:
    """Return a percentage with two digits."""
    return f"{100 * share:,.0f}" if share >= 0.1 else f"{100 * share:.1f}"


def _single_interval(group: list[CaseContrast]) -> str:
    """Return the interval of a single shown difference."""
    pair = group[0].contrast.paired
    if len(group) > 1 or pair is None or pair.relative is None or group[0].kind[0] != "shown":
        return ""
    if pair.relative.estimate > 1:
        return f" (interval {three_digits(1 + pair.relative.low)} to {three_digits(1 + pair.relative.high)})"
    low, high = sorted(abs(end) for end in (pair.relative.low, pair.relative.high))
    return f" (interval {_percent(low)} to {_percent(high)} %)"


def _than_baseline_on(cases: Sequence[Case], group: list[CaseContrast], first: bool) -> str:
    """Return `than easy on KTH`; the baseline is named once."""
    baseline = group[0].contrast.baseline
    times = all((said.relative or 0.0) > 1 for said in group)
    link = {"open": "against", "equal": "as", "near": "of"}.get(group[0].kind[0], "as" if times else "than")
    than = f" {link} {baseline}" if first else ""
    places = _places(cases, [said.case for said in group])
    return f"{than}{places}"


def _places(cases: Sequence[Case], some: list[Case]) -> str:
    """Return the shortest name of a set of cases: all, logs, conditions, or a count."""
    if len(cases) == 1:
        return ""
    if len(some) == len(cases):
        return " in both cases" if len(cases) == 2 else f" in all {len(cases)} cases"
    for key, word in ((lambda case: case.short or case.log, "on"), (lambda case: case.condition, "with")):
        keys = dict.fromkeys(key(case) for case in some)
        if all(keys) and len(some) == sum(key(case) in keys for case in cases) and len(keys) <= 2:
            return f" {word} {' and '.join(keys)}"
    return (
        f" on {' and '.join(case.place for case in some)}"
        if len(some) <= 2
        else f" in {len(some)} of {len(cases)} cases"
    )


# --- one sentence per metric --------------------------------------------------------------------------------


def _verdict_counts(every: list[CaseContrast]) -> str:
    """`Mean wait: of 56 comparisons with easy, 20 better, 36 worse; from −45 % (x) to +80 % (y).`"""
    table, baseline = every[0].table, every[0].contrast.baseline
    counts = Counter(_noun(said) for said in every)
    listed = ", ".join(f"{count:,} {noun}" for noun, count in counts.most_common())
    text = what(table)
    return (
        f"{text[:1].upper()}{text[1:]}: of {len(every):,} comparisons with {baseline}, {listed}{_least_to_most(every)}."
    )


def _noun(said: CaseContrast) -> str:
    name, sign = said.kind
    verdict = said.contrast.verdict
    fixed = {"open": "without a shown difference", "equal": "equal", "near": f"within {100 * NEAR:g} %"}
    if name == "shown":
        return VERDICTS[verdict].label
    return fixed.get(name) or _comparative(said.table, sign)


def _least_to_most(every: list[CaseContrast]) -> str:
    known = sorted((said for said in every if said.relative is not None), key=lambda said: said.relative or 0.0)
    if len(known) < 2:
        return ""
    ends = [
        f"{three_digits(100 * (said.relative or 0.0))} % ({_contrast_and_place(said)})"
        for said in (known[0], known[-1])
    ]
    return f"; from {ends[0]} to {ends[1]}"


def _contrast_and_place(said: CaseContrast) -> str:
    return ", ".join(part for part in (said.contrast.name, said.case.place) if part)


# --- scope --------------------------------------------------------------------------------------


def _tail(cases: Sequence[Case]) -> list[str]:
    """Return the scope, how many more runs are needed, and what was left out."""
    tables = [each.table for case in cases for each in case.comparison.metrics.values()]
    scopes = dict.fromkeys(scope_words(table) for table in tables)
    scope = [next(iter(scopes))] if len(scopes) == 1 else _several_scopes(tables)
    return [*scope, *_needed(cases), *dict.fromkeys(note for table in tables for note in table.notes)]


def _several_scopes(tables: list[Table]) -> list[str]:
    logs = len({name for table in tables for name in table.workloads})
    counts = [len(table.values) for table in tables]
    if max(counts) == 1:
        return ["One run per configuration and log: the differences hold for these runs and have no intervals."]
    low, high = min(counts), max(counts)
    size = f"{low} {block(tables[0], low)}" if low == high else f"{low} to {high} {block(tables[0], high)}"
    return [f"{logs} logs, each compared separately, {size} per configuration: other logs may differ."]


def _needed(cases: Sequence[Case]) -> list[str]:
    """Return how many blocks are needed to judge what could not be judged."""
    few = [said for every in _contrasts_by_metric(cases).values() for said in every if said.contrast.verdict == "few"]
    if not few:
        return []
    count, table = max(said.contrast.blocks_needed or 0 for said in few), few[0].table
    return [f"At least {count} {block(table, count)} are needed to judge a difference."] if count else []
