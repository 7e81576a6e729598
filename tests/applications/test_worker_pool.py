"""Workers that fail, lie or fall silent: one sentence each, and nothing left running."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.applications.workers import scripted, simgrid_command
from tests.effort import examples
from tests.shared_data import ROOT
from thinktime.applications.simgrid import WORKER
from thinktime.applications.worker_messages import JobAnswer, JobMessage, MessageError
from thinktime.applications.worker_pool import WorkerPool
from thinktime.applications.worker_process import Worker
from thinktime.errors import InputError

ANSWER = '{"job": 1, "duration_s": 3.0, "core_end_s": [3.0, 1.0], "busy_s": 4.0, "chunks": 2}'
SIMPLE = JobMessage(tasks=np.array([3.0, 1.0]), speeds=np.ones(2), chunks=[1])


class Halves:
    """A technique that remembers what it was told."""

    def __init__(self) -> None:
        self.heard: list[tuple[Any, ...]] = []

    def chunk(self, core: int, remaining: int) -> int:
        return remaining // 2

    def done(self, *what: Any) -> None:
        self.heard.append(what)


def answer(command: list[str], play: JobMessage = SIMPLE, timeout_s: float = 20.0) -> JobAnswer:
    with WorkerPool(command, timeout_s=timeout_s) as bridge:
        return bridge.wait(bridge.submit(play))


def gone(pid: int, seconds: float = 20.0) -> bool:
    """Ended, or about to be: a process that its parent has not fetched is over too."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def test_a_worker_of_a_few_lines(tmp_path: Path) -> None:
    found = answer(scripted(tmp_path, f"send(HELLO)\nreceive()\nsend({ANSWER})\nreceive()\n"))
    assert (found.duration_s, found.core_end_s.tolist(), found.busy_s, found.chunks) == (3.0, [3.0, 1.0], 4.0, 2)


def test_a_core_that_asks_gets_what_the_technique_says(tmp_path: Path) -> None:
    ask = {"job": 1, "ask": 1, "remaining": 8, "now_s": 0.0, "done": {"tasks": 2, "work_s": 5.0, "total_s": 6.0}}
    text = f"send(HELLO)\nreceive()\nsend({ask!r})\nassert receive() == {{'chunk': 4}}\nsend({ANSWER})\n"
    technique = Halves()
    play = JobMessage(tasks=np.ones(8), speeds=np.ones(2), technique=technique)
    assert answer(scripted(tmp_path, text), play).duration_s == 3.0
    assert technique.heard == [(1, 2, 5.0, 6.0)]


GREETED = "send(HELLO)\nreceive()\n"
WRONG = {
    "sys.exit('the licence has run out')": "ended with code 1 and wrote 'the licence has run out'",
    "send({'protocol': 2})": "speaks protocol 2 but 1 is needed",
    "send({'hello': 'there'})": "speaks protocol none but 1 is needed",
    "send('Welcome!')": "wrote b'Welcome!', which is not a message",
    "send({**HELLO, 'error': 'no SimGrid'})": "failed: no SimGrid",
    GREETED + "import os, signal; os.kill(os.getpid(), signal.SIGKILL)": "ended with signal SIGKILL",
    GREETED + "send({'job': 1, 'error': 'out of patience'})": "could not simulate the job in row 0: out of patience",
    GREETED + "send({'job': 2, 'duration_s': 3.0})": "must name the job that it got last",
    GREETED + f"send({{**{ANSWER}, 'duration_s': -1}})": "duration_s is a number of seconds",
    GREETED + f"send({{**{ANSWER}, 'duration_s': float('nan')}})": "duration_s is a number of seconds",
    GREETED + f"send({{**{ANSWER}, 'duration_s': '3'}})": "duration_s is a number of seconds",
    GREETED + f"send({{**{ANSWER}, 'core_end_s': [1.0]}})": "core_end_s has 2 numbers",
    GREETED + f"send({{**{ANSWER}, 'core_end_s': ['a', {{}}]}})": "core_end_s has 2 numbers",
    GREETED + f"send({{**{ANSWER}, 'core_end_s': [-1.0, 1.0]}})": "core_end_s is from 0 to duration_s",
    GREETED + f"send({{**{ANSWER}, 'core_end_s': [1.0, 99.0]}})": "core_end_s is from 0 to duration_s",
    GREETED + f"send({{**{ANSWER}, 'busy_s': 99.0}})": "busy_s is at most duration_s times the cores",
    GREETED + f"send({{**{ANSWER}, 'chunks': 1.5}})": "chunks is a whole number from 1 to 2",
    GREETED + "send({'job': 1, 'ask': 0, 'remaining': 1})": "ask is not allowed if the job has chunks",
    GREETED + "time.sleep(60)": "was silent for 0.5 s",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_a_worker_does_wrong_is_one_message(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError) as error:
        answer(scripted(tmp_path, text + "\n"), timeout_s=0.5)
    assert WRONG[text] in str(error.value)
    assert "\n" not in str(error.value)


EVENTS = [[0, 0, 0, 0.0, 3.0], [1, 1, 1, 0.0, 1.0]]
WRONG_EVENTS = [
    (EVENTS[:1], "events has 2 × 5 numbers"),
    ([EVENTS[0], EVENTS[0]], "events has each task from 0 to 1 once"),
    ([EVENTS[0], [1, 2, 1, 0.0, 1.0]], "chunks in events are from 0 to 1"),
    ([EVENTS[0], [1, 1, 2, 0.0, 1.0]], "cores in events are from 0 to 1"),
    ([EVENTS[0], [1, 1, 0.5, 0.0, 1.0]], "cores in events are from 0 to 1"),
    ([EVENTS[0], [1, 1, 1, -1.0, 1.0]], "events begin at 0 or later"),
    ([EVENTS[0], [1, 1, 1, 1.0, 0.0]], "events begin at 0 or later"),
    ([EVENTS[0], [1, 1, 1, 0.0, 9.0]], "events begin at 0 or later"),
    ([EVENTS[0], [1, 1, 0, 2.0, 3.0]], "a core in events does one task after the other"),
]


@pytest.mark.parametrize(("events", "why"), WRONG_EVENTS)
def test_events_that_make_no_sense(events: list[list[float]], why: str) -> None:
    play, message = replace(SIMPLE, events=True), json.loads(ANSWER)
    assert JobAnswer.of({**message, "events": EVENTS[::-1]}, play).events.tolist() == EVENTS[::-1]
    with pytest.raises(MessageError, match=why):
        JobAnswer.of({**message, "events": events}, play)


def test_what_a_worker_cannot_do_is_said_before_it_is_asked(tmp_path: Path) -> None:
    play = JobMessage(tasks=np.ones(2), speeds=np.ones(2), chunks=[1], slowdowns=[(0, 0.0, 1.0, 0.5)], events=True)
    with pytest.raises(InputError, match="cannot do events, slowdowns"):
        answer(scripted(tmp_path, GREETED), play)


@pytest.mark.parametrize(
    "ask", [{"ask": 2}, {"ask": -1}, {"ask": "0"}, {"remaining": 0}, {"remaining": 9}, {"done": 3}]
)
def test_a_question_that_makes_no_sense(tmp_path: Path, ask: dict[str, Any]) -> None:
    message = {"job": 1, "ask": 0, "remaining": 8, "done": None, **ask}
    play = JobMessage(tasks=np.ones(8), speeds=np.ones(2), technique=Halves())
    with pytest.raises(InputError, match=r"wrote .*application_protocol"):
        answer(scripted(tmp_path, f"{GREETED}send({message!r})\nreceive()\n"), play)


def test_a_worker_that_does_not_read(tmp_path: Path) -> None:
    play = JobMessage(tasks=np.ones(200_000), speeds=np.ones(2), chunks=[1])
    with pytest.raises(InputError, match=r"was silent for 0.5 s"):
        answer(scripted(tmp_path, "send(HELLO)\ntime.sleep(60)\n"), play, timeout_s=0.5)


def test_a_worker_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"no-such-worker did not start \(No such file or directory\)"):
        Worker(["no-such-worker"])


def test_a_failure_leaves_no_worker_running(tmp_path: Path) -> None:
    """Two work; one of them fails, and the other one, with a child of its own, is ended too."""
    text = (
        "import os, subprocess\n"
        "child = subprocess.Popen(['sleep', '600'])\n"
        "open(f'pids-{os.getpid()}', 'w').write(f'{os.getpid()} {child.pid}')\n"
        "send(HELLO)\n"
        "job = receive()['job']\n"
        "send({'job': job, 'error': 'no'}) if job == 1 else time.sleep(600)\n"
    )
    command = ["env", "-C", str(tmp_path), *scripted(tmp_path, text)]
    bridge = WorkerPool(command, workers=2)
    bridge.submit(replace(SIMPLE, row=7))
    waits = bridge.submit(SIMPLE)
    with pytest.raises(InputError, match="row 7: no"):
        bridge.wait(waits)
    pids = [int(pid) for path in tmp_path.glob("pids-*") for pid in path.read_text().split()]
    assert len(pids) == 4
    assert all(gone(pid) for pid in pids)


# --- SimGrid's worker, spoken to directly -------------------------------------------------------------------

LONG = '{"job": 1, "tasks": [1.0], "speeds": [1.0], "ask": true}'  # it asks, and would wait for ever


def started_by_hand() -> subprocess.Popen[str]:
    return subprocess.Popen(simgrid_command(), stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, encoding="utf-8")


def spoken_to(lines: list[str]) -> tuple[list[dict[str, Any]], int]:
    """What it answers after its greeting, one line at a time; and its code."""
    with started_by_hand() as worker:
        assert worker.stdin
        assert worker.stdout
        said = [json.loads(worker.stdout.readline())]
        for line in lines:
            print(line, file=worker.stdin, flush=True)
            said.append(json.loads(worker.stdout.readline()))
        worker.stdin.close()
        return said[1:], worker.wait(20)


@examples(5)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), min_size=1), max_size=20))
def test_garbage_is_refused_and_the_worker_goes_on(lines: list[str]) -> None:
    job = '{"job": 7, "tasks": [2.0, 2.0], "speeds": [1.0], "chunks": [1]}'
    said, code = spoken_to([*lines, job])
    assert all("error" in message for message in said[:-1])
    assert said[-1]["duration_s"] == 4.0
    assert code == 0


@pytest.mark.parametrize(
    ("job", "why"),
    [
        ("{}", "job None needs tasks, a list of positive numbers"),
        ('{"job": 3, "tasks": [], "speeds": [1]}', "job 3 needs tasks"),
        ('{"job": 3, "tasks": [1, -1], "speeds": [1]}', "job 3 needs tasks"),
        ('{"job": 3, "tasks": [1], "speeds": [NaN], "chunks": [1]}', "job 3 needs speeds"),
        ('{"job": 3, "tasks": [1], "speeds": [1]}', "job 3 needs chunks, a list of sizes, or ask, true"),
        ('{"job": 3, "tasks": [1], "speeds": [1], "chunks": ["a"]}', "job 3 needs chunks"),
        ('{"job": 3, "tasks": [1], "speeds": [1], "chunks": [1], "nodes": [1, 2]}', "has 2 nodes for 1 cores"),
        (
            '{"job": 3, "tasks": [1], "speeds": [1], "chunks": [1], "network": {"a": 1}}',
            "needs a network with bandwidth_bytes_s",
        ),
    ],
)
def test_a_job_that_cannot_be_played_is_refused(job: str, why: str) -> None:
    (said, after), code = spoken_to([job, '{"job": 4, "tasks": [1], "speeds": [1], "chunks": [1]}'])
    assert why in said["error"]
    assert (after["duration_s"], code) == (1.0, 0)


@pytest.mark.parametrize(
    "network", ["", ', "network": {"bandwidth_bytes_s": 1e9, "latency_s": 1e-6, "message_bytes": 8}']
)
def test_a_wrong_answer_to_a_core_ends_its_job_only(network: str) -> None:
    job = '{"job": 3, "tasks": [1.0, 1.0, 1.0], "speeds": [1.0, 1.0], "ask": true' + network + "}"
    said, code = spoken_to([job, '{"chunk": "two"}', '{"job": 4, "tasks": [1], "speeds": [1], "chunks": [1]}'])
    assert "ask" in said[0]
    assert "asked for a chunk and got {'chunk': 'two'}" in said[1]["error"]
    assert (said[2]["duration_s"], code) == (1.0, 0)


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_killed_child_is_one_lost_job() -> None:
    with started_by_hand() as worker:
        assert worker.stdin
        assert worker.stdout
        worker.stdout.readline()
        print(LONG, file=worker.stdin, flush=True)
        assert "ask" in json.loads(worker.stdout.readline())
        os.kill(children_of(worker.pid)[0], signal.SIGKILL)
        assert "SimGrid ended with signal 9" in json.loads(worker.stdout.readline())["error"]
        worker.stdin.close()
        assert worker.wait(20) == 0


def test_nothing_is_left_when_the_simulation_is_killed(tmp_path: Path) -> None:
    """The worker hears that its pipe is hung up, and ends the child that plays."""
    script = tmp_path / "client.py"
    script.write_text(
        "import sys, time\nimport numpy as np\n"
        "from thinktime.applications.worker_pool import WorkerPool\n"
        "from thinktime.applications.worker_messages import JobMessage\n"
        "class Slow:\n"
        "    def chunk(self, core, remaining):\n"
        "        print(worker._process.pid, flush=True)\n"
        "        time.sleep(600)\n"
        f"bridge = WorkerPool({simgrid_command()!r})\n"
        "bridge.simulator\nworker = bridge._idle[0]\n"
        "bridge.wait(bridge.submit(JobMessage(tasks=np.ones(3), speeds=np.ones(2), technique=Slow())))\n"
    )
    paths = os.pathsep.join([str(Path(WORKER).parents[3]), str(ROOT)])
    with subprocess.Popen(
        [sys.executable, script], stdout=-1, text=True, env={**os.environ, "PYTHONPATH": paths}
    ) as run:
        assert run.stdout
        worker = int(run.stdout.readline())
        pids = [worker, *children_of(worker)]
        assert len(pids) == 2
        run.kill()
    assert all(gone(pid) for pid in pids)


def test_an_interruption_ends_the_workers() -> None:
    class Interrupted(Halves):
        def chunk(self, core: int, remaining: int) -> int:
            raise KeyboardInterrupt

    bridge = WorkerPool(simgrid_command())
    assert bridge.simulator.startswith("simgrid ")
    pid = bridge._idle[0]._process.pid
    waits = bridge.submit(JobMessage(tasks=np.ones(3), speeds=np.ones(2), technique=Interrupted()))
    with pytest.raises(KeyboardInterrupt):
        bridge.wait(waits)
    assert gone(pid)


# --- the two sets of names ----------------------------------------------------------------------------------

#: the real module under the names of 4.1; the old ones only complain, as there
NAMES_OF_4 = """
import importlib.machinery, importlib.util, sys
folder = __file__.rpartition("/")[0]
spec = importlib.machinery.PathFinder.find_spec("simgrid", [path for path in sys.path if path != folder])
real = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real)
if not hasattr(real.NetZone, "add_host"):
    zone, actor = real.NetZone, real.Actor.create
    class Root:
        def add_netzone_star(self, name, make=zone.create_star_zone):
            return make(name)
    zone.add_netzone_star = None  # there for those who look
    zone.add_host = zone.create_host
    zone.add_link = zone.create_link
    zone.add_split_duplex_link = zone.create_split_duplex_link
    route = zone.add_route
    zone.add_route = lambda self, host, other, links, both: route(self, host.netpoint, None, None, None, links, both)
    real.Host.add_actor = lambda self, name, function, *arguments: actor(name, self, function, *arguments)
    real.Engine.netzone_root = property(lambda engine: Root())
    def complain(*_):
        raise RuntimeError("use the new names")
    zone.create_host = zone.create_link = zone.create_split_duplex_link = zone.create_star_zone = complain
    real.Actor.create = complain
globals().update({name: getattr(real, name) for name in dir(real) if not name.startswith("__")})
"""


def with_module(folder: Path, text: str) -> list[str]:
    (folder / "simgrid.py").write_text(text)
    return ["env", f"PYTHONPATH={folder}", *simgrid_command()]


def test_simgrid_under_the_names_of_version_4(tmp_path: Path) -> None:
    network = {"bandwidth_bytes_s": 6.25e9, "latency_s": 5e-7, "message_bytes": 64}
    play = JobMessage(tasks=np.array([3.0, 1.0]), speeds=np.ones(2), chunks=[1], network=network)
    found, expected = answer(with_module(tmp_path, NAMES_OF_4), play), answer(simgrid_command(), play)
    assert (found.duration_s, found.core_end_s.tolist()) == (expected.duration_s, expected.core_end_s.tolist())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("simgrid_version = '3.25'\nclass NetZone: pass", "SimGrid 3.25 has neither the names of 3.32"),
        ("", "SimGrid of an unknown version has neither"),
        ("import no_such_library", r"has no module simgrid \(No module named 'no_such_library'\)"),
    ],
)
def test_another_simgrid_is_refused(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        answer(with_module(tmp_path, text))
