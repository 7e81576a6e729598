"""Runs tasks in processes of this machine, so that metrics are computed in parallel, too.

A worker is a separate interpreter that reads tasks from one pipe and writes outcomes to another (`serve`). It ends when
the pipe ends, and so with its parent. If a worker dies, its run is recorded as failed and a new worker is started.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys

from thinktime.study.execute import OnProgress, Outcome, execute
from thinktime.study.executors.own_modules import only_here
from thinktime.study.executors.threads import Threads
from thinktime.study.study import Task

DIED = "the process of this run died, possibly for lack of memory: run the study again with fewer threads"
COMMAND = f"from {__name__} import serve; serve()"


class Processes(Threads):
    """`for outcome in Processes(2)(tasks)`: every thread has a worker process and waits for it."""

    def _worker(self) -> Worker:
        return Worker()


class Worker:
    """Runs tasks in another process, which is started with the first task and again if it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, task: Task, on_progress: OnProgress | None = None) -> Outcome:
        if only_here(task):
            return execute(task, on_progress)
        try:
            process = self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            pickle.dump(task, process.stdin)
            process.stdin.flush()
            outcome: Outcome = pickle.load(process.stdout)
            return outcome
        except (OSError, EOFError, pickle.UnpicklingError):
            self.close()
            return {"run": task.run, "cell": dict(task.cell), "error": DIED, "seconds": 0.0}

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            paths = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            self._process = subprocess.Popen([sys.executable, "-c", COMMAND], env=paths, **pipes)  # type: ignore[call-overload]
        return self._process


def serve() -> None:
    """Read tasks and write outcomes until the pipe ends, in the worker. The parent handles Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # printed text must not mix with the outcomes
    while True:
        try:
            task = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(execute(task), out)
        out.flush()
