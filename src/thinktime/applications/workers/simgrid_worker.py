"""A worker that simulates the loops of jobs in SimGrid: `PYTHON simgrid_worker.py`, in any Python that has `simgrid`.

It reads one JSON message per line from its standard input and answers on its standard output;
docs/formats/application_protocol.md describes the messages. It imports only the standard library and simgrid.

SimGrid has one engine per process, whose platform is fixed once it runs and whose clock only grows. So the worker forks
for every job: the child creates the cores of the job, simulates the loop from time 0 and answers. A result never
depends on earlier jobs, and a failure in SimGrid ends only a child.
"""

from __future__ import annotations

import heapq
import importlib
import json
import math
import os
import select
import signal
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

PROTOCOL = 1
CAN = ["ask", "events", "network", "slowdowns"]
LINE = ("bandwidth_bytes_s", "latency_s", "message_bytes")
FLOPS = 2.0**30  # of a core of speed 1 in a second; a power of two, so that seconds become flops exactly
CONFIGURATION = (
    "surf/precision:1e-12",  # seconds within which SimGrid takes two instants for one
    "network/model:CM02",  # a message takes latency + bytes / bandwidth, without correction factors
    "network/crosstraffic:0",
)

Message = dict[str, Any]  # a JSON object


class RefusedError(Exception):
    """A message that is sent back as an error."""


class Chunk(NamedTuple):
    """Tasks that one core was given."""

    number: int
    first: int
    end: int  # the task after the last


class Done(NamedTuple):
    """A chunk that a core has finished."""

    tasks: int
    work_s: float  # of its tasks alone
    total_s: float  # since the core asked for it


# --- SimGrid under its two sets of names --------------------------------------------------------------------


class Names4:
    """The names of SimGrid 4: `add_…`."""

    def __init__(self, simgrid: Any, engine: Any) -> None:
        self.zone = engine.netzone_root.add_netzone_star("machine")
        self.host, self.link, self.duplex = self.zone.add_host, self.zone.add_link, self.zone.add_split_duplex_link

    def route(self, host: Any, links: list[Any]) -> None:
        self.zone.add_route(host, None, links, True)

    def actor(self, name: str, host: Any, function: Any, *arguments: Any) -> None:
        host.add_actor(name, function, *arguments)


class Names3:
    """The names of SimGrid 3.32: `create_…`."""

    def __init__(self, simgrid: Any, engine: Any) -> None:
        self.zone, self.create = simgrid.NetZone.create_star_zone("machine"), simgrid.Actor.create
        self.host, self.link = self.zone.create_host, self.zone.create_link
        self.duplex = self.zone.create_split_duplex_link

    def route(self, host: Any, links: list[Any]) -> None:
        self.zone.add_route(host.netpoint, None, None, None, links, True)

    def actor(self, name: str, host: Any, function: Any, *arguments: Any) -> None:
        self.create(name, host, function, *arguments)


def names_of(simgrid: Any) -> type[Names3] | type[Names4]:
    """Return the set of names of this SimGrid. Version 4 has the old names too, but they only warn."""
    zone, host = getattr(simgrid, "NetZone", None), getattr(simgrid, "Host", None)
    if hasattr(zone, "add_netzone_star") and hasattr(zone, "add_host") and hasattr(host, "add_actor"):
        return Names4
    if hasattr(zone, "create_star_zone") and hasattr(zone, "create_host") and not hasattr(zone, "add_host"):
        return Names3
    raise RefusedError(
        f"SimGrid {version_of(simgrid)} has neither the names of 3.32 (NetZone.create_star_zone, create_host) nor those"
        " of 4.1 (NetZone.add_netzone_star, add_host): install SimGrid 3.32 or 4.1"
    )


def version_of(simgrid: Any) -> str:
    return str(getattr(simgrid, "simgrid_version", "of an unknown version"))


# --- one job ------------------------------------------------------------------------------------------------


class Loop:
    """The remaining tasks, which are assigned in the same way with and without a network."""

    def __init__(self, job: Message, ask: Callable[[int, int, float, Done | None], int]) -> None:
        self.tasks: list[float] = job["tasks"]
        self.chunks: list[int] = job.get("chunks") or []  # empty: ask for each size
        self.ask = ask
        self.next_task = self.next_chunk = 0

    def chunk(self, core: int, now_s: float, done: Done | None) -> Chunk | None:
        """Return the next chunk of an idle core; None if no tasks remain."""
        remaining = len(self.tasks) - self.next_task
        if not remaining:
            return None
        size = self._listed() if self.chunks else self.ask(core, remaining, now_s, done)
        first = self.next_task
        self.next_task += min(max(int(size), 1), remaining)
        self.next_chunk += 1
        return Chunk(self.next_chunk - 1, first, self.next_task)

    def _listed(self) -> int:
        """Return the size of the next chunk; the last size holds for all later chunks."""
        return int(self.chunks[min(self.next_chunk, len(self.chunks) - 1)])


class Player:
    """Simulates one job in a SimGrid engine, with one actor and one host per core."""

    def __init__(self, simgrid: Any, job: Message, loop: Loop) -> None:
        self.simgrid, self.job, self.loop = simgrid, job, loop
        self.engine = simgrid.Engine(["worker", "--log=root.thres:error", *(f"--cfg={each}" for each in CONFIGURATION)])
        self.make = names_of(simgrid)(simgrid, self.engine)
        cores = len(job["speeds"])
        self.end_s, self.busy_s = [0.0] * cores, [0.0] * cores
        self.last: list[Done | None] = [None] * cores  # the chunk that a core has just finished
        self.asking: list[tuple[float, int]] = []  # a heap of (time, core)
        self.given: dict[int, Chunk | None] = {}  # core → its next chunk
        self.events: list[list[float]] = []
        self.failure: Exception | None = None
        self.hosts = [self._core(core, speed) for core, speed in enumerate(job["speeds"])]
        self.network = Network(self) if job.get("network") else None
        self.make.zone.seal()

    def _core(self, core: int, speed: float) -> Any:
        """Create a core. SimGrid 3.32 has one speed profile per process, so slowdowns change the pstate instead."""
        paces = paces_of([each[1:] for each in self.job.get("slowdowns", ()) if each[0] == core])
        host = self.make.host(f"core {core}", [speed * FLOPS * share for _, share in paces])
        host.seal()
        if len(paces) > 1:
            self.make.actor(f"pace {core}", host, self.guarded, self._pace, host, [date for date, _ in paces])
        return host

    def _pace(self, host: Any, dates: list[float]) -> None:
        self.simgrid.Actor.self().daemonize()  # the simulation does not wait for it
        for pstate, date in enumerate(dates):
            self.simgrid.this_actor.sleep_until(date)
            host.pstate = pstate

    def play(self) -> Message:
        """Return the answer to the job's message."""
        ask = self.network.ask if self.network else self._ask
        for core, host in enumerate(self.hosts):
            self.make.actor(f"core {core}", host, self.guarded, self._work, core, ask)
        if self.network:
            self.make.actor("master", self.network.master, self.guarded, self.network.answer)
        self.engine.run()
        if self.failure:
            raise self.failure
        answer = {"job": self.job["job"], "duration_s": max(self.end_s), "core_end_s": self.end_s}
        answer |= {"busy_s": math.fsum(self.busy_s), "chunks": self.loop.next_chunk}
        return {**answer, **({"events": self.events} if self.job.get("events") else {})}

    def guarded(self, function: Any, *arguments: Any) -> None:
        """Keep an exception, which would abort the process, and release all waiting actors."""
        try:
            function(*arguments)
        except self.simgrid.ActorKilled:  # a pace actor at the end of the simulation
            raise
        except Exception as failure:
            self.failure = self.failure or failure
            self.loop.next_task = len(self.loop.tasks)
            if self.network:
                self.network.dismiss()

    def _work(self, core: int, ask: Callable[[int], Chunk | None]) -> None:
        """Ask for chunks, spend the overhead and work, until no tasks remain."""
        engine, overhead_s = self.simgrid.Engine, self.job.get("overhead_s", 0.0)
        while True:
            asked_s = engine.clock
            chunk = ask(core)
            self.end_s[core] = engine.clock
            if chunk is None:
                return
            if overhead_s:
                self.simgrid.this_actor.sleep_for(overhead_s)
            begun_s = engine.clock
            self._execute(core, chunk)
            self.end_s[core] = end_s = engine.clock
            self.busy_s[core] += end_s - begun_s
            self.last[core] = Done(chunk.end - chunk.first, end_s - begun_s, end_s - asked_s)

    def _execute(self, core: int, chunk: Chunk) -> None:
        """Execute a chunk at once, or task by task if events are wanted."""
        execute, engine = self.simgrid.this_actor.execute, self.simgrid.Engine
        if not self.job.get("events"):
            execute(math.fsum(self.loop.tasks[chunk.first : chunk.end]) * FLOPS)
            return
        for task in range(chunk.first, chunk.end):
            start_s = engine.clock
            execute(self.loop.tasks[task] * FLOPS)
            self.events.append([task, chunk.number, core, start_s, engine.clock])

    def _ask(self, core: int) -> Chunk | None:
        """Without a network: serve the cores that ask at this instant by their index, at no cost.

        After the yield all of them have asked; the first actor that continues serves all.
        """
        heapq.heappush(self.asking, (self.simgrid.Engine.clock, core))
        self.simgrid.this_actor.yield_()
        while self.asking:
            self.serve(heapq.heappop(self.asking)[1])
        return self.given.pop(core, None)

    def serve(self, core: int) -> None:
        done, self.last[core] = self.last[core], None
        self.given[core] = None  # if asking fails, the loop is over
        self.given[core] = self.loop.chunk(core, self.simgrid.Engine.clock, done)


class Network:
    """Cores ask a master by message. It is on the node of core 0, and has a link to every other node."""

    def __init__(self, player: Player) -> None:
        self.player, self.simgrid = player, player.simgrid
        self.facts = player.job["network"]
        self.arrived = self.simgrid.Semaphore(0)  # requests that the master has not taken up
        self.answered = [self.simgrid.Semaphore(0) for _ in player.hosts]
        self.master = player.make.host("master", FLOPS)
        self.master.seal()
        self._connect(player.job.get("nodes") or list(range(len(player.hosts))))

    def _connect(self, nodes: list[int]) -> None:
        """Connect hosts to the master; messages inside a node take no time."""
        make, route = self.player.make, self.simgrid.LinkInRoute
        inside = make.link("inside", 1e18)
        inside.set_latency(0.0)
        inside.seal()
        make.route(self.master, [route(inside)])
        lines = {node: self._line(node) for node in set(nodes) - {nodes[0]}}
        for host, node in zip(self.player.hosts, nodes):  # noqa: B905  old Pythons may have SimGrid too
            make.route(host, [route(lines[node], route.Direction.UP) if node in lines else route(inside)])

    def _line(self, node: int) -> Any:
        line = self.player.make.duplex(f"line {node}", self.facts["bandwidth_bytes_s"])
        line.set_latency(self.facts["latency_s"])
        line.seal()
        return line

    def ask(self, core: int) -> Chunk | None:
        """Send a message to the master and wait for the answer."""
        self.simgrid.Comm.sendto(self.player.hosts[core], self.master, self.facts["message_bytes"])
        heapq.heappush(self.player.asking, (self.simgrid.Engine.clock, core))
        self.arrived.release()
        self.answered[core].acquire()
        return self.player.given.pop(core, None)

    def answer(self) -> None:
        """Serve one request at a time in the order of arrival, until every core knows that no tasks remain."""
        left, service_s = len(self.player.hosts), self.facts.get("service_s", 0.0)
        while left:
            self.arrived.acquire()
            if self.player.failure:
                return
            _, core = heapq.heappop(self.player.asking)
            if service_s:
                self.simgrid.this_actor.sleep_for(service_s)
            self.player.serve(core)
            left -= self.player.given[core] is None
            self.simgrid.Comm.sendto(self.master, self.player.hosts[core], self.facts["message_bytes"])
            self.answered[core].release()

    def dismiss(self) -> None:
        """After a failure: release the master and all cores."""
        for waited_for in (self.arrived, *self.answered):
            waited_for.release()


def paces_of(slowdowns: list[list[float]]) -> list[tuple[float, float]]:
    """Return (date, relative speed from then on) of a core with slowdowns during [from, until)."""
    dates = sorted({0.0} | {max(date, 0.0) for begin, until, _ in slowdowns for date in (begin, until)})
    return [(date, math.prod(pace for begin, until, pace in slowdowns if begin <= date < until)) for date in dates]


# --- messages -----------------------------------------------------------------------------------------------


class Pipe:
    """The two ends of the protocol. All other output goes to the error stream."""

    def __init__(self) -> None:
        self.source = os.fdopen(os.dup(0), "rb")
        self.sink = os.dup(1)
        os.dup2(2, 1)

    def send(self, message: Message) -> None:
        data = memoryview(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        while data:
            data = data[os.write(self.sink, data) :]

    def receive(self) -> Message | None:
        """Return the next message; None at the end."""
        line = self.source.readline()
        if not line:
            return None
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise RefusedError(f"{line[:40]!r} is not a message: send one JSON object per line")
        return message


def require(job: Message) -> None:
    """Raise RefusedError for an incomplete job."""
    number = job.get("job")
    for key in ("tasks", "speeds"):
        if not isinstance(job.get(key), list) or not job[key] or not all(map(_is_positive_number, job[key])):
            raise RefusedError(f"job {number} needs {key}, a list of positive numbers")
    if not job.get("ask") and not (
        isinstance(job.get("chunks"), list) and all(map(_is_positive_number, job["chunks"]))
    ):
        raise RefusedError(f"job {number} needs chunks, a list of sizes, or ask, true")
    network = job.get("network")
    if network and not (isinstance(network, dict) and all(_is_positive_number(network.get(key)) for key in LINE)):
        raise RefusedError(f"job {number} needs a network with {', '.join(LINE)}, each a positive number")
    if job.get("nodes") is not None and len(job["nodes"]) != len(job["speeds"]):
        raise RefusedError(
            f"job {number} has {len(job['nodes'])} nodes for {len(job['speeds'])} cores: give one per core"
        )


def _is_positive_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < math.inf


def play_here(simgrid: Any, job: Message, pipe: Pipe) -> None:
    """Simulate the job in the child, and send the answer."""

    def ask(core: int, remaining: int, now_s: float, done: Done | None) -> int:
        finished = done and done._asdict()
        pipe.send({"job": job["job"], "ask": core, "remaining": remaining, "now_s": now_s, "done": finished})
        answer = pipe.receive()
        if answer is None or not isinstance(answer.get("chunk"), int):
            raise RefusedError(f"job {job['job']} asked for a chunk and got {answer!r}: answer with chunk, a number")
        return int(answer["chunk"])

    try:
        answer = Player(simgrid, job, Loop(job, ask)).play()
    except RefusedError as refused:
        answer = {"job": job["job"], "error": str(refused)}
    except Exception as failure:
        answer = {"job": job["job"], "error": f"SimGrid failed with {type(failure).__name__}: {failure}"}
    pipe.send(answer)


def play(simgrid: Any, job: Message, pipe: Pipe) -> None:
    """Simulate the job in a child; it ends if the child dies or the pipe closes."""
    require(job)
    child = os.fork()
    if not child:
        code = 1
        try:
            play_here(simgrid, job, pipe)
            code = 0
        finally:
            os._exit(code)
    status = wait_for(child)
    if status:
        signalled = os.WIFSIGNALED(status)
        how = f"signal {os.WTERMSIG(status)}" if signalled else f"code {os.WEXITSTATUS(status)}"
        raise RefusedError(f"SimGrid ended with {how}: its messages are on the error stream")


def wait_for(child: int) -> int:
    """Return the status of the child. If the pipe closes meanwhile, end the child."""
    if hasattr(os, "pidfd_open"):
        watch, ended = select.poll(), os.pidfd_open(child)
        watch.register(0, 0)  # only hang-ups
        watch.register(ended, select.POLLIN)
        if any(which == 0 for which, _ in watch.poll()):
            os.kill(child, signal.SIGKILL)
        os.close(ended)
    return os.waitpid(child, 0)[1]


def greet(pipe: Pipe) -> Any:
    """Return the module simgrid and send the first message; None and an error if it is missing."""
    try:
        simgrid = importlib.import_module("simgrid")
        names_of(simgrid)
    except ImportError as failure:
        why = f"{sys.executable} has no module simgrid ({failure}): install python3-simgrid, or name another Python"
    except RefusedError as refused:
        why = str(refused)
    else:
        pipe.send({"protocol": PROTOCOL, "simulator": "simgrid", "version": version_of(simgrid), "can": CAN})
        return simgrid
    pipe.send({"protocol": PROTOCOL, "simulator": "simgrid", "error": why})
    return None


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted, and closes the pipe
    pipe = Pipe()
    simgrid = greet(pipe)
    while simgrid is not None:
        job: Message | None = None
        try:
            job = pipe.receive()
            if job is None:
                return
            play(simgrid, job, pipe)
        except RefusedError as refused:
            pipe.send({"job": job and job.get("job"), "error": str(refused)})


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the parent has closed the pipe
        sys.exit(0)
