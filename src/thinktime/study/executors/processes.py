"""Processes of this machine: what a run does outside the engine, metrics and sketches, then runs at once as well.

A worker is an interpreter of its own that reads tasks from a pipe and writes outcomes to another (`serve`). It ends
when the pipe does, and so with its parent, however that ended. A worker that dies takes its run with it: that one is
told as failed, and a new worker goes on.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from typing import Any

from thinktime.study.execute import Outcome, execute
from thinktime.study.executors.own import only_here
from thinktime.study.executors.threads import Threads
from thinktime.study.study import Task

DIED = "the process that carried it out died, perhaps for want of memory: run the study again with fewer at once"
COMMAND = f"from {__name__} import serve; serve()"


class Processes(Threads):
    """`for outcome in Processes(2)(tasks)`: every thread has a worker, and waits for it."""

    def _worker(self) -> Worker:
        return Worker()


class Worker:
    """Carries out tasks in another process; started with the first task, and again if it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, task: Task, hear: Any = None) -> Outcome:
        if only_here(task):
            return execute(task, hear)
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
    """In the worker: tasks in, outcomes out, until the pipe ends. Ctrl-C is the parent's to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed must not get between the outcomes
    while True:
        try:
            task = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(execute(task), out)
        out.flush()
