"""The page: the question, the answer first, warnings, tables, figures, and all that is needed to do it again."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from thinktime import __version__
from thinktime.metrics import EVERY_METRIC
from thinktime.report import tables
from thinktime.report.content import Content
from thinktime.report.figures import all_figures
from thinktime.result.staging import staged_file

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 980px; margin: 2em auto; padding: 0 1em; }
h1 { margin-bottom: 0; } h2 { margin-top: 2em; border-bottom: 1px solid #ddd; }
.question { font-size: 1.15em; color: #555; margin-top: .2em; }
.answer { background: #f3f8fc; border-left: 4px solid #0072B2; padding: .4em 1em .4em 1.6em; }
.warnings { background: #fdf6ec; border-left: 4px solid #E69F00; padding: .4em 1em .4em 1.6em; }
table { border-collapse: collapse; margin: .6em 0; font-size: .92em; }
th, td { padding: .25em .8em .25em 0; text-align: left; border-bottom: 1px solid #eee; vertical-align: top; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
figure { margin: 1em 0; }
details { margin: .8em 0; } summary { cursor: pointer; color: #0072B2; }
.wide { overflow-x: auto; } code, pre { font-size: .88em; } pre { background: #f7f7f7; padding: 1em; overflow-x: auto; }
"""


def write(content: Content, path: Path) -> None:
    """The page as a file; all of it or nothing."""
    text = page(content)
    with staged_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def page(content: Content) -> str:
    """The whole page, with its scripts inside."""
    content.outcomes  # noqa: B018 - tells at once if there is nothing to report
    scripts, figures = _embedded(content)
    body = "\n".join([_opening(content), _results(content), figures, _again(content)])
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{escape(content.study.name)}</title><style>{STYLE}</style>
{scripts}
</head><body>
{body}
</body></html>
"""


def _opening(content: Content) -> str:
    study = content.study
    answers = content.comparison.words() if content.comparison else [content.why_not]
    parts = [f"<h1>{escape(study.name)}</h1>", f'<p class="question">{escape(study.question)}</p>']
    parts += [_list("answer", answers)]
    parts += [_list("warnings", content.warnings)] if content.warnings else []
    parts += [f"<p>{_asked(content)}</p>"]
    return "\n".join(parts)


def _asked(content: Content) -> str:
    """`40 runs: 1 workload × 4 schedulers × 10 seeds`."""
    sizes = {name: len(entries) for name, entries in content.study.grid.items() if len(entries) > 1}
    sizes |= {"seed": len(content.study.seeds)} if len(content.study.seeds) > 1 else {}
    product = " × ".join(f"{count} of {name}" for name, count in sizes.items()) or "one cell"
    return escape(f"{len(content.tasks):,} runs asked for: {product}; {len(content.outcomes):,} carried out.")


def _list(kind: str, sentences: list[str]) -> str:
    return f'<ul class="{kind}">' + "".join(f"<li>{escape(each)}</li>" for each in sentences) + "</ul>"


def _results(content: Content) -> str:
    parts = ["<h2>Results</h2>"]
    for metric in content.study.metrics:
        unit = f" [{EVERY_METRIC[metric].unit}]" if EVERY_METRIC[metric].unit else ""
        parts.append(f'<h3>{escape(EVERY_METRIC[metric].label + unit)}</h3><div class="wide">')
        parts.append(tables.results(content, metric) + "</div>")
    return "\n".join(parts)


def _embedded(content: Content) -> tuple[str, str]:
    """Bokeh's scripts, which the page carries, and the figures."""
    from bokeh.embed import components
    from bokeh.resources import Resources

    figures: dict[str, Any] = all_figures(content)
    script, divs = components(figures)
    library = Resources(mode="inline", components=["bokeh"]).render_js()
    parts = ["<h2>Figures</h2>", *(f"<figure>{div}</figure>" for div in divs.values())]
    return f"{library}\n{script}", "\n".join(parts)


def _again(content: Content) -> str:
    """Runs, specs and the study itself."""
    study = content.study
    file = f"<h3>The study</h3><pre>{escape(study.text)}</pre>" if study.text else ""
    parts = [
        "<h2>Every run</h2>",
        _folded(f"{len(content.outcomes):,} runs", tables.runs(content)),
        "<h2>Every spec</h2>",
        _folded("what was simulated", tables.specs(content) + file),
        f"<p>thinktime {escape(__version__)}. A run is named by the hash of its log, its specs, its seed and the"
        " version: the same study gives the same runs.</p>",
    ]
    return "\n".join(parts)


def _folded(words: str, inside: str) -> str:
    return f'<details><summary>{escape(words)}</summary><div class="wide">{inside}</div></details>'
