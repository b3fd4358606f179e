"""Photos of cameras that send JPEG: the picture stays byte by byte, and the node's facts take the place of the camera's."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import readers
from camerabus import CameraBus, Photo, PhotoSettings
from jpegs import without_facts
from node import Node
from photo_files import raw, write

DEFINE_HUFFMAN_TABLES, APP1, START_OF_SCAN = 0xC4, 0xE1, 0xDA


def segments(jpeg: bytes) -> list[tuple[int, bytes]]:
    """The segments from the start to the scan: each one's marker and its bytes. The last one has the scan."""
    found, place = [], 2
    while jpeg[place + 1] != START_OF_SCAN:
        end = place + 2 + int.from_bytes(jpeg[place + 2:place + 4], "big")
        found.append((jpeg[place + 1], jpeg[place:end]))
        place = end
    return [*found, (START_OF_SCAN, jpeg[place:])]


def joined(parts: list[tuple[int, bytes]]) -> bytes:
    return b"\xff\xd8" + b"".join(data for _, data in parts)


class OwnJPEGs(unittest.TestCase):
    folder: Path
    photos: dict[str, Photo]
    paths: dict[str, dict[str, Path]]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        picture = cls.folder / "picture.ppm"
        readers.run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x120", "-frames:v", "1", picture)
        plain, told = cls.folder / "plain.jpg", cls.folder / "told.jpg"
        for path in (plain, told):
            readers.run("cjpeg", "-quality", "90", "-outfile", path, picture)
        readers.run("exiftool", "-q", "-overwrite_original", "-Orientation#=1", "-GPSLatitude=10", "-GPSLatitudeRef=S",
                    "-XMP:Title=old", "-IPTC:Keywords=kept", "-Comment=kept", told)
        # As motion JPEG may be.
        bare = [part for part in segments(plain.read_bytes()) if part[0] != DEFINE_HUFFMAN_TABLES]
        (cls.folder / "bare.jpg").write_bytes(joined(bare))
        names = ("plain", "told", "bare")
        node = cls.enterClassContext(Node(*(f"{name}=files:{cls.folder / name}.jpg,@10" for name in names)))
        bus = cls.enterClassContext(CameraBus(node.control, timeout=60))
        cls.photos = {name: bus.capture(camera=name, settings=PhotoSettings(["jpeg", "raw"])) for name in names}
        cls.paths = {name: write(photo, node.folder, name) for name, photo in cls.photos.items()}

    def own(self, name: str) -> bytes:
        return (self.folder / f"{name}.jpg").read_bytes()

    def test_raw_files_are_the_bytes_of_the_camera(self) -> None:
        for name, photo in self.photos.items():
            with self.subTest(name):
                self.assertEqual(raw(photo)[1], self.own(name))

    def test_the_picture_stays_as_it_is(self) -> None:
        for name, photo in self.photos.items():
            with self.subTest(name):
                self.assertTrue(photo.resolved.passthrough)
                found = self.paths[name]["jpg"].read_bytes()
                kept = [part for part in segments(self.own(name)) if part[0] != APP1]
                if name == "bare":
                    with_tables = segments(without_facts(found))
                    self.assertIn(DEFINE_HUFFMAN_TABLES, [marker for marker, _ in with_tables])
                    self.assertEqual([part for part in with_tables if part[0] != DEFINE_HUFFMAN_TABLES], kept)
                else:
                    self.assertEqual(without_facts(found), joined(kept))
                self.assertEqual(
                    readers.difference(readers.read(self.paths[name]["jpg"]), readers.read(self.folder / "plain.jpg")), 0)

    def test_what_the_camera_says_is_gone_and_everything_else_is_kept(self) -> None:
        path = self.paths["told"]["jpg"]
        before, after = readers.facts([self.folder / "told.jpg", path]).values()
        self.assertEqual((before["IFD0:Orientation"], before["GPS:GPSLatitude"]), (1, 10))
        self.assertFalse(after.keys() & {"IFD0:Orientation", "GPS:GPSLatitude", "XMP-dc:Title"})
        self.assertEqual((after["IPTC:Keywords"], after["File:Comment"]), ("kept", "kept"))
        self.assertEqual(after["ExifIFD:ImageUniqueID"], self.photos["told"].request_id.hex())

    def test_no_reader_complains(self) -> None:
        self.assertEqual(readers.complaints(paths["jpg"] for paths in self.paths.values()), [])


if __name__ == "__main__":
    unittest.main()
