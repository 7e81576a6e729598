"""`thinktime run --stream`: read, simulate and write block by block, in constant memory."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from thinktime.cli import run_folders
from thinktime.cli.commands.run.finished import FinishedRun
from thinktime.cli.commands.run.options import Request
from thinktime.cli.commands.run.stream_sources import Source, source_of
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError, OutcomeWarning


def run_streamed(requests: Sequence[Request]) -> list[FinishedRun]:
    """Simulate each request; each reads the log anew, block by block."""
    for request in requests:
        request.check()
        _require_streamable(request)
    return [_run_or_find(request) for request in requests]


def _run_or_find(request: Request) -> FinishedRun:
    from thinktime.simulation.outcome import require_complete

    source = source_of(request)
    size, because = _machine_size(request, source)
    directory = request.out or _own_name(request, source, size)
    if request.out is None and directory.exists() and not request.output.overwrite:
        done = _load_finished(request, directory, because, found=True, seconds={})
        require_complete(done.summary.cautions, request.simulation.strict)
        return done
    with source.stage() as stage:
        _simulate_stream(request, source, size, directory)
    return _load_finished(request, directory, because, found=False, seconds={"read, simulate and write": stage.seconds})


def _simulate_stream(request: Request, source: Source, size: int, directory: Path) -> None:
    from thinktime.simulation import simulate_stream

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OutcomeWarning)  # the command prints it
        simulate_stream(
            request.reading.scaled(source.open(), request.platform.size),
            request.machine(size),
            request.scheduler,
            run_folders.prepare(directory),
            overwrite=request.output.overwrite,
            **request.metrics.keywords(),
            strict=request.simulation.strict,
            requests=request.nodes.requests,
            decisions=request.output.decisions,
            read_ahead=request.output.read_ahead,
            **request.keywords,
        )


def _require_streamable(request: Request) -> None:
    """Raise InputError for options that need the whole log or the whole result in memory."""
    whole = {
        "--until": request.simulation.until_s,
        "--warmup": request.metrics.warmup_s,
        "--cooldown": request.metrics.cooldown_s,
        "--figures": request.output.figures,
        "--swf": request.output.swf,
        "--csv": request.output.csv,
        "--batsim": request.output.batsim,
        "--accasim": request.output.accasim,
    }
    asked = [option for option, value in whole.items() if value]
    if asked:
        instead = "use --window BEGIN:END" if asked[0] in ("--warmup", "--cooldown") else "remove one of them"
        raise InputError(f"{asked[0]} needs all jobs in memory, which --stream avoids: {instead}")
    if request.users.users.name != "rigid":
        request.users.users.streamed()


def _machine_size(request: Request, source: Source) -> tuple[int, str]:
    if request.platform.size is not None:
        return request.platform.size, request.platform.size_because
    return source.machine_size()


def _own_name(request: Request, source: Source, size: int) -> Path:
    """Return a directory named by the hash of the log and of the request; the jobs are not known yet."""
    from thinktime.result.canonical_json import digest_of
    from thinktime.simulation.settings import Settings

    with Stage("hashing the log"):
        content = source.content()
    settings = Settings(machine=request.machine(size), scheduler=request.scheduler, **request.keywords)
    asked = {**request.reading.to_dict(), **request.metrics.keywords(), **settings.to_dict()}
    requests = {"requests": request.nodes.requests} if request.nodes.requests else {}
    digest = digest_of({"streamed": content, **requests, **asked})
    return run_folders.own_name(source.name(), request.scheduler.text(), digest)


def _load_finished(request: Request, directory: Path, because: str, **more: Any) -> FinishedRun:
    from thinktime.result.directory.save_load import read_run_file

    content = read_run_file(directory)
    return FinishedRun(
        scheduler=request.scheduler.text(),
        name=content["spec"]["workload"]["name"],
        spec=content["spec"],
        digest=content["digest"],
        summary=run_folders.summary_of(content),
        account=content["account"],
        statistics=content["statistics"],
        directory=directory,
        machine_because=because,
        **more,
    )
