"""The window in a pseudo language: no page, panel or form shows a text that was not translated."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from shown_texts import one_of, pseudo, texts_of, untranslated
from toy_window import open_page
from window_walk import PAGES, walk_frame, walk_page

from termexplorer import texts
from termexplorer.desk import WindowController
from termexplorer.services.workspace.help_topics import topics

_DATA = {
    "name": "text",
    "concept": "curie, label, definition",
    "encoder": "method",
    "release": "title, version, licence, format, source",
}
ANSWERED = [f"{what} {n}" for what in ("name", "encoder") for n in range(10)]  # `FakeRanker`'s
_DIALOGS = {
    "getOpenFileName": ("", ""),
    "getOpenFileNames": ([], ""),
    "getSaveFileName": ("", ""),
    "getExistingDirectory": "",
}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The pseudo language is spoken, and what dialogs for files would say is kept."""
    said: list[str] = []

    def cancelled(answer: object) -> Callable[..., object]:
        def dialog(*words: object, **_named: object) -> object:
            said.extend(each for each in words if isinstance(each, str))
            return answer

        return dialog

    for name, answer in _DIALOGS.items():
        monkeypatch.setattr(QFileDialog, name, cancelled(answer))
    texts.speak("de", pseudo)
    yield said
    texts.speak("en", None)


@pytest.mark.parametrize("key", ["frame", *PAGES])
def test_nothing_is_shown_that_was_not_translated(
    key: str,
    qtbot: QtBot,
    asked: list[str],
    open_desk: Callable[[Path], WindowController],
    trained: Path,
    tmp_path: Path,
) -> None:
    desk, _page = open_page(open_desk, trained, tmp_path, key if key in PAGES else "explore")
    walk = walk_frame if key == "frame" else walk_page
    seen = {*walk(qtbot, desk, texts_of), *(("dialog", each) for each in asked)}
    data = *data_of(trained / "workspace.sqlite"), *places(desk, tmp_path)
    known = one_of((*data, *ANSWERED, *(topic.title for topic in topics())))
    wrong = sorted(
        (place, text)
        for place, text in seen
        if untranslated(text, known)
        and not place.startswith("text.HelpText")  # a file's own
        and not text.startswith(str(tmp_path))  # a file
    )
    assert not wrong, "\n" + "\n".join(f"{place}: {text!r}" for place, text in wrong)


def data_of(store: Path) -> list[str]:
    """What is in a workspace: names, codes and titles."""
    with sqlite3.connect(store) as connection:
        rows = [
            each
            for table, columns in _DATA.items()
            for each in connection.execute(f"SELECT {columns} FROM {table}")
        ]
    return [each for row in rows for each in row if each]


def places(desk: WindowController, tmp_path: Path) -> tuple[str, ...]:
    """Folders, and what offered names of files begin or end with, the same in every language."""
    folders = str(tmp_path), str(Path.home()), desk.shared.workspace.folder.name
    return *folders, "encoder-", ".csv"
