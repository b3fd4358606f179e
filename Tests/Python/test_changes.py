"""Tests that the client believes only an answer about the assets that it asked to change."""

import unittest

from camerabus import CameraBus, CameraBusError, Code, messages
from fake import A, B, FakeNode


def result(asset: bytes, *, of: bytes = b"", protected: bool = True) -> messages.AssetResult:
    return messages.AssetResult(id=of or asset, asset=messages.Asset(id=asset, protected=protected))


class Changes(unittest.TestCase):
    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.bus = self.enterContext(CameraBus(self.node.control))

    def answer(self, results: list[messages.AssetResult]) -> None:
        self.node.answers["delete"] = lambda request: [{"delete": messages.DeleteReply(results=results)}]
        self.node.answers["protect"] = lambda request: [{"protect": messages.ProtectReply(results=results)}]

    def test_each_asset_has_its_result(self) -> None:
        refused = messages.AssetResult(id=B, error=messages.Error(code=messages.ERROR_CODE_NO_SUCH_ASSET))
        self.answer([result(A), refused])
        self.assertEqual(self.bus.delete([A, B]), [result(A), refused])
        self.assertEqual(self.bus.protect([A, B]), [result(A), refused])

    def test_results_for_other_assets_are_refused(self) -> None:
        for results in [[], [result(B)], [result(B, of=A)], [result(A), result(B)]]:
            self.answer(results)
            for change in (self.bus.delete, self.bus.protect):
                with self.subTest(results=results), self.assertRaises(CameraBusError) as caught:
                    change([A])
                self.assertEqual(caught.exception.code, Code.CORRUPT)

    def test_another_protection_than_was_asked_for_is_refused(self) -> None:
        for protected in (True, False):
            self.answer([result(A, protected=not protected)])
            with self.subTest(protected=protected), self.assertRaises(CameraBusError) as caught:
                self.bus.protect([A], protected)
            self.assertEqual(caught.exception.code, Code.CORRUPT)


if __name__ == "__main__":
    unittest.main()
