"""Cautions: how many jobs were killed, rejected, left unfinished, …, and which metrics that changes.

A summary, a run, a study's outcome and a comparison each hold one `Cautions`; every text, table, page and figure
reads it. `caution_kinds.py` has the kinds and their words, `count_cautions.py` counts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from thinktime.metrics.caution_kinds import KINDS, Kind

SMALL = 0.0005  # a smaller share is written `under 0.1 %`
SHOWN = 4  # configurations that are listed; of more, only the one with the largest share
NOTHING_LEFT = "no job is left to count, so waits, responses and slowdowns have no value"
SHORT = 90  # letters of a list in an answer


@dataclass(frozen=True)
class Caution:
    """One kind that happened at least once."""

    name: str  # a key of KINDS
    count: int
    of: int  # number of jobs, lines or runs
    because: str = ""  # reasons, with their counts
    advice: str = ""  # what to do about it

    @property
    def kind(self) -> Kind:
        return KINDS[self.name]

    @property
    def share(self) -> float:
        return self.count / self.of if self.of else 0.0

    @property
    def amount(self) -> str:
        """`13,069 of 28,475 jobs (45.9 %)`; one run needs no count."""
        return "The run" if self._only_run else self.fraction

    @property
    def fraction(self) -> str:
        """`13,069 of 28,475 jobs (45.9 %)`."""
        return f"{self.count:,} of {self.of:,} {self.kind.noun} ({percent(self.share)})"

    @property
    def _only_run(self) -> bool:
        return self.kind.per_run and self.of == 1

    @property
    def mark(self) -> str:
        """`13,069 killed`, for a table of metrics."""
        return self.kind.label if self._only_run else f"{self.count:,} {self.kind.label}"

    @property
    def sentence(self) -> str:
        """What happened, how often, and the effect on the metrics."""
        what = self.kind.one if self.count == 1 else self.kind.many
        because = f" ({self.because})" if self.because else ""
        said = f"{self.amount} {what}{because}: {self._effect}."
        return f"{said} {self.advice}" if self.advice else said

    @property
    def _effect(self) -> str:
        nothing_left = self.kind.uncounted and self.count == self.of
        return NOTHING_LEFT if nothing_left else self.kind.effect

    def to_dict(self) -> dict[str, Any]:
        texts = {"because": self.because, "advice": self.advice}
        return {
            "count": self.count,
            "of": self.of,
            "share": self.share,
            "metrics": self.kind.metrics,
            "sentence": self.sentence,
            **{name: words for name, words in texts.items() if words},
        }


@dataclass(frozen=True)
class Cautions:
    """The cautions of a run, the most important first; empty if every job ran as recorded."""

    found: tuple[Caution, ...] = ()

    def __iter__(self) -> Iterator[Caution]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __contains__(self, name: object) -> bool:
        return any(each.name == name for each in self.found)

    def __repr__(self) -> str:
        return f"<Cautions: {self.short() or 'none'}>"

    def count(self, name: str) -> int:
        """Return the count of a kind; 0 if it did not happen."""
        return sum(each.count for each in self.found if each.name == name)

    def of(self, metric: str) -> Cautions:
        """Return the cautions that change this metric."""
        return Cautions(tuple(each for each in self.found if each.kind.changes(metric)))

    def strict(self) -> Cautions:
        """Return those that `strict=True` does not accept: jobs that did not complete, unless the run was stopped."""
        return Cautions(tuple(each for each in self.found if each.kind.strict))

    def warned(self) -> Cautions:
        """Return those that no rule of the simulation requested."""
        return Cautions(tuple(each for each in self.found if each.kind.warned))

    def short(self) -> str:
        """`13,069 killed, 475 over estimate`; empty if nothing happened."""
        return ", ".join(each.mark for each in self.found)

    def sentences(self) -> list[str]:
        return [each.sentence for each in self.found]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: kind → count, of, share, metrics, sentence."""
        return {each.name: each.to_dict() for each in self.found}

    @classmethod
    def from_dict(cls, said: Mapping[str, Mapping[str, Any]]) -> Cautions:
        """Return the cautions of `to_dict`; unknown kinds are left out."""
        known = [(name, said[name]) for name in KINDS if name in said]
        words = ("because", "advice")
        return cls(
            tuple(
                Caution(name, int(each["count"]), int(each["of"]), **{key: str(each.get(key, "")) for key in words})
                for name, each in known
            )
        )

    @classmethod
    def pooled(cls, runs: Iterable[tuple[Cautions, int]]) -> Cautions:
        """Return the cautions of several runs together, each with its number of jobs; counts are added."""
        every = list(runs)
        return cls(tuple(_pooled(name, every) for name in KINDS if any(name in found for found, _ in every)))


def _pooled(name: str, runs: list[tuple[Cautions, int]]) -> Caution:
    alike = [each for found, _ in runs for each in found if each.name == name]
    one_each = KINDS[name].per_run  # counted in runs; all others in jobs or lines
    without = sum(1 if one_each else jobs for found, jobs in runs if name not in found)
    because, advice = ({getattr(each, key) for each in alike} for key in ("because", "advice"))
    return Caution(
        name,
        sum(each.count for each in alike),
        sum(each.of for each in alike) + without,
        because.pop() if len(because) == 1 and len(alike) == 1 else "",
        advice.pop() if len(advice) == 1 else "",
    )


def compared(configurations: Mapping[str, Cautions]) -> list[str]:
    """Return one sentence per kind: counts by configuration, and the effect on the metrics."""
    return [_caution_over_configurations(name, configurations, True) for name in _happened(configurations)]


def caveats(configurations: Mapping[str, Cautions]) -> list[str]:
    """Return short sentences on the kinds that can reverse a comparison, without their effects."""
    grave = [name for name in _happened(configurations) if KINDS[name].strict or name in ("saturated", "stopped")]
    return [_caution_over_configurations(name, configurations, False) for name in grave]


def _happened(configurations: Mapping[str, Cautions]) -> list[str]:
    return [name for name in KINDS if any(name in each for each in configurations.values())]


def _caution_over_configurations(name: str, configurations: Mapping[str, Cautions], effects: bool) -> str:
    kind = KINDS[name]
    found = {key: each for key, of in configurations.items() for each in of if each.name == name}
    alike = len(found) == len(configurations) > 1 and len({(each.count, each.of) for each in found.values()}) == 1
    others = " The means of the configurations are over different jobs." if kind.uncounted and not alike else ""
    said = f"{_capital(kind.label)}: {_where_it_happened(found, configurations, alike, effects)}.{others}"
    if not effects:
        return said
    advice = {each.advice for each in found.values()}
    return f"{said} {_capital(kind.effect)}." + (f" {advice.pop()}" if len(advice) == 1 and any(advice) else "")


def _where_it_happened(
    found: Mapping[str, Caution], configurations: Mapping[str, Cautions], alike: bool, named: bool
) -> str:
    """`7 of 60 jobs (11.7 %) in easy; none in the others`."""
    if alike:
        return f"{next(iter(found.values())).fraction} in each"
    rest = ["none in the others"] if len(found) < len(configurations) else []
    listed = "; ".join([*_fractions_by_configuration(found), *rest])
    if len(found) <= SHOWN and (named or len(listed) <= SHORT):
        return listed
    most = max(found, key=lambda key: found[key].share)
    where = f"in {len(found)} of {len(configurations)} configurations"
    return f"{where}, most in {most}: {found[most].fraction}" if named else where


def _fractions_by_configuration(found: Mapping[str, Caution]) -> Iterator[str]:
    """`7 of 60 jobs (11.7 %) in easy`; configurations with the same counts together."""
    together: dict[str, list[str]] = {}
    for name, each in found.items():
        together.setdefault(each.fraction, []).append(name)
    for fraction, names in together.items():
        yield f"{fraction} in {names[0]}" if len(names) == 1 else f"{fraction} in each of ({'; '.join(names)})"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def percent(share: float) -> str:
    """`45.9 %`; never 0.0 % for something that happened."""
    return "under 0.1 %" if 0 < share < SMALL else f"{100 * share:.1f} %"
