"""Where a study runs: the options of `thinktime study run` and `resume`, and the executor that they mean.

Threads of this machine unless a Dask cluster, Slurm or PBS is named. An option that belongs to another place than
the one named is a mistake, and told.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from thinktime.cli import options as o
from thinktime.errors import InputError
from thinktime.support import terminal

WHERE, JOBS = "Where it runs", "Jobs on Slurm or PBS"

_in = partial(o.in_panel, show_default=False)


@dataclass(frozen=True, kw_only=True)
class Where:
    """What was given on the command line; `None` is not given."""

    threads: Annotated[
        int | None, _in(WHERE, "--threads", metavar="N", help="Runs at once on this machine; by default all cores.")
    ] = None
    dask: Annotated[
        str | None,
        _in(
            WHERE,
            "--dask",
            metavar="ADDRESS",
            help="A Dask cluster: tcp://host:8786, tls://host:8786 or its scheduler file.",
        ),
    ] = None
    slurm: Annotated[bool, _in(WHERE, "--slurm", help="Jobs on this Slurm site become workers.")] = False
    pbs: Annotated[bool, _in(WHERE, "--pbs", help="Jobs on this PBS site become workers.")] = False
    tls_ca_file: Annotated[
        str | None,
        _in(
            WHERE,
            "--tls-ca-file",
            metavar="PEM",
            help="Encrypt: who signs the certificates; otherwise as Dask is configured.",
        ),
    ] = None
    tls_cert: Annotated[
        str | None, _in(WHERE, "--tls-cert", metavar="PEM", help="Certificate of this client and of its jobs.")
    ] = None
    tls_key: Annotated[
        str | None, _in(WHERE, "--tls-key", metavar="PEM", help="Key of the certificate, if it is not in its file.")
    ] = None
    workers: Annotated[int | None, _in(JOBS, "--workers", metavar="N", help="Jobs to ask for; by default 2.")] = None
    cores: Annotated[int | None, _in(JOBS, "--cores", metavar="N", help="Cores of a job; by default 1.")] = None
    memory: Annotated[
        str | None, _in(JOBS, "--memory", metavar="SIZE", help="Memory of a job, as in 8GB; by default 4GB.")
    ] = None
    walltime: Annotated[
        str | None, _in(JOBS, "--walltime", metavar="H:M:S", help="Time of a job; by default 00:30:00.")
    ] = None
    queue: Annotated[str | None, _in(JOBS, "--queue", help="Queue of the jobs, Slurm's partition.")] = None
    account: Annotated[str | None, _in(JOBS, "--account", help="Who pays for the jobs.")] = None
    jobqueue: Annotated[
        list[str] | None,
        _in(
            JOBS,
            "--jobqueue",
            metavar="KEY=VALUE",
            help="Any other option of dask_jobqueue, as in interface=ib0; may be given several times.",
        ),
    ] = None
    show_script: Annotated[bool, _in(JOBS, "--show-script", help="Print the job script and do nothing else.")] = False


OF_JOBS = ("workers", "cores", "memory", "walltime", "queue", "account", "jobqueue", "show_script")
OF_TLS = ("tls_ca_file", "tls_cert", "tls_key")


def with_where(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command these options; what was given is handed over as its argument `where`."""
    hints, names = get_type_hints(Where, include_extras=True), [each.name for each in fields(Where)]

    def called(**given: Any) -> None:
        command(**{key: value for key, value in given.items() if key not in names}, where=_picked(given, names))

    own = inspect.signature(command, eval_str=True)
    kept = [each.replace(kind=each.KEYWORD_ONLY) for each in own.parameters.values() if each.name != "where"]
    added = [
        inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default) for each in fields(Where)
    ]
    added = [each.replace(annotation=hints[each.name]) for each in added]
    called.__doc__ = command.__doc__
    called.__annotations__ = {each.name: each.annotation for each in (*kept, *added)}
    called.__signature__ = own.replace(parameters=[*kept, *added])  # type: ignore[attr-defined]
    return called


def _picked(given: dict[str, Any], names: list[str]) -> Where:
    return Where(**{name: given[name] for name in names})


def executor_of(where: Where, store: Path) -> Any:
    """Threads, a Dask cluster or jobs, as the options say; the output of jobs goes into the store."""
    _check(where)
    if where.dask is not None:
        from thinktime.study.executors.dask import DaskExecutor

        return DaskExecutor(address=where.dask, tls=_tls(where), note=_note)
    if where.slurm or where.pbs:
        return _jobs(where, store)
    from thinktime.study.executors import Local

    return Local(where.threads)


def shown_script(where: Where, store: Path) -> bool:
    """Whether only the script was asked for; it is printed."""
    if where.show_script:
        _check(where)
        terminal.line(_jobs(where, store).script(), newline=False)
    return where.show_script


def _jobs(where: Where, store: Path) -> Any:
    from thinktime.study.executors.jobqueue import JobQueue

    given = {name: getattr(where, name) for name in ("workers", "cores", "memory", "walltime", "queue", "account")}
    given = {name: value for name, value in given.items() if value is not None}
    more = dict(_pair(text) for text in where.jobqueue or [])
    system = "slurm" if where.slurm else "pbs"
    return JobQueue(system=system, **given, options=more, tls=_tls(where), logs=str(store / "workers"), note=_note)


def _tls(where: Where) -> Any:
    from thinktime.study.executors.dask import Tls

    return Tls(ca_file=where.tls_ca_file, cert=where.tls_cert, key=where.tls_key)


def _check(where: Where) -> None:
    places = {"threads": where.threads is not None, "dask": where.dask is not None}
    named = [name for name, given in (places | {"slurm": where.slurm, "pbs": where.pbs}).items() if given]
    if len(named) > 1:
        raise InputError(f"--{named[0]} and --{named[1]} exclude each other: a study runs in one place")
    if not (where.slurm or where.pbs):
        _refuse(where, OF_JOBS, "--slurm or --pbs")
    if not (where.slurm or where.pbs or where.dask):
        _refuse(where, OF_TLS, "--dask, --slurm or --pbs")


def _refuse(where: Where, names: tuple[str, ...], belongs: str) -> None:
    for name in names:
        if getattr(where, name):
            raise InputError(f"--{name.replace('_', '-')} belongs to {belongs}: add it or leave the option out")


def _pair(text: str) -> tuple[str, Any]:
    """`key=value`; what reads as JSON is meant as such: a list, a number, true."""
    key, equals, value = text.partition("=")
    if not equals or not key.isidentifier():
        raise InputError(f"{text!r} is no option of dask_jobqueue: write --jobqueue key=value")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def _note(text: str) -> None:
    terminal.line(text, err=True)
