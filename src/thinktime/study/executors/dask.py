"""Runs a study on an existing Dask cluster, by the address of its scheduler.

`DaskExecutor(address="tcp://host:8786")(tasks)` yields outcomes as they arrive. TLS is that of Dask: files given
here, or its configuration. Workers need the same version of thinktime. Modules with the user's own policies are
imported there, or sent (`own_modules.py`).
"""

from __future__ import annotations

import pydoc
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from thinktime import __version__
from thinktime.errors import InputError
from thinktime.study.execute import Outcome
from thinktime.study.executors.own_modules import make_importable, modules_of
from thinktime.study.study import Task

if TYPE_CHECKING:
    from distributed import Client, Security

    from thinktime.study.executors.dask_flow import Note

ADDRESS = re.compile(r"[a-z]+://[^/\s]+:\d+/?")


def quiet(_: str) -> None:
    """Discard a note."""


@dataclass(frozen=True, kw_only=True)
class Tls:
    """The files of a cluster with TLS; the same certificate serves client, scheduler and workers."""

    ca_file: str | None = None
    cert: str | None = None
    key: str | None = None  # may be in the file of the certificate

    def __post_init__(self) -> None:
        for name, file in vars(self).items():
            if file is not None and not Path(file).is_file():
                raise InputError(f"No file {file}: --tls-{name.replace('_', '-')} takes a PEM file")

    def security(self) -> Security | None:
        """Return Dask's security settings; None leaves them to its configuration."""
        from distributed import Security

        roles = {f"tls_{role}_{part}": getattr(self, part) for role in _ROLES for part in ("cert", "key")}
        given = {name: file for name, file in {"tls_ca_file": self.ca_file, **roles}.items() if file}
        return Security(require_encryption=True, **given) if given else None


_ROLES = ("client", "scheduler", "worker")


@dataclass(frozen=True, kw_only=True)
class DaskExecutor:
    """A cluster by address, or by the `scheduler.json` of its scheduler (`dask scheduler --scheduler-file`)."""

    address: str
    tls: Tls = field(default_factory=Tls)
    timeout_s: float = 5.0  # to connect
    workers_timeout_s: float = 60.0  # for the first worker to be there
    note: Note = quiet

    def __call__(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        if not (tasks := Waiting(tasks)):
            return
        with connected(self.address, self.tls.security(), self.timeout_s) as client:
            self._wait(client)
            yield from outcomes(client, tasks, self.note)

    def _wait(self, client: Client) -> None:
        from distributed import TimeoutError

        try:
            client.wait_for_workers(1, timeout=self.workers_timeout_s)
        except TimeoutError:
            raise InputError(
                f"the scheduler {self.address} has no workers: start some with `dask worker {self.address}`"
            ) from None


class Waiting:
    """Tasks of which the first is already taken, to know whether a cluster is needed."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._rest = iter(tasks)
        self._first = list(islice(self._rest, 1))

    def __bool__(self) -> bool:
        return bool(self._first)

    def __iter__(self) -> Iterator[Task]:
        return chain(self._first, self._rest)


def outcomes(client: Client, tasks: Iterable[Task], note: Note) -> Iterator[Outcome]:
    """Yield all outcomes. An early stop or an interruption cancels what is queued on the cluster."""
    from thinktime.study.executors.dask_flow import Flow

    tasks = list(tasks)
    modules = modules_of(tasks)
    check_versions(client)
    make_importable(client, modules)
    flow = Flow(client, tasks, note, modules)
    try:
        yield from flow
    finally:
        flow.cancel()


@contextmanager
def connected(address: str, security: Security | None, timeout_s: float) -> Iterator[Client]:
    """A client that is not the default of Dask, because the caller may use another cluster."""
    client = _client(address, security, timeout_s)
    try:
        yield client
    finally:
        client.close()


def _client(address: str, security: Security | None, timeout_s: float) -> Client:
    need("distributed")
    from distributed import Client

    where = {"scheduler_file": address} if address.endswith(".json") else {"address": _check_scheduler_address(address)}
    try:
        return Client(**where, security=security, timeout=timeout_s, set_as_default=False)
    except (OSError, TypeError, RuntimeError, ValueError) as error:
        raise InputError(
            f"No Dask scheduler answered at {address} within {timeout_s:g} s ({_first_cause(error)}):"
            f" check the address, and the TLS files if it uses TLS"
        ) from None


def _check_scheduler_address(address: str) -> str:
    if not ADDRESS.fullmatch(address):
        raise InputError(
            f"{address!r} is not an address of a Dask scheduler: write tcp://host:8786, tls://host:8786"
            f" or the path of its scheduler file"
        )
    return address


def _first_cause(error: BaseException) -> str:
    first = error
    while (first.__cause__ or first.__context__) is not None:
        first = first.__cause__ or first.__context__  # type: ignore[assignment]
    return f"{type(first).__name__}: {first}" if str(first) else type(first).__name__


def check_versions(client: Client) -> None:
    """Raise InputError unless the scheduler and every worker have this version of thinktime."""
    ask = pydoc.locate, "thinktime.__version__"  # in the standard library; None without thinktime
    places = {"the scheduler": client.run_on_scheduler(*ask)}
    places |= {f"worker {name}": version for name, version in client.run(*ask, on_error="return").items()}
    for place, version in places.items():
        if isinstance(version, OSError):  # its connection is closed: it computes nothing
            continue
        if isinstance(version, Exception):
            raise version
        if version != __version__:
            has = f"thinktime {version}" if version else "no thinktime"
            raise InputError(f"{place} has {has} but this is {__version__}: install the same version everywhere")


def need(module: str) -> None:
    """Raise InputError if an optional dependency is missing."""
    from importlib.util import find_spec

    if find_spec(module) is None:
        raise InputError(f'{module} is not installed: pip install "thinktime[cluster]"')
