"""`thinktime run --stream`: constant memory, from the log's blocks to the run directory's."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from thinktime.cli import run_folders
from thinktime.cli.commands.run.finished import Done
from thinktime.cli.commands.run.request import Order
from thinktime.cli.printing.progress import Stage, reading
from thinktime.errors import InputError, OutcomeWarning


def run_streamed(order: Order) -> Done:
    from thinktime.simulation.outcome import require_complete
    from thinktime.traces import find_log

    order.check()
    _require_streamable(order)
    path = find_log(order.log)
    if path.exists() and not (path.is_file() or path.is_dir()):  # of folders the reader speaks
        raise InputError(f"{path} is no regular file, and --stream reads a log twice: save it as a file first")
    size, because = _machine_size(order, path)
    directory = order.out or _own_name(order, path, size)
    if order.out is None and directory.exists() and not order.overwrite:
        done = _done(directory, because, found=True, seconds={})
        require_complete(done.summary.cautions, order.strict)
        return done
    with reading(path) as stage:
        _simulate(order, path, size, directory)
    return _done(directory, because, found=False, seconds={"read, simulate and write": stage.seconds})


def _simulate(order: Order, path: Path, size: int, directory: Path) -> None:
    from thinktime.simulation import simulate_stream
    from thinktime.workload import stream_swf

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OutcomeWarning)  # the command prints it
        simulate_stream(
            stream_swf(path, machine=order.size, **order.reading.options()),  # type: ignore[arg-type]
            order.machine(size),
            order.policy,
            run_folders.prepare(directory),
            overwrite=order.overwrite,
            **order.summary_options,
            strict=order.strict,
            requests=order.requests,
            **order.rules,
        )


def _require_streamable(order: Order) -> None:
    """What needs the whole log or the whole result is refused by the name of its option."""
    whole = {
        "--until": order.until,
        "--warmup": order.warmup,
        "--cooldown": order.cooldown,
        "--figures": order.figures,
        "--swf": order.swf,
        "--csv": order.csv,
        "--batsim": order.batsim,
        "--accasim": order.accasim,
        "--decisions": order.decisions,
    }
    asked = [option for option, value in whole.items() if value]
    if asked:
        instead = "give --window BEGIN:END instead" if asked[0] in ("--warmup", "--cooldown") else "leave one out"
        raise InputError(f"{asked[0]} needs all jobs in memory, which --stream avoids: {instead}")
    users = order.rules["users"]
    if users.name != "rigid":
        raise InputError(f"--users {users.name} needs all jobs in memory, which --stream avoids: leave one out")
    from thinktime.simulation.arguments import is_generator

    if is_generator(order.log):
        name = order.log.partition(":")[0]
        raise InputError(f"--stream reads a log file, and the {name} workload is none: leave out --stream")


def _machine_size(order: Order, path: Path) -> tuple[int, str]:
    if order.size is not None:
        return order.size, order.size_because
    from thinktime.workload import stream_swf

    return stream_swf(path).machine_size()


def _own_name(order: Order, path: Path, size: int) -> Path:
    """By the hash of the log as it lies there and of all that is asked for; the jobs are not known yet."""
    from thinktime.result.canonical_json import digest_of, digest_of_file
    from thinktime.simulation.settings import Settings
    from thinktime.traces import log_name

    with Stage("hashing the log"):
        content = digest_of_file(path)
    settings = Settings(machine=order.machine(size), scheduler=order.policy, **order.rules)
    asked = {**order.reading.options(), **order.summary_options, **settings.to_dict()}
    digest = digest_of({"streamed": content, **asked})
    return run_folders.own_name(log_name(path), order.policy.name, digest)


def _done(directory: Path, because: str, **more: Any) -> Done:
    from thinktime.result.directory.save_load import read_run_file

    content = read_run_file(directory)
    return Done(
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
