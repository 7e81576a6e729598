"""The catalogue of figure kinds. The command line, the report, the docs and `tt.plots` read it.

A module of `plots` registers each of its figures with `@figure(needs, caption)`. Modules are found by listing the
folders: adding a figure edits one file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from thinktime.errors import InputError
from thinktime.spec import one_of, suggestion

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Options = ParamSpec("Options")
Drawn = TypeVar("Drawn")

#: what a figure is drawn from → words for help and docs
SUBJECTS = {
    "run": "one run, or several that get a panel each",
    "runs": "several runs, as a mapping from names to runs or as a list",
    "workload": "a workload",
    "sessions": "a workload, and session graphs by name",
    "replays": "pairs of runs or values by name: rigid users and users who react",
    "description": "a description, and optionally others and resamples",
    "comparison": "a comparison of descriptions",
    "bootstrap": "a bootstrap",
    "sweep": "a load sweep",
    "values": "numbers by name",
}


@dataclass(frozen=True)
class Kind:
    """One kind of figure."""

    name: str  # of the function, which is also a good file name
    needs: str  # a key of SUBJECTS
    draw: Callable[..., Figure]
    caption: str  # how to read the figure
    usual: bool  # part of `run_figures` and the like
    example: str  # the code that draws the picture of the gallery
    available: Callable[[Any], bool]  # whether the subject has what the figure shows


_KINDS: dict[str, Kind] = {}


#: what a figure is drawn from → arguments in the examples of the gallery
_ARGUMENTS = {
    "workload": "log",
    "sessions": "log, graphs",
    "description": "description, others",
}


def figure(
    needs: str,
    caption: str,
    *,
    usual: bool = True,
    example: str = "",
    available: Callable[[Any], bool] = lambda _: True,
) -> Callable[[Callable[Options, Drawn]], Callable[Options, Drawn]]:
    """Register a function that draws a figure.

    Parameters
    ----------
    needs
        What the figure is drawn from, a key of `SUBJECTS`.
    caption
        How to read the figure, in one or two sentences.
    usual
        Whether `run_figures`, `workload_figures` or `comparison_figures` draw it.
    example
        Arguments of the example in the gallery, with the names that `docs/make_gallery.py` defines.
    available
        Tells whether a subject has what the figure shows.
    """
    assert needs in SUBJECTS, needs

    def register(draw: Callable[Options, Drawn]) -> Callable[Options, Drawn]:
        name = draw.__name__
        code = f"tt.plots.{name}({example or _ARGUMENTS.get(needs, needs)})"
        _KINDS[name] = Kind(name, needs, draw, caption, usual, code, available)  # type: ignore[arg-type]
        return draw

    return register


def modules() -> Iterator[str]:
    """The names of all modules with figures."""
    import thinktime.plots as package

    for _, name, is_folder in pkgutil.walk_packages(package.__path__, "thinktime.plots."):
        if not is_folder and ".kit." not in name and name != __name__:
            yield name


def kinds(needs: str | None = None) -> dict[str, Kind]:
    """All kinds of figures by name, or those that are drawn from one subject (a key of `SUBJECTS`).

    Examples
    --------
    >>> from thinktime import plots
    >>> sorted(plots.kinds("sweep"))
    ['load_sweep']
    """
    if needs is not None:
        one_of("needs", needs, tuple(SUBJECTS))
    for name in modules():
        importlib.import_module(name)
    order = {subject: k for k, subject in enumerate(SUBJECTS)}
    found = sorted(_KINDS.values(), key=lambda kind: order[kind.needs])
    return {kind.name: kind for kind in found if needs in (None, kind.needs)}


def kind_named(name: str) -> Kind:
    """Return the kind of this name; raise InputError with the closest names."""
    known = kinds()
    if name not in known:
        raise InputError(f"no figure kind named {name!r}{suggestion(name, known)}: tt.plots.kinds() lists all")
    return known[name]


def draw(name: str, *subject: Any, **options: Any) -> Figure:
    """Draw the figure of this name.

    Parameters
    ----------
    name
        A key of `kinds()`, such as "gantt".
    subject
        What the figure needs, such as a run.
    options
        Keywords of the figure's function.
    """
    return kind_named(name).draw(*subject, **options)


def usual_figures(needs: str, subject: Any) -> dict[str, Figure]:
    """The usual figures of a subject by name: those of `kinds(needs)` that have something to show."""
    return {name: kind.draw(subject) for name, kind in kinds(needs).items() if kind.usual and kind.available(subject)}
