"""Steps at a study's page in a real browser, and its answers beside those of the program."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from toy_studies import at_work, opened

from termexplorer.services.studies import judging as judging_service
from termexplorer.services.studies.answers import write_answers
from termexplorer.services.studies.judging import Judging, Seen
from termexplorer.services.verdicts import log

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True,
}  # fmt: skip
START = "2026-03-01T10:00:00Z"  # where the clock of a page stands
_PAUSE_OFF = "localStorage.setItem('termexplorer-judge/pause', '0')"


@contextmanager
def running_browser() -> Iterator[Browser]:
    """The Chromium of the system, which no test waits to be downloaded for."""
    program = which("chromium")
    if program is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


class OpenedPage:
    """A page in a browser window of its own, with what it asked the network for.

    Args:
        browser: that opens it.
        where: the file, or the address.
        pause: whether an answer counts only after a pair was on show for a while.
        script: run before those of the page.
        begins: whether a browser is let in by a press first.
        look: of the window: its size, colours, language.

    Attributes:
        page: of the browser.
        requests: the addresses that were asked for, in that order.
        errors: what its script did not catch, or the browser forbade it.
    """

    def __init__(
        self,
        browser: Browser,
        where: Path | str,
        *,
        pause: bool = False,
        script: str = "",
        begins: bool = False,
        **look: Any,
    ) -> None:
        self._context = browser.new_context(**{"locale": "en-GB", **look})
        self._address = where if isinstance(where, str) else where.as_uri()
        if not pause:
            self._context.add_init_script(_PAUSE_OFF)
        self.requests: list[str] = []
        self.errors: list[str] = []
        self.page = self._context.new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self.errors.append(message.text))
        if script:
            self.page.add_init_script(script)
        self.page.clock.install(time=START)
        if begins:
            self.page.goto(self._address)
            self.page.click("button")
        self.open_again()

    def open_again(self) -> None:
        """Open the page, as if it had been closed before."""
        self.requests.clear()
        self.page.goto(self._address)
        self.page.wait_for_selector("#sheet:not([hidden]), #notice:not([hidden])")

    def close_page(self) -> None:
        """Close the window, which is forgotten."""
        self._context.close()

    def pass_time(self, milliseconds: int) -> None:
        """Have the clock of the page go on."""
        self.page.clock.run_for(milliseconds)

    def press(self, *keys: str) -> None:
        """Press keys one after the other, each when what is on show was drawn."""
        for key in keys:
            self.pass_time(50)  # of the page's own clock: two pictures are drawn
            self.page.keyboard.press(key)
            self.page.wait_for_selector("body:not([data-writing])")

    def text(self, name: str) -> str:
        """Return what an element says."""
        return self.page.inner_text(f"#{name}")

    def on_show(self) -> str:
        """Return which of the three pages is on show."""
        names = self.page.eval_on_selector_all(
            "main > section:not([hidden])", "pages => pages.map(page => page.id)"
        )
        return " ".join(names)

    def save_answers(self, folder: Path) -> Path:
        """Save the answers, and return the file among the downloads."""
        with self.page.expect_download() as download:
            self.page.keyboard.press("Control+s")
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        return path


def program_answers(
    pack: Path, answers: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> bytes:
    """Return what the program writes, unsigned, for the presses that are in a file of answers."""
    rows: Sequence[dict[str, Any]] = json.loads(answers.read_text("utf-8"))["content"]["rows"]
    with opened(folder) as workspace:
        judging = at_work(workspace, pack)
        verdicts = {row["id"] for row in rows if "undoes" not in row}
        for row in rows:
            for module in (judging_service, log):
                monkeypatch.setattr(module, "now", lambda row=row: row["answered_at"])
            _press_again(judging, row, verdicts)
        path = folder / "program.termanswers"
        write_answers(workspace, judging.study.id, judging.annotator, path)
    return path.read_bytes()


def _press_again(judging: Judging, row: dict[str, Any], verdicts: set[str]) -> None:
    if row.get("undoes") in verdicts:
        judging.undo()
    elif "undoes" in row:
        judging.redo()
    else:
        seen = Seen(row["shown_at"], row["active_ms"], row["wall_ms"], row["looked_up"])
        judging.judge(judging.turns[row["place"]], row["answer"], seen, row["note"])


def find_small_buttons(page: Page) -> list[str]:
    """Return what is too small for a thumb: less than 44 pixels, with what belongs to it."""
    small: list[str] = page.eval_on_selector_all(
        "button, label, input",
        """parts => parts.filter(part => {
            const { width, height } = part.getBoundingClientRect();
            return width && (width < 44 || height < 44) && !part.closest("label > input");
        }).map(part => part.id || part.textContent)""",
    )
    return small
