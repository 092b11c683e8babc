"""ffmpeg, which encodes videos: found, started, and fed with pictures."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from PIL import Image

from ludus.core.errors import FileError, LudusError
from ludus.core.paths import file_errors


class FfmpegWriter:
    """Write a video through ffmpeg, with this many pictures a second; the file appears when all went well."""

    def __init__(self, file: Path, size: tuple[int, int], rate: float, options: Sequence[str]) -> None:
        program = _program()
        self._file, self._rate = file, rate
        self._part = file.with_name(f"{file.stem}.part{file.suffix}")
        self._said = tempfile.TemporaryFile()  # noqa: SIM115
        width, height = size
        words = ["-y", "-hide_banner", "-loglevel", "error"]
        words += ["-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", f"{width}x{height}"]
        words += ["-framerate", f"{rate:.6f}", "-i", "-", *options]
        try:
            self._process = subprocess.Popen(
                [program, *words, f"file:{os.path.abspath(self._part)}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._said,
            )
        except OSError as error:
            raise LudusError(f"ffmpeg cannot be started: {error}.") from None

    def write(self, picture: Image.Image, seconds: float) -> None:
        """Add a picture that is shown for some time."""
        assert self._process.stdin is not None
        data = picture.tobytes()
        try:
            for _ in range(round(seconds * self._rate)):
                self._process.stdin.write(data)
        except BrokenPipeError:
            raise self._failure() from None

    def __enter__(self) -> "FfmpegWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is not None:
                self._process.kill()
            with file_errors(self._file, "written"):
                self._process.communicate()
                if kind is None and self._process.returncode:
                    raise self._failure()
                if kind is None:
                    os.replace(self._part, self._file)
        finally:
            self._part.unlink(missing_ok=True)
            self._said.close()

    def _failure(self) -> LudusError:
        self._process.wait()
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").strip().splitlines()
        said = re.sub(r"^\[[^]]*\] ", "", (lines or ["it was ended"])[0]).rstrip(".")  # without the part of ffmpeg
        return FileError(f"{self._file} cannot be written: ffmpeg reports '{said}'.", self._file)


def _program() -> str:
    """The ffmpeg of the extra `video`, whose codecs are known, or else that of the system."""
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        pass
    if found := shutil.which("ffmpeg"):
        return found
    raise LudusError(
        "A video as MP4 or WebM needs ffmpeg: pip install 'ludus[video]', or write a GIF, which needs nothing else."
    )
