"""The events of many nodes as one stream, in the order of their times."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from dataclasses import dataclass
from typing import AsyncIterator, Callable, Iterator, Mapping, Optional, Protocol, Sequence, Union

from . import arguments
from .aio import AsyncioShell
from .blocking import BlockingShell, Stop, Stopped, run
from .calls import PATIENCE
from .client import Client
from .clocks import ClockEstimate, EstimatedTime
from .errors import CameraBusError, Code, closed, invalid, no_room, shared, shown
from .merge import EventMerge
from .monitor import AsyncMonitor
from .position import EventPosition
from .rig import NODES, RigDescription, RigNode
from .shell import Shell, when_dropped
from .tracker import Disconnected, Lost, Notice, Published, Reconnected, Restarted, Snapshot

# How long events are held back to be put in order, seconds: more than the delay of most networks.
WINDOW = 0.25
# The longest window, and how long the past of the nodes is waited for, seconds.
LONGEST_WINDOW, BEGINNING = 60.0, 3.0
# How many readings of a clock come before the first event, and after a restart.
BURST = 4
# The time between two readings, seconds, in which clocks drift apart by 0.2 ms at most.
READING = 2.0
# How long a reading may take, seconds.
ANSWER = 3.0
# The pauses between two tries, seconds, at first and at most.
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0


@dataclass(frozen=True)
class Awaited:
    """The node is not there yet, or does not let this program in. It is waited for.

    It comes again when the reason becomes another one.
    """

    error: CameraBusError


@dataclass(frozen=True)
class ClockChanged:
    """The node's clock or this machine's was changed: times from before and after cannot be compared."""


RigNotice = Union[Notice, Awaited, ClockChanged]


@dataclass(frozen=True)
class RigEvent:
    """A notice of one of the nodes."""

    # The node's name in the rig.
    node: str
    notice: RigNotice
    # When it happened; for what this machine noticed by itself, such as a gap or a silence, when it did.
    time: EstimatedTime
    # Whether an event of a later time was handed out before this one.
    is_late: bool


@dataclass
class _Entry:
    node: str
    notice: RigNotice
    time: EstimatedTime
    arrived: int


class _Outlet(Protocol):
    """Where the follower of a node puts what it finds."""

    async def put(self, entry: _Entry, lane: int) -> None:
        """Puts it in, and waits while its node has too many there."""

    def settle(self, lane: int) -> None: ...

    def fail(self, error: CameraBusError) -> None: ...


class _Follower:
    """Follows one node: connects, waits for it, and puts its notices in with their times."""

    def __init__(self, node: RigNode, lane: int, outlet: _Outlet, shell: Shell, options: _Options):
        control, credentials = node.connection()
        self._node = node
        self._lane = lane
        self._outlet = outlet
        self._shell = shell
        self._client = Client(shell, control, None, credentials, None, None, ANSWER, PATIENCE)
        self._position = options.after.get(node.name)
        self._history = options.history and self._position is None
        self._clock = ClockEstimate()
        self._read_at = 0.0
        self._problem: Optional[Code] = None
        self._monitor: Optional[AsyncMonitor] = None

    async def run(self) -> None:
        """Runs until its task is cancelled, or its shell is stopped."""
        try:
            await self._await_node()
            self._monitor = self._client.monitor(None, self._history, self._shell, self._position)
            while True:
                notices = await self._monitor.batch(max(0.0, self._read_at - time.monotonic()))
                arrived = time.monotonic_ns()
                for notice in _in_order(notices):
                    await self._take(notice, arrived)
                if time.monotonic() >= self._read_at:
                    await self._read_clock(1)
        except CameraBusError as error:
            self._outlet.fail(error)
        finally:
            self.close()

    def close(self) -> None:
        if self._monitor is not None:
            self._monitor.end()
        self._client.connection.close()

    async def _await_node(self) -> None:
        """Waits for the node's first answer, and says so."""
        pause = FIRST_PAUSE
        while not await self._read_clock(BURST, says_problem=True):
            await self._shell.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _read_clock(self, count: int, says_problem: bool = False) -> bool:
        """Reads the node's clock. Returns whether it answers."""
        self._read_at = time.monotonic() + READING
        for _ in range(count):
            try:
                if not self._clock.add(await self._client.read_clock()):
                    await self._put(ClockChanged())
            except CameraBusError as error:
                if error.code is Code.UNSUPPORTED:  # an older node, whose times stay unknown
                    return True
                if error.code is Code.CLOSED:
                    raise
                if says_problem and error.code is not self._problem:
                    self._problem = error.code
                    await self._put(Awaited(error))
                    self._outlet.settle(self._lane)
                return False
        return True

    async def _take(self, notice: Notice, arrived: int) -> None:
        moment = None
        if isinstance(notice, Published):
            moment, camera = notice.event.time.monotonic_ns, notice.event.camera
            if not self._concerns(camera):
                return
        elif isinstance(notice, Lost) and not self._concerns(notice.topic.split("/")[1]):
            return
        elif isinstance(notice, Snapshot):
            moment = notice.status.now.monotonic_ns
        if moment is None:
            await self._put(notice)
        else:
            await self._outlet.put(
                _Entry(self._node.name, notice, EstimatedTime.of(moment, arrived, self._clock), arrived), self._lane)
        if isinstance(notice, Snapshot):
            self._outlet.settle(self._lane)
        if isinstance(notice, (Restarted, Reconnected)):
            # Where it does not answer, it is silent again.
            await self._read_clock(BURST)

    async def _put(self, notice: RigNotice) -> None:
        """Puts in what this machine noticed by itself."""
        now = time.monotonic_ns()
        await self._outlet.put(_Entry(self._node.name, notice, EstimatedTime(now, 0), now), self._lane)

    def _concerns(self, camera: str) -> bool:
        """Whether a camera belongs to the rig; `_node` stands for the node itself."""
        cameras = self._node.cameras
        return cameras is None or camera.startswith("_") or any(own.camera == camera for own in cameras)


def _in_order(notices: Sequence[Notice]) -> list[Notice]:
    """Events that came together in the order of their times, those of a topic in their own."""
    ordered: list[Notice] = []
    together: list[tuple[int, int, Notice]] = []
    latest: dict[str, int] = {}

    def end() -> None:
        ordered.extend(notice for _, _, notice in sorted(together, key=lambda entry: entry[:2]))
        together.clear()
        latest.clear()

    for notice in notices:
        if not isinstance(notice, Published):
            end()
            ordered.append(notice)
            continue
        place = max(notice.event.time.monotonic_ns, latest.get(notice.topic, 0))
        latest[notice.topic] = place
        together.append((place, len(together), notice))
    end()
    return ordered


@dataclass
class _Options:
    nodes: tuple[RigNode, ...]
    window: int
    history: bool
    after: dict[str, EventPosition]

    @classmethod
    def of(cls, rig: object, window: float, history: bool, after: object) -> _Options:
        if not isinstance(rig, RigDescription):
            rig = RigDescription.read(rig)  # type: ignore[arg-type]
        if not 0 < len(rig.nodes) <= NODES:
            raise invalid("rig", f"a monitor follows 1 to {NODES} nodes, not {len(rig.nodes)}")
        seconds = arguments.seconds("window", window)
        if seconds > LONGEST_WINDOW:
            raise invalid("window", f"window is {shown(window)}: give 0 to {LONGEST_WINDOW:.0f} seconds")
        positions = {}
        if after is not None and not isinstance(after, Mapping):
            raise invalid("after", f"after is {shown(after)}: give a dictionary with a position for each node's name")
        for name, position in (after or {}).items():
            if name not in [node.name for node in rig.nodes]:
                raise invalid("after", f"no node is called {shown(name)}: name the node of each position")
            positions[name] = position if isinstance(position, EventPosition) else EventPosition.parse(position)
        if arguments.flag("history", history) and positions:
            raise invalid("after", "after and history say where to begin: leave one out")
        return cls(rig.nodes, round(seconds * 1e9), history, positions)

    def merge(self) -> EventMerge[_Entry]:
        if self.history or self.after:
            return EventMerge(len(self.nodes), self.window, time.monotonic_ns() + round(BEGINNING * 1e9))
        return EventMerge(len(self.nodes), self.window)


def _next(merge: EventMerge[_Entry]) -> Optional[tuple[RigEvent, int]]:
    """The event whose time has come, and its lane."""
    output = merge.next(time.monotonic_ns())
    if output is None:
        return None
    entry, lane, is_late = output
    return RigEvent(entry.node, entry.notice, entry.time, is_late), lane


def _wait(merge: EventMerge[_Entry], deadline: float) -> float:
    """How long nothing is due, seconds, unless something comes."""
    now = time.monotonic_ns()
    until = deadline - now / 1e9
    return max(0.0, until if merge.due is None else min(until, (merge.due - now) / 1e9))


class AsyncRigMonitor:
    """Hands out the events of many nodes in the order of their times:
    `async with AsyncRigMonitor(["desk", "tcp://192.168.0.21:5570"]) as monitor: async for event in monitor: …`.

    `rig` is a `RigDescription`, the path of a rig's file, its contents as a dictionary, or a list of nodes. Each event
    of each node comes once, those of a topic in the order of their numbers, and what is lost is a `Lost` with the
    node's name. Each event is held back for `window` seconds, so that one that happened earlier elsewhere may still
    overtake it; one that comes later than that is handed out at once, with `is_late`. So a node that is slow or gone
    holds up nobody, and one that is not there is waited for (`Awaited`). With `history` the events from before come
    first, with `after` those behind a position of a node.

    About 8192 events wait for the reader; those that find no room are fetched from their nodes later. One task at a
    time reads it. It ends when it is closed, or when nothing refers to it any more.

    - Raises: `CameraBusError` for a rig that cannot be read, or a position that is not its node's.
    """

    def __init__(self, rig: object, *, window: float = WINDOW, history: bool = False,
                 after: Optional[Mapping[str, Union[str, EventPosition]]] = None):
        self._options = _Options.of(rig, window, history, after)
        self._outlet = _AsyncOutlet(self._options.merge(), len(self._options.nodes))
        self._tasks: list[asyncio.Task[None]] = []
        self._is_closed = False
        self._is_read = False

    async def __aenter__(self) -> AsyncRigMonitor:
        self._begin()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _begin(self) -> None:
        if self._is_closed:
            raise closed("monitor")
        if self._tasks:
            return
        followers = [
            _Follower(node, lane, self._outlet, AsyncioShell(), self._options)
            for lane, node in enumerate(self._options.nodes)]
        self._tasks = [
            asyncio.create_task(follower.run(), name="camerabus monitor of a node") for follower in followers]
        loop, tasks = asyncio.get_running_loop(), self._tasks

        def end() -> None:
            with contextlib.suppress(RuntimeError):  # the loop was closed
                for task in tasks:
                    loop.call_soon_threadsafe(task.cancel)

        when_dropped(self, end)

    async def next(self, timeout: float = 3600.0) -> Optional[RigEvent]:
        """The next event, or None if there is none in time.

        - Raises: `CameraBusError` if this was closed, if another task reads it, or for a position that is not its
          node's.
        """
        deadline = time.monotonic() + arguments.seconds("timeout", timeout)
        if self._is_read:
            raise shared("monitor")
        self._is_read = True
        try:
            self._begin()
            while True:
                self._outlet.news.clear()
                if self._is_closed:
                    raise closed("monitor")
                if (event := self._outlet.take()) is not None:
                    return event
                if time.monotonic() >= deadline:
                    return None
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._outlet.news.wait(), _wait(self._outlet.merge, deadline))
        finally:
            self._is_read = False

    def __aiter__(self) -> AsyncIterator[RigEvent]:
        return self

    async def __anext__(self) -> RigEvent:
        while True:
            event = await self.next()
            if event is not None:
                return event

    async def close(self) -> None:
        self._is_closed = True
        self._outlet.news.set()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)


class _AsyncOutlet:
    """Between the tasks that follow the nodes and the one that reads. It does not refer to the monitor, which Python can so
    drop.
    """

    def __init__(self, merge: EventMerge[_Entry], nodes: int):
        self.merge = merge
        self.news = asyncio.Event()
        self._error: Optional[CameraBusError] = None
        self._rooms = [asyncio.Event() for _ in range(nodes)]

    def take(self) -> Optional[RigEvent]:
        if self._error is not None:
            raise self._error
        output = _next(self.merge)
        if output is None:
            return None
        self._rooms[output[1]].set()
        return output[0]

    async def put(self, entry: _Entry, lane: int) -> None:
        while self.merge.is_full(lane):
            self._rooms[lane].clear()
            await self._rooms[lane].wait()
        self.merge.add(entry, lane, entry.time.moment, entry.arrived)
        self.news.set()

    def settle(self, lane: int) -> None:
        self.merge.settle(lane)
        self.news.set()

    def fail(self, error: CameraBusError) -> None:
        self._error = self._error or error
        self.news.set()


class RigMonitor:
    """Hands out the events of many nodes in the order of their times, as `AsyncRigMonitor` does:
    `for event in RigMonitor("rig.yaml"): …`.

    A thread follows each node. One thread at a time reads it. It ends when it is closed, or when nothing refers to it
    any more.
    """

    def __init__(self, rig: object, *, window: float = WINDOW, history: bool = False,
                 after: Optional[Mapping[str, Union[str, EventPosition]]] = None):
        options = _Options.of(rig, window, history, after)
        outlet = _BlockingOutlet(options.merge())
        self._outlet = outlet
        self._stops: list[Stop] = []
        stops = self._stops

        def end() -> None:
            outlet.close()
            for stop in stops:
                stop.set()

        self._end = end
        when_dropped(self, end)
        self._threads: list[threading.Thread] = []
        self._is_read = False
        followers = []
        for lane, node in enumerate(options.nodes):
            stop = Stop()
            self._stops.append(stop)
            followers.append(_Follower(node, lane, outlet, BlockingShell(stop), options))
        try:
            for follower in followers:
                thread = threading.Thread(target=_follow, args=(follower,), name="camerabus monitor", daemon=True)
                thread.start()
                self._threads.append(thread)
        except RuntimeError as error:
            self.close()
            raise no_room(str(error), "thread") from error

    def next(self, timeout: float = 3600.0) -> Optional[RigEvent]:
        """The next event, or None if there is none in time.

        - Raises: `CameraBusError` if this was closed, if another thread reads it, or for a position that is not its
          node's.
        """
        deadline = time.monotonic() + arguments.seconds("timeout", timeout)
        with self._outlet.changed:
            if self._is_read:
                raise shared("monitor")
            self._is_read = True
            try:
                return self._outlet.next(deadline)
            finally:
                self._is_read = False

    def __iter__(self) -> Iterator[RigEvent]:
        while True:
            event = self.next()
            if event is not None:
                yield event

    def close(self) -> None:
        self._end()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()

    def __enter__(self) -> RigMonitor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _follow(follower: _Follower) -> None:
    with contextlib.suppress(Stopped):
        run(follower.run())


class _BlockingOutlet:
    """Between the threads that follow the nodes and the one that reads."""

    def __init__(self, merge: EventMerge[_Entry]):
        self._merge = merge
        self._error: Optional[CameraBusError] = None
        self._is_closed = False
        self.changed = threading.Condition()

    def next(self, deadline: float) -> Optional[RigEvent]:
        """With the lock held."""
        while True:
            if self._is_closed:
                raise closed("monitor")
            if self._error is not None:
                raise self._error
            if (output := _next(self._merge)) is not None:
                self.changed.notify_all()
                return output[0]
            if time.monotonic() >= deadline:
                return None
            self.changed.wait(min(_wait(self._merge, deadline), threading.TIMEOUT_MAX))

    def close(self) -> None:
        self._change(lambda: setattr(self, "_is_closed", True))

    async def put(self, entry: _Entry, lane: int) -> None:
        with self.changed:
            self.changed.wait_for(lambda: self._is_closed or not self._merge.is_full(lane))
            if self._is_closed:
                raise Stopped
            self._merge.add(entry, lane, entry.time.moment, entry.arrived)
            self.changed.notify_all()

    def settle(self, lane: int) -> None:
        self._change(lambda: self._merge.settle(lane))

    def fail(self, error: CameraBusError) -> None:
        self._change(lambda: setattr(self, "_error", self._error or error))

    def _change(self, change: Callable[[], None]) -> None:
        with self.changed:
            change()
            self.changed.notify_all()
