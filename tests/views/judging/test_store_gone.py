"""The store is taken away, or its disk takes nothing: the verdict stays, and goes elsewhere."""

import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from judging_windows import judging, make_pack, press, terms
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from toy_studies import ANNA, BEN, SEEN, make, opened
from toy_window import LONG, show
from toy_workspace import VECTORS, opened_copy

from termexplorer.desk import WindowController
from termexplorer.services.curate.suggestion_files import SssomRow, SuggestionSheet
from termexplorer.services.curate.suggestion_lists import keep_suggestions
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.studies.judging import Judging
from termexplorer.services.verdicts.log import check_log
from termexplorer.services.verdicts.people import add_person
from termexplorer.views.judging.verdict_writer import VerdictWriter
from termexplorer.views.widgets.notices import Notice, NoticePanel, Notices
from termexplorer.workspace import Workspace

STORE, ENTER = "workspace.sqlite", Qt.Key.Key_Return


@dataclass(frozen=True)
class Open:
    """A screen on which something waits for a verdict.

    Attributes:
        folder: of the workspace.
        notice: where errors are told.
        notices: where pages tell errors.
        writer: writes the verdicts.
        answer: presses a key that is one.
        shown: what is asked.
    """

    folder: Path
    notice: NoticePanel
    notices: Notices
    writer: VerdictWriter
    answer: Callable[[], None]
    shown: Callable[[], object]


Opener = Callable[..., Iterator[Open]]


@contextmanager
def judging_screen(
    qtbot: QtBot, qapp: QApplication, _desk: object, _toy: Path, folder: Path
) -> Iterator[Open]:
    with judging(qapp, make_pack(folder), folder) as screen:
        press(qtbot, screen, ENTER)
        press(qtbot, screen, "1")
        yield Open(
            folder / "clinic", screen.notice, screen.notices, screen.writer,
            lambda: press(qtbot, screen, "1"), lambda: terms(screen),
        )  # fmt: skip


@contextmanager
def adjudication_screen(
    qtbot: QtBot,
    _app: object,
    open_desk: Callable[[Path], WindowController],
    _toy: Path,
    folder: Path,
) -> Iterator[Open]:
    with opened(folder / "author") as workspace:
        make(workspace, repeat=0)
        for annotator in (ANNA, BEN):
            work = Judging(workspace, 1, annotator)
            for turn in work.turns:
                other = annotator == BEN and " d" in turn.left
                work.judge(turn, "not same" if other else "same", SEEN)
        add_person(workspace, "Dora", "")
    desk = open_desk(folder / "author")
    page = show(desk, "judge")
    page.show_part("Studies")
    qtbot.waitUntil(page.studies.later.adjudicate.isEnabled, timeout=LONG)
    page.studies.later.adjudicate.click()
    screen = page.studies.adjudication
    qtbot.waitUntil(screen.sheet.go_on.isVisible, timeout=LONG)
    screen.sheet.go_on.click()
    qtbot.waitUntil(lambda: screen.pair.cards.seen, timeout=LONG)

    def answer() -> None:
        screen.pair.answers.buttons["same"].click()

    yield Open(
        folder / "author", desk.window.notice, desk.shared.notices, screen.writer, answer,
        lambda: screen.pair.turn,
    )  # fmt: skip


@contextmanager
def review(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, folder: Path, kind: str
) -> Iterator[Open]:
    rows = [("TOY:2", "TOY:1"), ("TOY:3", "TOY:1")]
    with opened_copy(toy, folder) as workspace:
        add_person(workspace, "Dora", "")
        result = find_ontology(workspace, "1")
        mappings = [
            SssomRow(subject, subject, "skos:broadMatch", other, other, "semapv:X", 0.9, "")
            for subject, other in rows
        ]
        shown = [[subject, subject, 0.9] for subject, _ in rows]
        header = ("concept", "name", "likelihood")
        sheet = SuggestionSheet(result, result, (VECTORS,), header, shown, mappings)
        keep_suggestions(workspace, kind, sheet, {"level": 1}, [])
        workspace_folder = workspace.folder
    desk = open_desk(workspace_folder)
    page = show(desk, "curate")
    page.show_part(kind.capitalize())
    part = page.suggestions.desk

    def asked() -> bool:
        current = part.table.current
        return part.judge is not None and current is not None and part.pair.has_shown(current)

    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow, timeout=LONG)
    qtbot.waitUntil(asked, timeout=LONG)
    part.table.setFocus()
    yield Open(
        workspace_folder, desk.window.notice, desk.shared.notices, part.writer,
        lambda: QTest.keyClick(part.table, "c"),
        lambda: part.table.current,
    )  # fmt: skip


@contextmanager
def suggestions(
    qtbot: QtBot,
    _app: object,
    open_desk: Callable[[Path], WindowController],
    toy: Path,
    folder: Path,
) -> Iterator[Open]:
    with review(qtbot, open_desk, toy, folder, "misplaced") as driven:
        yield driven


@contextmanager
def mappings(
    qtbot: QtBot,
    _app: object,
    open_desk: Callable[[Path], WindowController],
    toy: Path,
    folder: Path,
) -> Iterator[Open]:
    with review(qtbot, open_desk, toy, folder, "mappings") as driven:
        yield driven


@pytest.fixture(params=[judging_screen, adjudication_screen, suggestions, mappings])
def screen(
    request: pytest.FixtureRequest,
    qtbot: QtBot,
    qapp: QApplication,
    open_desk: Callable[[Path], WindowController],
    toy: Path,
    tmp_path: Path,
) -> Iterator[Open]:
    with request.param(qtbot, qapp, open_desk, toy, tmp_path) as driven:
        yield driven


def delete(store: Path) -> None:
    store.unlink()


def move(store: Path) -> None:
    store.rename(store.with_name("moved.sqlite"))


def replace(store: Path) -> None:
    fresh = store.with_name("fresh.sqlite")
    shutil.copy(store, fresh)
    fresh.replace(store)


def rows(folder: Path) -> list[str]:
    """The answers in the log of a workspace, whose hashes are right."""
    workspace = Workspace(folder)
    try:
        check_log(workspace)
        with workspace.store.reading() as connection:
            result = connection.exec_driver_sql("SELECT answer FROM verdict ORDER BY id")
            return list(result.scalars())
    finally:
        workspace.close()


def buttons(notice: QWidget) -> dict[str, QPushButton]:
    return {child.text(): child for child in notice.findChildren(QPushButton) if child.isVisible()}


def save_in(qtbot: QtBot, screen: Open, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Presses the button; in which folder, the dialog of the system would ask."""
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    buttons(screen.notice)["Save a copy elsewhere…"].click()
    qtbot.waitUntil(lambda: any(map(Path.is_dir, folder.iterdir())), timeout=LONG)
    qtbot.waitUntil(lambda: screen.writer.pending is None, timeout=LONG)
    (path,) = folder.iterdir()
    assert str(path) in screen.notice.text
    return path


def fail(qtbot: QtBot, screen: Open) -> None:
    with qtbot.waitSignal(screen.writer.unwritten, timeout=LONG):
        screen.answer()
    assert screen.notice.isVisible()
    assert {"Try again", "Save a copy elsewhere…"} <= set(buttons(screen.notice))


def test_an_error_elsewhere_leaves_the_buttons_that_keep_a_verdict(
    qtbot: QtBot, screen: Open
) -> None:
    store = screen.folder / STORE
    aside = store.with_name("aside.sqlite")
    store.rename(aside)
    fail(qtbot, screen)
    screen.notices.error("the list could not be read")
    assert screen.notice.text == "the list could not be read"
    screen.notice.dismiss()
    aside.rename(store)
    with qtbot.waitSignal(screen.writer.written, timeout=LONG):
        buttons(screen.notice)["Try again"].click()
    assert not screen.notice.isVisible()


def test_a_window_that_closes_over_a_verdict_that_is_not_kept_says_so_once(
    qtbot: QtBot, screen: Open
) -> None:
    store, window = screen.folder / STORE, screen.notice.window()
    aside = store.with_name("aside.sqlite")
    store.rename(aside)
    fail(qtbot, screen)
    screen.notice.dismiss()
    window.close()
    assert window.isVisible()
    assert "Closing the window again loses it" in screen.notice.text
    assert {"Try again", "Save a copy elsewhere…"} <= set(buttons(screen.notice))
    aside.rename(store)
    with qtbot.waitSignal(screen.writer.written, timeout=LONG):
        buttons(screen.notice)["Try again"].click()
    window.close()
    assert not window.isVisible()


@pytest.mark.parametrize("take_away", [delete, move, replace])
def test_a_verdict_that_a_lost_store_cannot_keep_is_saved_elsewhere(
    qtbot: QtBot,
    screen: Open,
    take_away: Callable[[Path], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, shown = rows(screen.folder), screen.shown()
    take_away(screen.folder / STORE)
    fail(qtbot, screen)
    assert screen.shown() == shown
    assert "was deleted, moved or replaced" in screen.notice.text
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    saved = rows(save_in(qtbot, screen, elsewhere, monkeypatch))
    assert saved[:-1] == before
    assert screen.shown() == shown


def test_a_store_that_is_put_back_takes_the_verdict_once(qtbot: QtBot, screen: Open) -> None:
    store, before = screen.folder / STORE, rows(screen.folder)
    aside = store.with_name("aside.sqlite")
    store.rename(aside)
    fail(qtbot, screen)
    aside.rename(store)
    with qtbot.waitSignal(screen.writer.written, timeout=LONG):
        buttons(screen.notice)["Try again"].click()
    assert not screen.notice.isVisible()
    assert rows(screen.folder)[:-1] == before


def test_a_verdict_that_the_disk_does_not_take_is_saved_elsewhere(
    qtbot: QtBot, screen: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, shown = rows(screen.folder), screen.shown()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))  # no file may grow
    try:
        fail(qtbot, screen)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert screen.shown() == shown
    assert "the disk takes or gives nothing" in screen.notice.text
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    saved = rows(save_in(qtbot, screen, elsewhere, monkeypatch))
    assert saved[:-1] == rows(screen.folder) == before
    with qtbot.waitSignal(screen.writer.written, timeout=LONG):
        screen.answer()
    assert rows(screen.folder)[:-1] == before


def test_no_copy_is_left_where_none_can_be_saved(
    qtbot: QtBot, screen: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (screen.folder / STORE).unlink()
    fail(qtbot, screen)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "none"))
    seen: list[Notice] = []  # pages that read the store say that it is gone, in the same place
    screen.writer._notices.notice_shown.connect(seen.append)
    buttons(screen.notice)["Save a copy elsewhere…"].click()
    qtbot.waitUntil(
        lambda: any("No copy was saved" in message.text for message in seen), timeout=LONG
    )
    (refused,) = [message for message in seen if "No copy was saved" in message.text]
    assert refused.action == "Try again"
    assert screen.writer.pending is not None
