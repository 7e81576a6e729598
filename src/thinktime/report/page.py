"""The page: question, answer, warnings, tables by log, figures, and every run and spec."""

from __future__ import annotations

from html import escape
from pathlib import Path

from thinktime import __version__
from thinktime.report import tables
from thinktime.report.content import Content
from thinktime.report.page_figures import Drawn, all_figures
from thinktime.result.directory.staging import staged_file
from thinktime.study.comparison.short_answer import Case
from thinktime.support.colours import BLUE, ORANGE

STYLE = f"""
body {{ font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 980px; margin: 2em auto; padding: 0 1em; }}
h1 {{ margin-bottom: 0; }} h2 {{ margin-top: 2em; border-bottom: 1px solid #ddd; }}
.question {{ font-size: 1.15em; color: #555; margin-top: .2em; }}
.answer {{ background: #f3f8fc; border-left: 4px solid {BLUE}; padding: .4em 1em .4em 1.6em; }}
.caution {{ color: #8a5a00; }}
.warnings {{ background: #fdf6ec; border-left: 4px solid {ORANGE}; padding: .4em 1em .4em 1.6em; }}
.legend, figcaption {{ color: #555; font-size: .9em; }}
table {{ border-collapse: collapse; margin: .6em 0; font-size: .92em; }}
th, td {{ padding: .25em .8em .25em 0; text-align: left; border-bottom: 1px solid #eee; vertical-align: top; }}
td small {{ white-space: nowrap; }} .verdict {{ font-weight: 600; }}
.n {{ text-align: right; font-variant-numeric: tabular-nums; }}
figure {{ margin: 1em 0; overflow-x: auto; }}
details {{ margin: .8em 0; }} summary {{ cursor: pointer; color: {BLUE}; }}
.wide {{ overflow-x: auto; }} code, pre {{ font-size: .88em; }}
pre {{ background: #f7f7f7; padding: 1em; overflow-x: auto; }}
"""


def write(content: Content, path: Path) -> None:
    """Write the page to a file; the file appears whole or not at all."""
    text = page(content)
    with staged_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def page(content: Content) -> str:
    """The page as HTML with its scripts; raise InputError if no run has a value."""
    content.outcomes  # noqa: B018 - raises at once if there is no data
    scripts, figures = _embedded(content)
    body = "\n".join([_opening(content), _results(content), figures, _again(content)])
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(content.study.name)}</title><style>{STYLE}</style>
{scripts}
</head><body>
{body}
</body></html>
"""


def _opening(content: Content) -> str:
    study = content.study
    answers = content.conclusions.words() if content.conclusions else [content.why_not]
    parts = [f"<h1>{escape(study.name)}</h1>", f'<p class="question">{escape(study.question)}</p>']
    parts += ["<h2>Answer</h2>", _list("answer", answers)]
    parts += ["<h2>Warnings</h2>", _list("warnings", content.warnings)] if content.warnings else []
    parts += [f"<p>{_asked(content)}</p>"]
    return "\n".join(parts)


def _asked(content: Content) -> str:
    """`40 runs: 4 schedulers × 10 seeds`."""
    sizes = {name: len(entries) for name, entries in content.study.grid.items() if len(entries) > 1}
    sizes |= {"seed": len(content.study.seeds)} if len(content.study.seeds) > 1 else {}
    product = " × ".join(f"{count} {_plural(name)}" for name, count in sizes.items()) or "one cell"
    once = " (one seed for runs without random numbers)" if "seed" in sizes and content.study.unseeded() else ""
    return escape(f"{len(content.tasks):,} runs planned: {product}{once}; {len(content.outcomes):,} done.")


def _plural(dimension: str) -> str:
    """Plural of a dimension: user models for users, otherwise with an s."""
    return "user models" if dimension == "users" else dimension if dimension.endswith("s") else f"{dimension}s"


def _list(kind: str, sentences: list[str]) -> str:
    return f'<ul class="{kind}">' + "".join(f"<li>{escape(each)}</li>" for each in sentences) + "</ul>"


def _results(content: Content) -> str:
    """One table per log with every metric; intervals and tests are folded."""
    found = content.conclusions
    if found is None:
        return f'<h2>Results</h2><div class="wide">{tables.plain_results(content)}</div>'
    parts = [f"<h2>Results{' by log' if len(_by_log(found.cases)) > 1 else ''}</h2>"]
    for log, cases in _by_log(found.cases).items():
        parts.append(f"<h3>{escape(log)}</h3>" if log else "")
        parts.append(f'<div class="wide">{tables.overview(cases)}</div>')
    parts.append(
        f'<p class="legend">Differences are to {escape(content.baseline)}. {tables.legend_of(found.cases)}</p>'
    )
    inside = "\n".join(f"<h3>{escape(case.place)}</h3>{tables.detail(case)}" for case in found.cases)
    return "\n".join([*parts, _folded("intervals, tests and ranks", inside)])


def _by_log(cases: tuple[Case, ...]) -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = {}
    for case in cases:
        found.setdefault(case.log, []).append(case)
    return found


def _embedded(content: Content) -> tuple[str, str]:
    """Bokeh's scripts and the figures; without figures no scripts."""
    from bokeh.embed import components
    from bokeh.resources import Resources

    drawn: dict[str, Drawn] = all_figures(content)
    if not drawn:
        return "", "<p>No figures: no run has a value.</p>"
    script, divs = components({name: each.plot for name, each in drawn.items()})
    library = Resources(mode="inline", components=["bokeh"]).render_js()
    figures = [
        f"<figure>{divs[name]}<figcaption>{escape(each.caption)}</figcaption></figure>" for name, each in drawn.items()
    ]
    return f"{library}\n{script}", "\n".join(["<h2>Figures</h2>", *figures])


def _again(content: Content) -> str:
    """Runs, specs and the study itself."""
    study = content.study
    file = f"<h3>The study</h3><pre>{escape(study.text)}</pre>" if study.text else ""
    parts = [
        "<h2>Every run</h2>",
        _folded(f"{len(content.outcomes):,} runs", tables.runs(content)),
        "<h2>Every spec</h2>",
        _folded("what was simulated", tables.specs(content) + file),
        f"<p>thinktime {escape(__version__)}. A run is identified by the hash of its log, specs, seed and version:"
        " the same study gives the same runs.</p>",
    ]
    return "\n".join(parts)


def _folded(words: str, inside: str) -> str:
    return f'<details><summary>{escape(words)}</summary><div class="wide">{inside}</div></details>'
