"""What the logic of a rig needs in order to do several things at once.

It is written once, as coroutines. `BlockingCrew` carries them out on threads, and `AsyncioCrew` in an asyncio loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, AsyncGenerator, Callable, Coroutine, Protocol, Sequence

from .shell import Shell


@dataclass(frozen=True)
class Job:
    """Something to do while other things are done, with the connections of one lane."""

    # Those of two jobs that are done at once differ.
    lane: Shell
    # Keeps what it brings for whoever gave it out, errors of requests too.
    work: Callable[[], Coroutine[Any, Any, None]]


class Crew(Protocol):
    """Does several things at once."""

    @property
    def shell(self) -> Shell:
        """Where the logic itself waits."""

    def lane(self) -> Shell:
        """A shell for connections of which one job at a time makes use."""

    def each(self, jobs: Sequence[Job], to_the_end: bool = False) -> AsyncGenerator[int, None]:
        """Does all of them at once, and hands out the index of each when it is done.

        The jobs that are left end when this is closed, or fails, which it does when the rig is closed, unless they are
        done `to_the_end`. None is under way any more after that.
        """

    async def sleep(self, seconds: float) -> None:
        """Lets this time pass, unless the rig is closed."""
