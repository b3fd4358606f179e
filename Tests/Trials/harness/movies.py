"""Makes movies to download."""

import hashlib

from camerabus import CameraBus, Published, Snapshot

# A camera that makes large movies fast. Its session ends with the movie.
CAMERA = "film=synthetic:1920x1080@90,quality=100"


def record(node, byte_count):
    """Records a movie of at least that many bytes, and checks its hash in the library."""
    with CameraBus(node.control) as bus, bus.events() as monitor:
        while not isinstance(monitor.next(), Snapshot):
            pass
        bus.start_recording("film", maximum_bytes=byte_count * 11 // 10)
        for notice in monitor:
            if isinstance(notice, Published) and notice.event.recording.HasField("finished"):
                asset = notice.event.recording.finished.asset
                break
        bus.stop_session("film")
    assert asset.byte_count >= byte_count, asset
    content = (node.library / asset.path).read_bytes()
    assert hashlib.sha256(content).digest() == asset.sha256, "the library's file is not what its index says"
    return asset
