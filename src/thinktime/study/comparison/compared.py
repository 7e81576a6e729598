"""What a comparison found: contrasts with the baseline, metric by metric, as tables, words and figures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from thinktime import statistics as st
from thinktime.drawing import draw
from thinktime.errors import InputError
from thinktime.metrics.cautions import Cautions, caveats
from thinktime.spec import suggestion
from thinktime.study.comparison.block_table import Table
from thinktime.study.comparison.sentences import what
from thinktime.study.comparison.verdict import VERDICTS
from thinktime.support.json_types import JsonDict

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Contrast:
    """One configuration compared with the baseline; a negative difference is below the baseline."""

    name: str
    baseline: str
    difference: float
    relative: float | None = None  # difference / mean of the baseline; None if that mean is not above 0
    paired: st.Paired | None = None  # None with a single block
    wilcoxon: st.Test | None = None
    sign: st.Test | None = None
    check: st.Independence | None = None  # of the differences in time; None if blocks have no order
    p_holm: float = math.nan  # Wilcoxon's p-value, corrected over all tests of the comparison
    verdict: str = "single"  # a key of `verdict.VERDICTS`
    blocks_needed: int | None = None  # for a difference of this size, with power 80 %; None if shown or too many

    def to_dict(self) -> JsonDict:
        return asdict(self)


@dataclass(frozen=True, repr=False)
class MetricComparison:
    """One metric of all configurations."""

    table: Table
    estimates: Mapping[str, st.Interval]  # empty with a single block
    contrasts: tuple[Contrast, ...]
    ranks: st.Ranks | None  # rank 1 is best; None for two configurations

    def __repr__(self) -> str:
        verdicts = ", ".join(f"{c.name} {VERDICTS[c.verdict].label}" for c in self.contrasts)
        return f"<MetricComparison by {self.table.metric} with {self.table.names[0]}: {verdicts}>"

    def __getitem__(self, name: str) -> Contrast:
        found = {contrast.name: contrast for contrast in self.contrasts}
        if name not in found:
            raise InputError(f"unknown configuration {name!r}{suggestion(name, found)}: choose from {', '.join(found)}")
        return found[name]

    def to_dict(self) -> JsonDict:
        return {
            **self.table.to_dict(),
            "estimates": {name: interval.to_dict() for name, interval in self.estimates.items()},
            "contrasts": [contrast.to_dict() for contrast in self.contrasts],
            "ranks": None if self.ranks is None else self.ranks.to_dict(),
        }


@dataclass(frozen=True, repr=False)
class Comparison:
    """Configurations against a baseline: `comparison["wait_mean_s"]["easy"]` is one difference.

    `words()` is the answer in at most ten lines, `table()` a data frame, `plot()` a figure.
    """

    metrics: Mapping[str, MetricComparison]
    level: float
    seed: int
    caveats: tuple[str, ...] = ()  # warnings that come first
    cautions: Mapping[str, Cautions] = field(default_factory=dict)  # configuration → cautions about its jobs

    def __getitem__(self, metric: str) -> MetricComparison:
        if metric not in self.metrics:
            near = suggestion(metric, self.metrics)
            raise InputError(f"{metric!r} was not compared{near}: choose from {', '.join(self.metrics)}")
        return self.metrics[metric]

    def __repr__(self) -> str:
        every = list(self.metrics.values())
        parts = [
            f"by {each.table.metric}: " + ", ".join(f"{c.name} {VERDICTS[c.verdict].label}" for c in each.contrasts)
            for each in every
        ]
        return f"<Comparison with {every[0].table.names[0]} {'; '.join(parts)}>"

    def _repr_html_(self) -> str:
        from thinktime.study.comparison.text_tables import comparison_html

        return comparison_html(self.words(), self.cautions, {"": self})

    def plot(self, metric: str | None = None) -> Figure:
        """Draw the differences to the baseline in one metric, the first by default, coloured by verdict."""
        each = self[metric or next(iter(self.metrics))]
        return difference_figure({c.name: c for c in each.contrasts}, each.table)

    def words(self) -> list[str]:
        """Return what can and what cannot be concluded, in sentences, the most important first."""
        from thinktime.study.comparison.short_answer import Case, answer

        return answer([Case(self)], (*caveats(self.cautions), *self.caveats))

    def table(self) -> pl.DataFrame:
        """Return one row per metric and configuration, the baseline first."""
        import polars as pl

        rows = [row for each in self.metrics.values() for row in rows_of(each)]
        words = {"metric": pl.String, "configuration": pl.String, "verdict": pl.String}
        whole = dict.fromkeys(("blocks", "lower", "equal", "higher", "blocks_needed"), pl.Int64)
        return pl.DataFrame(rows, schema={name: (words | whole).get(name, pl.Float64) for name in rows[0]})

    def to_dict(self) -> JsonDict:
        """Return the JSON form, with the sentences under `words`."""
        from thinktime.result.canonical_json import jsonable

        metrics = {name: each.to_dict() for name, each in self.metrics.items()}
        cautions = {name: found.to_dict() for name, found in self.cautions.items()}
        said = {"cautions": cautions, "words": self.words()}
        return jsonable({"level": self.level, "seed": self.seed, "metrics": metrics, **said})

    def __str__(self) -> str:
        from thinktime.study.comparison.text_tables import printed, printed_answer, printed_cautions

        return "\n\n".join([printed_answer(self.words()), *printed_cautions(self.cautions), printed(self)])


def difference_figure(contrasts: Mapping[str, Contrast], table: Table) -> Figure:
    """Return the figure of differences, by label, to the baseline of a table."""
    ends = {label: _difference_ends(contrast) for label, contrast in contrasts.items()}
    about, verdicts = table.about, {label: contrast.verdict for label, contrast in contrasts.items()}
    unit = f" ({about.unit})" if about.unit not in ("", "s") else ""
    return draw(
        "paired_differences",
        ends,
        quantity=f"{what(table)}, difference to {table.names[0]}{unit}",
        seconds=about.unit == "s",
        title=f"{what(table)[:1].upper()}{what(table)[1:]}",
        metric=table.metric,
        verdicts=verdicts,
    )


def _difference_ends(contrast: Contrast) -> tuple[float, float, float]:
    """(low, difference, high); NaN ends without an interval."""
    pair = contrast.paired
    if pair is None or not pair.difference.known:
        return math.nan, contrast.difference, math.nan
    return pair.difference.low, contrast.difference, pair.difference.high


def rows_of(each: MetricComparison) -> list[JsonDict]:
    """Return the rows of the table of a comparison."""
    contrasts = {contrast.name: contrast for contrast in each.contrasts}
    return [_comparison_row(each, column, contrasts.get(name)) for column, name in enumerate(each.table.names)]


def _comparison_row(each: MetricComparison, column: int, contrast: Contrast | None) -> JsonDict:
    name = each.table.names[column]
    own = each.estimates.get(name)
    return {
        "metric": each.table.metric,
        "configuration": name,
        "blocks": len(each.table.values),
        "estimate": each.table.estimate(column),
        "low": own.low if own and own.known else None,
        "high": own.high if own and own.known else None,
        **_contrast_row(contrast),
        "average_rank": each.ranks.average[column] if each.ranks else None,
    }


def _contrast_row(contrast: Contrast | None) -> JsonDict:
    pair = contrast.paired if contrast else None
    ends = pair is not None and pair.difference.known
    return {
        "difference": contrast.difference if contrast else None,
        "difference_low": pair.difference.low if pair and ends else None,
        "difference_high": pair.difference.high if pair and ends else None,
        "bca_low": pair.bootstrap.low if pair and ends else None,
        "bca_high": pair.bootstrap.high if pair and ends else None,
        "relative": contrast.relative if contrast else None,
        "relative_low": pair.relative.low if pair and ends and pair.relative else None,
        "relative_high": pair.relative.high if pair and ends and pair.relative else None,
        "variance_reduction": pair.variance_reduction if pair else None,
        "lower": pair.lower if pair else None,
        "equal": pair.equal if pair else None,
        "higher": pair.higher if pair else None,
        "wilcoxon_p": contrast.wilcoxon.p_value if contrast and contrast.wilcoxon else None,
        "sign_p": contrast.sign.p_value if contrast and contrast.sign else None,
        "p_holm": contrast.p_holm if contrast and contrast.wilcoxon else None,
        "verdict": contrast.verdict if contrast else "baseline",
        "blocks_needed": contrast.blocks_needed if contrast else None,
    }
