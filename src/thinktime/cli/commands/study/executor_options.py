"""Where a study runs: the options of `thinktime study run` and `resume`, and the executor that they describe.

A study runs in threads of this machine unless a Dask cluster, Slurm or PBS is given.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from thinktime.cli import parsing
from thinktime.cli.options import flag, option, option_group, repeated_option, text
from thinktime.errors import InputError
from thinktime.support import terminal

JOBS = "Jobs on Slurm or PBS"


@option_group("Where it runs")
class ExecutorOptions:
    """Where the runs of a study are computed."""

    threads: int | None = option(
        "--threads",
        parsing.whole,
        metavar="N",
        help="Number of simultaneous runs on this machine (default: all cores).",
    )
    dask: str | None = option(
        "--dask",
        text,
        metavar="ADDRESS",
        help="Use a Dask cluster: tcp://host:8786, tls://host:8786 or its scheduler file.",
    )
    slurm: bool = flag("--slurm", help="Start workers as jobs of this Slurm site.")
    pbs: bool = flag("--pbs", help="Start workers as jobs of this PBS site.")
    tls_ca_file: str | None = option(
        "--tls-ca-file",
        text,
        metavar="PEM",
        help="Encrypt connections; file of the certificate authority (default: Dask's configuration).",
    )
    tls_cert: str | None = option("--tls-cert", text, metavar="PEM", help="Certificate of this client and of its jobs.")
    tls_key: str | None = option(
        "--tls-key", text, metavar="PEM", help="Key of the certificate, if it is in another file."
    )
    workers: int | None = option(
        "--workers", parsing.whole, metavar="N", panel=JOBS, help="Number of jobs to submit (default: 2)."
    )
    cores: int | None = option("--cores", parsing.whole, metavar="N", panel=JOBS, help="Cores per job (default: 1).")
    memory: str | None = option(
        "--memory", text, metavar="SIZE", panel=JOBS, help="Memory per job, for example 8GB (default: 4GB)."
    )
    walltime: str | None = option(
        "--walltime", text, metavar="H:M:S", panel=JOBS, help="Time limit of a job (default: 00:30:00)."
    )
    queue: str | None = option(
        "--queue", text, metavar="NAME", panel=JOBS, help="Queue (Slurm: partition) of the jobs."
    )
    account: str | None = option("--account", text, metavar="NAME", panel=JOBS, help="Account that is charged.")
    jobqueue: tuple[str, ...] = repeated_option(
        "--jobqueue",
        text,
        metavar="KEY=VALUE",
        panel=JOBS,
        help="Another option of dask_jobqueue, for example interface=ib0. Repeatable.",
    )
    show_script: bool = flag("--show-script", panel=JOBS, help="Only print the job script.")


OF_JOBS = ("workers", "cores", "memory", "walltime", "queue", "account", "jobqueue", "show_script")
OF_TLS = ("tls_ca_file", "tls_cert", "tls_key")


def executor_of(where: ExecutorOptions, store: Path) -> Any:
    """Return the executor; the output of jobs goes into the store."""
    _check_place(where)
    if where.dask is not None:
        from thinktime.study.executors.dask import DaskExecutor

        return DaskExecutor(address=where.dask, tls=_tls(where), note=_print_note)
    if where.slurm or where.pbs:
        return _job_queue(where, store)
    from thinktime.study.executors import Local

    return Local(where.threads)


def shown_script(where: ExecutorOptions, store: Path) -> bool:
    """Print the job script if only that was asked for; return whether it was."""
    if where.show_script:
        _check_place(where)
        terminal.line(_job_queue(where, store).script(), newline=False)
    return where.show_script


def _job_queue(where: ExecutorOptions, store: Path) -> Any:
    from thinktime.study.executors.jobqueue import JobQueue

    given = {name: getattr(where, name) for name in ("workers", "cores", "memory", "walltime", "queue", "account")}
    given = {name: value for name, value in given.items() if value is not None}
    more = dict(_pair(text) for text in where.jobqueue)
    system = "slurm" if where.slurm else "pbs"
    return JobQueue(
        system=system, **given, options=more, tls=_tls(where), logs=str(store / "workers"), note=_print_note
    )


def _tls(where: ExecutorOptions) -> Any:
    from thinktime.study.executors.dask import Tls

    return Tls(ca_file=where.tls_ca_file, cert=where.tls_cert, key=where.tls_key)


def _check_place(where: ExecutorOptions) -> None:
    places = {"threads": where.threads is not None, "dask": where.dask is not None}
    named = [name for name, given in (places | {"slurm": where.slurm, "pbs": where.pbs}).items() if given]
    if len(named) > 1:
        raise InputError(f"--{named[0]} and --{named[1]} exclude each other: give one")
    if not (where.slurm or where.pbs):
        _refuse(where, OF_JOBS, "--slurm or --pbs")
    if not (where.slurm or where.pbs or where.dask):
        _refuse(where, OF_TLS, "--dask, --slurm or --pbs")


def _refuse(where: ExecutorOptions, names: tuple[str, ...], belongs: str) -> None:
    for name in names:
        if getattr(where, name):
            raise InputError(f"--{name.replace('_', '-')} needs {belongs}: add it, or remove the option")


def _pair(text: str) -> tuple[str, Any]:
    """Return key and value; a value that is valid JSON is read as JSON (a list, a number, true)."""
    key, equals, value = text.partition("=")
    if not equals or not key.isidentifier():
        raise InputError(f"--jobqueue must be KEY=VALUE (got {text!r})")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def _print_note(text: str) -> None:
    terminal.line(text, err=True)
