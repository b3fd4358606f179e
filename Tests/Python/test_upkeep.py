"""Verifying and repairing the library: with a running node, blocking and in asyncio."""

from __future__ import annotations

import os
import unittest

from camerabus import NEXT, AsyncCameraBus, Code, messages
from expecting import present
from live import WithNode
from node import Node


class Upkeep(WithNode):
    def test_files_are_verified_and_repaired(self) -> None:
        kept = present(self.bus.capture(NEXT, "back").asset)
        gone = present(self.bus.capture(NEXT, "back").asset)
        seen: list[messages.LibraryProgress] = []
        whole = self.bus.verify("back", on_progress=seen.append)
        self.assertEqual((whole.intact, whole.missing, whole.changed, len(whole.flawed)), (2, 0, 0, 0))
        self.assertEqual((seen[0].total, seen[0].total_bytes), (2, kept.byte_count + gone.byte_count))
        library = self.node.folder / "library"
        os.remove(library / gone.path)
        os.rename(library / kept.path, library / "back" / os.path.dirname(kept.path).split("/")[1] / "moved.jpg")
        flawed = self.bus.verify("back", since_ns=kept.created_wall_ns)
        self.assertEqual((flawed.intact, flawed.missing, [asset.id for asset in flawed.flawed]),
                         (0, 2, [gone.id, kept.id]))
        repaired = self.bus.repair()
        self.assertEqual((repaired.found, repaired.dropped), (1, 0))
        self.assertEqual(repaired.changes[0].asset.id, kept.id)
        dropped = self.bus.repair(drop_missing=True)
        self.assertEqual((dropped.dropped, dropped.changes[0].path), (1, gone.path))
        self.assertEqual(self.bus.verify("back").intact, 1)
        self.assert_fails(Code.NO_SUCH_CAMERA, self.bus.verify, "other")
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.verify, tags=["a,b"], field="library_verify.tags")


class AsyncUpkeep(unittest.IsolatedAsyncioTestCase):
    async def test_the_library_is_looked_after_in_asyncio(self) -> None:
        with Node("cam=synthetic:160x120@30,format=MJPG") as node:
            async with AsyncCameraBus(node.control, timeout=30) as bus:
                await bus.capture(NEXT)
                self.assertEqual((await bus.verify(tags=[])).intact, 1)
                self.assertEqual((await bus.repair(drop_missing=True)).dropped, 0)


if __name__ == "__main__":
    unittest.main()
