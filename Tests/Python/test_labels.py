"""Names and tags of assets: with a running node, blocking and in asyncio, and with a node that lies."""

from __future__ import annotations

import json
import unittest
from typing import Any

from camerabus import NEXT, AsyncCameraBus, CameraBus, CameraBusError, Code, PhotoSettings, messages
from expecting import present
from fake import A, B, FakeNode
from live import WithNode
from readers import run


class Labels(WithNode):
    def test_photos_and_movies_are_found_by_name_and_tags(self) -> None:
        settings = PhotoSettings(name="Gate", tags=["labels", "night"])
        photo = present(self.bus.capture(NEXT, "back", settings=settings).asset)
        started = self.bus.start_recording("back", name="Rain, \u00bd hour", tags=("labels",))
        while self.bus.status("back").cameras[0].recording.frames < 3:
            self.see_frames("back", 1)
        movie = self.bus.stop_recording("back", recording=started.recording).asset
        self.assertEqual((photo.name, list(photo.tags)), ("Gate", ["labels", "night"]))
        self.assertEqual((movie.name, list(movie.tags)), ("Rain, \u00bd hour", ["labels"]))
        title = json.loads(run("ffprobe", "-v", "error", "-show_format", "-of", "json",
                               self.node.folder / "library" / movie.path))["format"]["tags"]["title"]
        self.assertEqual(title, "Rain, \u00bd hour")
        self.assertEqual(self.bus.assets(tags=["labels"]), [movie, photo])
        self.assertEqual(list(self.bus.all_assets(tags=["night", "labels"], limit=1)), [photo])
        self.assertEqual(self.bus.assets(name="Gate", tags=["labels"]), [photo])
        self.assertEqual(self.bus.assets(name="gate"), [])

    def test_names_and_tags_are_changed(self) -> None:
        photo = present(self.bus.capture(NEXT, "back", settings=PhotoSettings(tags=["old"])).asset)
        changed, missing = self.bus.tag([photo, B], name="New", add=["a", "b"], remove=["old"])
        self.assertEqual((changed.asset.name, list(changed.asset.tags)), ("New", ["a", "b"]))
        self.assertEqual(changed.asset.sha256, photo.sha256)
        self.assertEqual(missing.error.code, messages.ERROR_CODE_NO_SUCH_ASSET)
        full = self.bus.tag([photo.id], add=[f"t{number}" for number in range(31)])[0]
        self.assertEqual(full.error.code, messages.ERROR_CODE_INVALID_ARGUMENT)
        self.assertEqual(self.bus.tag([photo.id], name="")[0].asset.name, "")
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.tag, [photo.id], field="tag")
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.tag, [photo.id], add=["a,b"], field="tag.add")


class AsyncLabels(unittest.IsolatedAsyncioTestCase):
    async def test_names_and_tags_in_asyncio(self) -> None:
        from node import Node
        with Node("cam=synthetic:160x120@30,format=MJPG") as node:
            async with AsyncCameraBus(node.control, timeout=30) as bus:
                photo = present((await bus.capture(NEXT, settings=PhotoSettings(name="Gate", tags=["a"]))).asset)
                self.assertEqual(await bus.assets(tags=["a"], name="Gate"), [photo])
                [changed] = await bus.tag([photo], add=["b"], remove=["a"])
                self.assertEqual(list(changed.asset.tags), ["b"])
                self.assertEqual([asset async for asset in bus.all_assets(tags=["b"])], [changed.asset])


class Lies(unittest.TestCase):
    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.bus = self.enterContext(CameraBus(self.node.control))

    def asset(self, **labels: Any) -> messages.Asset:
        return messages.Asset(id=A, **labels)

    def test_an_asset_without_what_was_asked_for_is_refused(self) -> None:
        for wanted in ({"name": "Gate"}, {"tags": ["a", "b"]}):
            self.node.answers["assets"] = lambda request: [
                {"assets": messages.AssetsReply(assets=[self.asset(name="gate", tags=["a"])])}]
            with self.subTest(wanted), self.assertRaises(CameraBusError) as caught:
                self.bus.assets(**wanted)
            self.assertEqual(caught.exception.code, Code.CORRUPT)

    def test_a_change_that_was_not_made_is_refused(self) -> None:
        lies: list[tuple[dict[str, Any], dict[str, Any]]] = [
            ({"name": "x"}, {"name": "y"}), ({"add": ["a"]}, {"tags": ["b"]}), ({"remove": ["a"]}, {"tags": ["a"]})]
        for wanted, found in lies:
            self.node.answers["tag"] = lambda request: [
                {"tag": messages.TagReply(results=[messages.AssetResult(id=A, asset=self.asset(**found))])}]
            with self.subTest(wanted), self.assertRaises(CameraBusError) as caught:
                self.bus.tag([A], **wanted)
            self.assertEqual(caught.exception.code, Code.CORRUPT)


if __name__ == "__main__":
    unittest.main()
