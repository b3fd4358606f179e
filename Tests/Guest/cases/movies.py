"""Tests movies, whose frames ffprobe counts."""

import json
import unittest

from bars import BARS, check_bars
from programs import PROGRAMS, Node, output_of, v4l2


def streams(movie):
    found = output_of("ffprobe", "-v", "error", "-count_frames", "-show_streams", "-of", "json", movie)
    return json.loads(found)["streams"]


class Movies(unittest.TestCase):
    def test_frames(self):
        """A movie of five seconds has as many frames as the node reports"""
        with Node("cam=v4l2:/dev/video0,640x360@10,format=YUYV") as node:
            movie = node.folder / "movie.mkv"
            *_, result = node.json("record", "--duration", 5, "--output", movie)
            (video,) = streams(movie)
            self.assertEqual(int(video["nb_read_frames"]), result["frames"])
            self.assertEqual((video["codec_name"], video["width"], video["height"]), ("mjpeg", 640, 360))
            # Ten a second, minus those that the guest's slow processor could not handle.
            self.assertTrue(20 <= result["frames"] <= 51, result)

    def test_video(self):
        """A movie of H.264 has the driver's pictures, and as many as the node reports"""
        v4l2("/dev/video0", "--set-ctrl", "osd_text_mode=2,brightness=128,contrast=128,saturation=128,hue=0")
        for format in ("YUYV", "NV12"):
            with self.subTest(format=format), Node(f"cam=v4l2:/dev/video0,320x180@10,format={format}") as node:
                movie = node.folder / "movie.mp4"
                *_, result = node.json("record", "--duration", 3, "--output", movie)
                (video,) = streams(movie)
                self.assertEqual(int(video["nb_read_frames"]), result["frames"])
                self.assertEqual((video["codec_name"], video["width"], video["height"]), ("h264", 320, 180))
                self.assertGreater(result["frames"], 5)
                frames = output_of(PROGRAMS / "camctl", "frames", movie, "--json").splitlines()
                self.assertEqual(len(frames), result["frames"])
                picture = node.folder / "picture.jpg"
                output_of("ffmpeg", "-v", "error", "-sseof", "-0.5", "-i", movie, "-frames:v", "1", "-q:v", "1", picture)
                check_bars(self, picture, 320, 180, BARS)

    def test_formats(self):
        """A movie survives formats that are refused, and ends only for one that may end it"""
        with Node("cam=v4l2:/dev/video0,640x360@10,format=YUYV") as node:
            node.camctl("record", "start")
            with node.following("watch", "--stream", "raw", "--count", 10, "--frames") as watch:
                next(watch)
                for format, word in [("format=H264", "H264"), ("641x361", "641x361"), ("320x180", "--end-recording")]:
                    refused = node.try_camctl("configure", "--format", format)
                    self.assertEqual(refused.returncode, 1, refused)
                    self.assertIn(word, refused.stderr)
                # Its stream goes on.
                *_, report = list(watch)
                self.assertEqual(report["frames"], 10)
            (camera,) = node.json("cameras")
            self.assertIn("recording", camera)
            (done,) = node.json("configure", "--format", "320x180", "--end-recording")
            changed = done["status"]
            self.assertEqual(changed["format"]["size"], {"width": 320, "height": 180})
            self.assertNotIn("recording", changed)
            (movie,) = (node.folder / "library").rglob("*.mkv")
            (video,) = streams(movie)
            self.assertEqual((video["width"], video["height"]), (640, 360))
            self.assertGreater(int(video["nb_read_frames"]), 0)

    def test_terminated(self):
        """SIGTERM during a recording leaves a complete movie in the library"""
        with Node("cam=v4l2:/dev/video0,640x360@10,format=YUYV") as node:
            node.camctl("record", "start")
            while not node.json("cameras")[0]["recording"]["frames"]:
                pass
            node.stop()
            (movie,) = (node.folder / "library").rglob("*.mkv")
            (video,) = streams(movie)
            self.assertGreater(int(video["nb_read_frames"]), 0)
