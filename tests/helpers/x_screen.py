"""A virtual X screen, with what a user does on it."""

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCREEN = pytest.StashKey["Screen"]()  # the one of a whole session
SIZE = "1440x900x24"


class Screen:
    """An X server of its own, whose mouse and keyboard xdotool moves; closed at the end."""

    def __init__(self) -> None:
        for program in ("Xvfb", "xdotool"):
            assert shutil.which(program), f"no {program}: packaging/setup.sh --dev installs it"
        self.environment = dict(os.environ)
        self.environment.pop("QT_QPA_PLATFORM", None)
        reading, writing = os.pipe()
        # -r: a key that a busy machine holds long is still one key
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", SIZE, "-r"]
        self.server = subprocess.Popen(
            command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(writing)
        with os.fdopen(reading) as pipe:
            self.environment["DISPLAY"] = f":{pipe.readline().strip()}"

    def do(self, *words: str) -> str:
        """What xdotool says to some of its words."""
        done = subprocess.run(
            ["xdotool", *words], env=self.environment, capture_output=True, text=True, check=False
        )
        return done.stdout.strip()

    def repeat_keys(self, on: bool) -> None:
        """Has the server repeat keys that are held down, or not, as it begins."""
        library = ctypes.CDLL("libX11.so.6")
        library.XOpenDisplay.restype = ctypes.c_void_p
        display = ctypes.c_void_p(library.XOpenDisplay(self.environment["DISPLAY"].encode()))
        (library.XAutoRepeatOn if on else library.XAutoRepeatOff)(display)
        library.XCloseDisplay(display)

    def save_picture(self, file: Path) -> None:
        """Saves a picture of the whole screen."""
        script = Path(__file__).parents[1] / "e2e" / "grab_screen.py"
        grab = [sys.executable, str(script), str(file)]
        subprocess.run(grab, env=self.environment, check=True)

    def close(self) -> None:
        """Ends the server."""
        self.server.terminate()
        self.server.wait()


def picture_folder(otherwise: Path) -> Path:
    """Where pictures stay to be looked at, where somebody says so."""
    folder = Path(os.environ.get("TERMEXPLORER_PICTURES", otherwise))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
