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
ANSWERED = [f"{word} {n}" for word in ("name", "encoder") for n in range(10)]  # `FakeRanker`'s
_DIALOGS = {
    "getOpenFileName": ("", ""),
    "getOpenFileNames": ([], ""),
    "getSaveFileName": ("", ""),
    "getExistingDirectory": "",
}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The pseudo language is spoken, and what dialogs for files would say is kept."""
    seen: list[str] = []

    def cancelled(answer: object) -> Callable[..., object]:
        def dialog(*words: object, **_named: object) -> object:
            seen.extend(word for word in words if isinstance(word, str))
            return answer

        return dialog

    for name, answer in _DIALOGS.items():
        monkeypatch.setattr(QFileDialog, name, cancelled(answer))
    texts.speak("de", pseudo)
    yield seen
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
    seen = {*walk(qtbot, desk, texts_of), *(("dialog", text) for text in asked)}
    data = *data_of(trained / "workspace.sqlite"), *places(desk, tmp_path)
    known = one_of((*data, *ANSWERED, *(topic.title for topic in topics(PAGES))))
    wrong = sorted(
        (where, text)
        for where, text in seen
        if untranslated(text, known)
        and not where.startswith("text.HelpText")  # a file's own
        and not text.startswith(str(tmp_path))  # a file
    )
    assert not wrong, "\n" + "\n".join(f"{where}: {text!r}" for where, text in wrong)


def data_of(store: Path) -> list[str]:
    """What is in a workspace: names, codes and titles."""
    with sqlite3.connect(store) as connection:
        rows = [
            row
            for table, columns in _DATA.items()
            for row in connection.execute(f"SELECT {columns} FROM {table}")
        ]
    return [cell for row in rows for cell in row if cell]


def places(desk: WindowController, tmp_path: Path) -> tuple[str, ...]:
    """Folders, and what offered names of files begin or end with, the same in every language."""
    folders = str(tmp_path), str(Path.home()), desk.shared.workspace.folder.name
    return *folders, "encoder-", ".csv"
