"""Text, table, page, colour and figure agree on every verdict, whatever the data."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex

from tests.effort import seeds
from tests.plots.samples import by_label
from thinktime.plots.studies.critical_difference import groups
from thinktime.report import print_figures, tables
from thinktime.report.metric_rows import _of_case, difference_figure
from thinktime.study.comparison.block_table import table_of_rows
from thinktime.study.comparison.compare import compare_groups
from thinktime.study.comparison.compared import Comparison, MetricComparison
from thinktime.study.comparison.sentences import contrast_words, rank_words
from thinktime.study.comparison.short_answer import Case, CaseContrast
from thinktime.study.comparison.text_tables import printed
from thinktime.study.comparison.verdict import SHOWN, VERDICTS
from thinktime.support.random_streams import stream

METRICS = ("wait_mean_s", "utilisation", "bounded_slowdown_mean", "jobs")


def drawn(seed: int) -> Comparison:
    """Four configurations on one to thirty blocks: noise, effects of all sizes, copies of the baseline."""
    random = stream(seed, "agreement")
    n = int(random.choice([1, 3, 4, 5, 8, 10, 12, 20, 30]))
    metric = METRICS[seed % len(METRICS)]
    common, effects = random.exponential(1.0, n), random.normal(0, random.choice([0.2, 1.0, 4.0]), 3)
    values = [np.full(n, 0.0), *(effect + random.normal(0, 0.4, n) for effect in effects)]
    raw = np.array([common + each for each in [*values, values[0]]])
    shown = 1 / (1 + np.exp(-raw)) if metric == "utilisation" else 1 + np.exp(raw)
    names = ("base", "a", "b", "c", "same")
    rows: dict[str, Any] = {name: dict(enumerate(of)) for name, of in zip(names, shown.tolist(), strict=True)}
    return compare_groups({"": [table_of_rows(metric, rows)]}, "base")[""]


def only(comparison: Comparison) -> MetricComparison:
    return next(iter(comparison.metrics.values()))


def badges(html: str) -> list[tuple[str, str]]:
    return re.findall(r'data-verdict="(\w+)" style="color:(#\w+)"', html)


def said_shown(text: str) -> bool:
    return bool(re.search(r"\b(shortens|lengthens|lowers|raises)\b", text))


@pytest.mark.parametrize("seed", seeds(40))
def test_every_view_of_a_comparison_has_the_same_verdicts(seed: int) -> None:
    comparison = drawn(seed)
    each, case = only(comparison), Case(comparison)
    expected = [(contrast.verdict, VERDICTS[contrast.verdict].colour) for contrast in each.contrasts]
    labels = [VERDICTS[name].label for name, _ in expected]

    assert badges(tables.overview([case])) == expected  # the page's table
    assert badges(tables.detail(case)) == expected
    assert comparison.table()["verdict"].to_list()[1:] == [name for name, _ in expected]
    assert [c["verdict"] for c in comparison.to_dict()["metrics"][each.table.metric]["contrasts"]] == [
        name for name, _ in expected
    ]
    text = printed(comparison)  # the terminal's table
    assert all(label in text for label in labels)
    for contrast in each.contrasts:  # the sentences
        shown = contrast.verdict in SHOWN
        assert said_shown(contrast_words(each.table, contrast, 0.95)) == shown
        assert (CaseContrast(case, each.table, contrast).kind[0] == "shown") == shown

    contrasts = {contrast.name: contrast for contrast in each.contrasts}
    axes = print_figures._difference_figure(contrasts, each.table.metric, "base").axes[0]  # the figure for print
    dots = by_label(axes.collections, "mid").get_facecolors()
    assert [to_hex(colour).upper() for colour in dots] == [colour.upper() for _, colour in expected]
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert sorted(set(labels)) == sorted(legend)

    rows = [row for row in _of_case(case, each.table.metric) if row.contrast is not None]  # the page's figure
    plot = difference_figure(rows, each.table.metric, "base").plot
    marks = [mark for mark in plot.renderers if "mid" in mark.data_source.data and hasattr(mark.glyph, "size")]
    found = {row: mark.glyph.fill_color for mark in marks for row in mark.data_source.data["row"]}
    assert [found[contrast.name] for contrast in each.contrasts] == [colour for _, colour in expected]


def test_the_random_data_have_every_verdict_of_runs() -> None:
    """Or the test above would prove little."""
    found = {contrast.verdict for seed in range(40) for contrast in only(drawn(seed)).contrasts}
    assert found >= {"better", "worse", "lower", "higher", "equal", "open", "few", "single"}


@pytest.mark.parametrize("seed", seeds(40))
def test_no_shown_difference_has_an_interval_that_holds_zero(seed: int) -> None:
    for contrast in only(drawn(seed)).contrasts:
        if contrast.verdict in SHOWN:
            assert contrast.paired is not None
            assert 0 not in contrast.paired.difference
            assert contrast.paired.relative is None or 0 not in contrast.paired.relative
            assert contrast.p_holm <= 0.05


@pytest.mark.parametrize("seed", seeds(40))
def test_bars_of_the_rank_diagram_join_what_the_sentence_does_not_tell_apart(seed: int) -> None:
    each = only(drawn(seed))
    if each.ranks is None:
        return
    order = sorted(zip(each.ranks.average, each.table.names, strict=True))
    within = each.ranks.critical_difference if each.ranks.significant else np.inf
    bars = groups([rank for rank, _ in order], within)
    joined = {(order[i][1], order[j][1]) for first, last in bars for i in range(first, last + 1) for j in range(i + 1, last + 1)}  # fmt: skip  # noqa: E501
    sentence = rank_words(each)
    apart = {
        (order[i][1], order[j][1])
        for i in range(len(order))
        for j in range(i + 1, len(order))
        if each.ranks.apart(order[i][0], order[j][0])
    }
    assert not joined & apart
    assert len(joined | apart) == len(order) * (len(order) - 1) // 2
    if each.ranks.significant and 0 < len(joined) <= 6:
        assert all(f"{a} and {b}" in sentence for a, b in joined)
