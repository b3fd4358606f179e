"""Reads with exiftool what the files of photos say about them, and compares it with the node's answers."""

from __future__ import annotations

import datetime
import os
import tempfile
import unittest
from collections.abc import Sequence
from typing import Any
from unittest import mock

import readers
from camerabus import NEXT, CameraBus, Exposure, Photo, PhotoSettings, messages
from node import Node
from photo_files import write

OUTPUTS = ("jpeg", "png", "tiff", "dng", "avif", "heic")
# What every file says of a photo, and nothing else: EXIF by the standard's names, and the XMP properties.
ALWAYS = {
    "Model", "Software", "ModifyDate", "ExifVersion", "FlashpixVersion", "ColorSpace", "DateTimeOriginal", "CreateDate",
    "OffsetTime", "OffsetTimeOriginal", "OffsetTimeDigitized", "SubSecTime", "SubSecTimeOriginal", "SubSecTimeDigitized",
    "ImageUniqueID"}
ALWAYS_XMP = {
    "Camera", "WallTime", "MonotonicTime", "Epoch", "FrameNumber", "TimestampMarks", "EarliestStart", "LatestEnd", "RequestID"}
# The picture itself, which each format describes in its own way.
STRUCTURE = {
    "SubfileType", "ImageWidth", "ImageHeight", "BitsPerSample", "Compression", "PhotometricInterpretation", "StripOffsets",
    "SamplesPerPixel", "RowsPerStrip", "StripByteCounts", "PlanarConfiguration", "XResolution", "YResolution", "ResolutionUnit",
    "YCbCrPositioning", "ComponentsConfiguration", "ExifImageWidth", "ExifImageHeight", "CFARepeatPatternDim", "CFAPattern2",
    "CFAPlaneColor", "CFALayout", "DNGVersion", "DNGBackwardVersion", "UniqueCameraModel", "BlackLevel", "WhiteLevel",
    "ColorMatrix1", "CalibrationIlluminant1", "AsShotNeutral", "BaselineExposure", "Orientation", "ApplicationNotes"}
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def wall_ns(file: dict[str, Any], name: str, kind: str) -> int:
    """A moment of EXIF, which has its fraction and its offset in entries of their own."""
    text = f"{file[name]}.{file[f'ExifIFD:SubSecTime{kind}']}{file[f'ExifIFD:OffsetTime{kind}']}"
    return (datetime.datetime.strptime(text, "%Y:%m:%d %H:%M:%S.%f%z") - EPOCH) // datetime.timedelta(microseconds=1) * 1000


def group(file: dict[str, Any], *groups: str) -> dict[str, Any]:
    """The facts of some of exiftool's groups."""
    return {name: value for key, value in file.items() for start, _, name in (key.partition(":"),) if start in groups}


class Facts(unittest.TestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        # An offset from UTC that is no whole hour.
        with mock.patch.dict(os.environ, TZ="Asia/Kathmandu"):
            cls.node = cls.enterClassContext(Node(
                "known=synthetic:160x120@30,format=RGGB,gps=47.3769/8.5417/408,lens=4.2mm/f2.8",
                "south=synthetic:160x120@30,format=RG10,gps=-33.92487/-70.5/-12.5,lens=35mm",
                "unknown=synthetic:160x120@30,format=RG12,facts=off,zoom=off", options=["--clock-error", "5ms"]))

    def setUp(self) -> None:
        self.bus = self.enterContext(CameraBus(self.node.control, timeout=60))

    def facts(self, photo: Photo) -> dict[str, dict[str, Any]]:
        """The facts in each of the photo's files, by their endings."""
        paths = write(photo, self.node.folder, photo.request_id.hex() + str(photo.resolved.frame_sequence))
        found = readers.facts(paths.values())
        return {ending: found[path] for ending, path in paths.items()}

    def check(self, file: dict[str, Any], photo: Photo, camera: str) -> None:
        """The facts that every photo has."""
        resolved, time = photo.resolved, photo.resolved.timestamp
        for name, kind in (("ExifIFD:DateTimeOriginal", "Original"), ("ExifIFD:CreateDate", "Digitized"), ("IFD0:ModifyDate", "")):
            self.assertEqual(wall_ns(file, name, kind), time.wall_ns // 1000 * 1000)
            self.assertEqual(file[f"ExifIFD:OffsetTime{kind}"], "+05:45")
        self.assertEqual(file["ExifIFD:ImageUniqueID"], photo.request_id.hex())
        self.assertEqual(file["IFD0:Model"], "Synthetic camera")
        self.assertRegex(file["IFD0:Software"], r"^CameraBus \d")
        expected = {
            "Camera": camera, "MonotonicTime": time.monotonic_ns, "Epoch": self.bus.epoch.hex(),
            "FrameNumber": resolved.frame_sequence, "TimestampMarks": "exposureStart",
            "EarliestStart": resolved.earliest_start_ns, "LatestEnd": resolved.latest_end_ns,
            "WallClockError": time.wall_error_ns, "RequestID": photo.request_id.hex()}
        found = group(file, "XMP-camerabus")
        self.assertEqual({name: str(found.get(name)) for name in expected}, {name: str(value) for name, value in expected.items()})

    def assert_names(self, file: dict[str, Any], exif: Sequence[str], xmp: Sequence[str]) -> None:
        """Nothing is said but what every photo says, and this."""
        self.assertEqual(group(file, "IFD0", "ExifIFD").keys() - STRUCTURE, ALWAYS.union(exif))
        self.assertEqual(group(file, "XMP-camerabus").keys(), ALWAYS_XMP.union(xmp))

    def test_every_file_says_what_the_answer_says(self) -> None:
        photo = self.bus.capture(NEXT, "known", settings=PhotoSettings(OUTPUTS))
        self.assertGreaterEqual(photo.resolved.timestamp.wall_error_ns, 5_000_000)
        self.assertEqual([photo.resolved.facts.HasField(name) for name in ("gain", "kelvin", "focus", "zoom")],
                         [False, False, True, True])
        files = self.facts(photo)
        self.assertEqual(len(files), len(OUTPUTS))
        for ending, file in files.items():
            with self.subTest(ending):
                self.check(file, photo, "known")
                self.assertEqual((file["ExifIFD:FocalLength"], file["ExifIFD:FNumber"]), (4.2, 2.8))
                self.assertAlmostEqual(file["GPS:GPSLatitude"], 47.3769, places=8)
                self.assertAlmostEqual(file["GPS:GPSLongitude"], 8.5417, places=8)
                self.assertEqual((file["GPS:GPSLatitudeRef"], file["GPS:GPSLongitudeRef"]), ("N", "E"))
                self.assertEqual((file["GPS:GPSAltitude"], file["GPS:GPSAltitudeRef"]), (408, 0))
                self.assertEqual(file["GPS:GPSProcessingMethod"], "MANUAL")
                self.assertEqual(file["ExifIFD:DigitalZoomRatio"], 1)
                self.assertEqual(file["ExifIFD:Flash"], 0)
                self.assert_names(file, ["Flash", "FocalLength", "FNumber", "DigitalZoomRatio"], ["WallClockError", "Focus", "Zoom"])

    def test_places_in_the_south_and_west_and_below_the_sea(self) -> None:
        for ending, file in self.facts(self.bus.capture(NEXT, "south", settings=PhotoSettings(OUTPUTS))).items():
            with self.subTest(ending):
                self.assertAlmostEqual(file["GPS:GPSLatitude"], 33.92487, places=8)
                self.assertEqual((file["GPS:GPSLatitudeRef"], file["GPS:GPSLongitudeRef"]), ("S", "W"))
                self.assertEqual((file["GPS:GPSLongitude"], file["GPS:GPSAltitude"], file["GPS:GPSAltitudeRef"]), (70.5, 12.5, 1))
                self.assertEqual(file["ExifIFD:FocalLength"], 35)
                self.assertNotIn("ExifIFD:FNumber", file)

    def test_exposure_gain_and_colors_are_there_when_they_are_known(self) -> None:
        settings = {"auto_exposure": 1, "exposure_time_absolute": 125, "gain": 400, "white_balance_automatic": False,
                    "white_balance_temperature": 4000}
        self.bus.set_controls(settings, "known", find_effect=True)
        photo = self.bus.capture(NEXT, "known", settings=PhotoSettings(OUTPUTS))
        self.bus.set_controls({"auto_exposure": 0, "white_balance_automatic": True}, "known")
        resolved = photo.resolved
        # The gains reach from 100 to 1600.
        self.assertEqual((resolved.exposure_ns, resolved.facts.gain, resolved.facts.kelvin), (12_500_000, 0.2, 4000))
        for ending, file in self.facts(photo).items():
            with self.subTest(ending):
                self.assertEqual(file["ExifIFD:ExposureTime"], 0.0125)
                self.assertEqual((file["XMP-camerabus:Gain"], file["XMP-camerabus:Kelvin"]), (0.2, 4000))
                self.assert_names(file, ["ExposureTime", "Flash", "FocalLength", "FNumber", "DigitalZoomRatio"],
                                  ["WallClockError", "Gain", "Kelvin", "Focus", "Zoom"])

    def test_nothing_is_said_that_is_not_known(self) -> None:
        # What an automatic decides is not known of a camera that does not say it.
        self.bus.set_controls({"focus_automatic_continuous": True}, "unknown")
        photo = self.bus.capture(NEXT, "unknown", settings=PhotoSettings(OUTPUTS))
        # The zoom is the node's own.
        self.assertEqual(photo.resolved.facts, messages.FrameFacts(zoom=1))
        self.assertEqual(photo.resolved.exposure_ns, 0)
        for ending, file in self.facts(photo).items():
            with self.subTest(ending):
                self.check(file, photo, "unknown")
                self.assert_names(file, ["DigitalZoomRatio"], ["WallClockError", "Zoom"])
                self.assertEqual(group(file, "GPS"), {})

    def test_every_file_says_its_name_and_its_tags(self) -> None:
        name, tags = "Früh am \"Tor\" <3>", ["garden", "früh & kalt"]
        photo = self.bus.capture(NEXT, "known", settings=PhotoSettings(OUTPUTS, name=name, tags=tags))
        self.assertEqual({(asset.name, tuple(asset.tags)) for asset in self.bus.assets(request_id=photo.request_id)},
                         {(name, tuple(tags))})
        for ending, file in self.facts(photo).items():
            with self.subTest(ending):
                # EXIF has ASCII alone.
                self.assertEqual(file["IFD0:ImageDescription"], 'Fr?h am "Tor" <3>')
                self.assertEqual((file["XMP-dc:Description"], file["XMP-dc:Subject"]), (name, tags))
                self.assert_names(file, ["ImageDescription", "Flash", "FocalLength", "FNumber", "DigitalZoomRatio"],
                                  ["WallClockError", "Focus", "Zoom"])

    def test_the_shots_of_a_bracket_say_their_exposures(self) -> None:
        """Also of a camera that does not say how it takes its frames: HDR programs read these entries"""
        for camera in ("known", "unknown"):
            self.bus.set_controls({"test_pattern": 1, "exposure.duration": 0.002}, camera)
            photos = list(self.bus.bracket([-2, 0, Exposure(0.008)], camera=camera, settings=PhotoSettings(["jpeg", "dng"])))
            self.bus.set_controls({"test_pattern": 0, "auto_exposure": 0}, camera)
            expected: list[tuple[float, float | None]] = [(0.0005, -2), (0.002, 0), (0.008, None)]
            for photo, (time, bias) in zip(photos, expected):
                for ending, file in self.facts(photo).items():
                    with self.subTest(camera, time=time, ending=ending):
                        self.assertEqual(file["ExifIFD:ExposureTime"], time)
                        self.assertEqual(file.get("ExifIFD:ExposureCompensation"), bias)
            # An automatic exposure has a bias, and nobody knows its time.
            [photo] = self.bus.bracket([1], camera=camera)
            [file] = self.facts(photo).values()
            self.assertEqual(file["ExifIFD:ExposureCompensation"], 1)
            self.assertNotIn("ExifIFD:ExposureTime", file)

    def test_the_pictures_of_a_burst_are_numbered(self) -> None:
        for number, photo in enumerate(self.bus.burst(3, camera="known", settings=PhotoSettings(["jpeg", "dng"])), 1):
            for ending, file in self.facts(photo).items():
                with self.subTest(number, ending=ending):
                    self.check(file, photo, "known")
                    xmp = group(file, "XMP-camerabus")
                    self.assertEqual((xmp["BurstIndex"], xmp["BurstCount"]), (number, 3))


CALIBRATION = """
image_width: 320
image_height: 240
camera_matrix: {rows: 3, cols: 3, data: [250, 0, 160, 0, 252, 120, 0, 0, 1]}
distortion_model: plumb_bob
distortion_coefficients: {rows: 1, cols: 5, data: [0, 0, 0, 0, 0]}
"""


class Optics(unittest.TestCase):
    """The focal length in pixels, which photogrammetry reads, is that of the camera's calibration"""

    def test_the_calibration_says_how_much_a_picture_shows(self) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as calibration:
            calibration.write(CALIBRATION)
            calibration.flush()
            with (Node(*(f"{name}=synthetic:{size}@30,format=RGGB,zoom=off,calibration={calibration.name}{lens}" for name, size, lens in (
                    ("cam", "320x240", ",lens=4mm"), ("bare", "320x240", ""), ("other", "640x480", ",lens=4mm")))) as node,
                  CameraBus(node.control, timeout=60) as bus):
                def facts(photo: Photo) -> dict[str, dict[str, Any]]:
                    paths = write(photo, node.folder, photo.request_id.hex())
                    found = readers.facts(paths.values())
                    return {ending: found[path] for ending, path in paths.items()}

                # 36 mm x 250 / 320 is 28 mm; 250 pixels are 4 mm.
                for ending, file in facts(bus.capture(camera="cam", settings=PhotoSettings(OUTPUTS))).items():
                    with self.subTest(ending):
                        self.assertEqual(file["ExifIFD:FocalLengthIn35mmFormat"], 28)
                        self.assertAlmostEqual(file["ExifIFD:FocalPlaneXResolution"], 625)
                        self.assertAlmostEqual(file["ExifIFD:FocalPlaneYResolution"], 630)
                        centimetres = 3
                        self.assertEqual(file["ExifIFD:FocalPlaneResolutionUnit"], centimetres)
                # Half the size, turned: half the pixels, and as much of the scene.
                turned = bus.capture(camera="cam", settings=PhotoSettings(rotation=90, dimensions=(120, 160)))
                [file] = facts(turned).values()
                self.assertEqual(file["ExifIFD:FocalLengthIn35mmFormat"], 28)
                self.assertAlmostEqual(file["ExifIFD:FocalPlaneXResolution"], 315)
                self.assertAlmostEqual(file["ExifIFD:FocalPlaneYResolution"], 312.5)
                bus.set_controls({"zoom": 2.0}, "cam")
                [file] = facts(bus.capture(camera="cam")).values()
                self.assertEqual(file["ExifIFD:FocalLengthIn35mmFormat"], 56)
                # Without a lens the sensor's pixels have no size.
                [file] = facts(bus.capture(camera="bare")).values()
                self.assertEqual(file["ExifIFD:FocalLengthIn35mmFormat"], 28)
                self.assertNotIn("ExifIFD:FocalPlaneXResolution", file)
                # A calibration of another size says nothing of these frames.
                [file] = facts(bus.capture(camera="other")).values()
                self.assertEqual([name for name in file if "FocalPlane" in name or "35mm" in name], [])


if __name__ == "__main__":
    unittest.main()
