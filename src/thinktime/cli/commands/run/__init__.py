"""`thinktime run`: simulate a log and write a run directory."""

from __future__ import annotations

import typer

from thinktime.cli import options as o
from thinktime.cli.commands.run.request import Order
from thinktime.support import terminal

app = typer.Typer(add_completion=False, rich_markup_mode="rich")


@app.command("run")
def run(
    log: o.Log,
    processors: o.Processors = None,
    cluster: o.Cluster = None,
    speed: o.Speed = "1",
    scheduler: o.Scheduler = "easy",
    allocator: o.Allocator = None,
    plugin: o.Plugins = None,
    requests: o.Requests = None,
    users: o.Users = "rigid",
    applications: o.Applications = "fixed",
    estimates: o.EstimatesOption = "requested",
    until: o.Until = None,
    seed: o.Seed = None,
    filter: o.Filter = "base",
    processor_field: o.ProcessorField = None,
    remove: o.Remove = None,
    overrun: o.Overrun = "extend",
    oversized: o.Oversized = "reject",
    admission: o.Admission = None,
    same_instant: o.SameInstant = "batch",
    window: o.Window = None,
    warmup: o.Warmup = None,
    cooldown: o.Cooldown = None,
    tau: o.Tau = "10",
    out: o.Out = None,
    overwrite: o.Overwrite = False,
    figures: o.Figures = None,
    formats: o.Formats = "png",
    swf: o.Swf = False,
    csv: o.Csv = False,
    batsim: o.Batsim = False,
    accasim: o.Accasim = False,
    decisions: o.Decisions = False,
    stream: o.Stream = False,
    strict: o.Strict = False,
    as_json: o.Json = False,
) -> None:
    """Simulate a log and write a run directory.

    LOG is a file, plain or packed, or the name of a log in the logs folder,
    or `default`, the package's own generated workload.

    Durations are seconds, or have a unit: 90m, 12h, 7d.

    Example: thinktime run default --scheduler easy:order=sjf --warmup 7d

    Example: thinktime run KTH-SP2-1996-2.1-cln.swf.gz --out kth --csv

    Example: thinktime run HPC2N-2002-2.2-cln --cluster seth --allocator best-fit

    Example: thinktime run default --applications loop:technique=fac,variation=0.2
    """
    order = Order(**locals())
    if stream:
        from thinktime.cli.commands.run.streamed import run_streamed as carry_out
    else:
        from thinktime.cli.commands.run.in_memory import run_in_memory as carry_out
    done = carry_out(order)
    for each in done.summary.cautions.warned():
        terminal.line(f"thinktime: warning: {each.sentence}", err=True)
    done.print_json() if as_json else done.print(order)
