"""A browser with a profile on the disk, which can be killed as any program can."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

_PORT_FILE = "DevToolsActivePort"
_LONGEST = 60.0  # seconds until a browser is there


def find_chromium() -> str | None:
    """Return the program of Chromium; None where it is not installed."""
    return which("chromium") or which("chromium-browser") or which("google-chrome")


class ProfileBrowser:
    """Chromium without a screen, over a profile that outlives it.

    Args:
        playwright: that drives it.
        program: of Chromium.
        profile: the folder of what it keeps.

    Attributes:
        page: of its only window.
    """

    def __init__(self, playwright: Playwright, program: str, profile: Path) -> None:
        profile.mkdir(parents=True, exist_ok=True)
        (profile / _PORT_FILE).unlink(missing_ok=True)
        self._process = subprocess.Popen(  # noqa: S603 - the system's Chromium
            [
                program, "--headless=new", "--no-sandbox", "--no-first-run",
                "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank",
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        try:
            address = f"http://127.0.0.1:{self._wait_for_port(profile / _PORT_FILE)}"
            self.page: Page = playwright.chromium.connect_over_cdp(address).contexts[0].pages[0]
        except BaseException:
            self.kill()
            raise

    def kill(self) -> None:
        """Kill it with all its processes, whatever they are at."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _wait_for_port(self, path: Path) -> int:
        until = time.monotonic() + _LONGEST
        while time.monotonic() < until and self._process.poll() is None:
            if path.exists() and (lines := path.read_text().split()):
                return int(lines[0])
            time.sleep(0.02)
        raise RuntimeError("the browser does not start")
