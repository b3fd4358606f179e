"""The folder of a shot or a recording: the pictures or movies, named by camera, and `shot.json` or `recording.json`."""

from __future__ import annotations

import os
from typing import Optional

from . import arguments, messages
from .errors import CameraBusError, Code, shown, writing
from .files import write_whole
from .photo import Photo, PhotoFile
from .rig_recording import RigRecording
from .rig_shot import RigFile, RigShot

# The endings of files' names, by their types.
_ENDINGS = {
    "image/jpeg": "jpg", "image/png": "png", "image/tiff": "tif", "image/x-adobe-dng": "dng", "image/avif": "avif",
    "image/heic": "heic", "image/x-raw": "raw", "video/x-matroska": "mkv", "video/mp4": "mp4"}


class ShotFolder:
    """A picture is there whole or not at all, and nothing that is there is replaced."""

    def __init__(self, path: arguments.Path):
        """Makes the folder, and those above it.

        - Raises: `CameraBusError`: FILE_EXISTS if something is in it; PERMISSION_DENIED, STORAGE_FULL, STORAGE_FAILED.
        """
        self.path = arguments.path("folder", path)
        with writing(self.path):
            try:
                os.makedirs(self.path, exist_ok=True)
                is_empty = not os.listdir(self.path)
            except (FileExistsError, NotADirectoryError) as error:
                raise CameraBusError(
                    Code.FILE_EXISTS, f"a part of {shown(self.path)} is a file: name a folder", "path") from error
        if not is_empty:
            raise CameraBusError(
                Code.FILE_EXISTS, f"there is something in {shown(self.path)}: name a folder that is empty, or a new one",
                "path")

    def write(self, photo: Photo, camera: str) -> tuple[RigFile, ...]:
        """Writes the files of a picture of the camera with this name in the rig, and returns them, the first one first.

        - Raises: `CameraBusError`: FILE_EXISTS, PERMISSION_DENIED, STORAGE_FULL, STORAGE_FAILED.
        """
        beginnings = [camera] * len(photo.files) + [f"{camera}-depth", f"{camera}-matte"]
        written = []
        for file, beginning in zip(photo.all_files, beginnings):
            name = f"{beginning}.{_ENDINGS.get(file.media_type, 'bin')}"
            file.write(os.path.join(self.path, name))
            written.append(described(file, name))
        return tuple(written)

    def write_shot(self, shot: RigShot) -> None:
        """Writes `shot.json`.

        - Raises: As `write`.
        """
        self._describe("shot.json", shot.to_json())

    def movie_name(self, asset: messages.Asset, camera: str) -> str:
        """What the movie of the camera with this name in the rig is called here."""
        return f"{camera}.{_ENDINGS.get(asset.media_type, 'bin')}"

    def write_recording(self, recording: RigRecording) -> None:
        """Writes `recording.json`.

        - Raises: As `write`.
        """
        self._describe("recording.json", recording.to_json())

    def _describe(self, name: str, text: str) -> None:
        path = os.path.join(self.path, name)
        with writing(path):
            write_whole(path, text.encode(), overwrite=False)


def described(file: PhotoFile, name: Optional[str] = None) -> RigFile:
    return RigFile(name, file.media_type, file.byte_count, file.sha256)
