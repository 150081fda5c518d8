"""Two releases on the Curate page."""

import csv
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from toy_ontology import stanza, toy_obo
from toy_window import show
from toy_workspace import import_synonyms, load, opened_copy

from termexplorer.desk import WindowController
from termexplorer.views.curate.release_changes import ReleaseChanges
from termexplorer.workspace import Workspace

Opened = tuple[WindowController, ReleaseChanges]
NEW = stanza("TOY:9100", "new lung disease", "TOY:1")


@pytest.fixture
def folder(trained: Path, tmp_path: Path) -> Path:
    """The toy with a run (1), an ontology without releases (2), and the toy's newer release (3)."""
    text = toy_obo().replace("name: heart tumour", "name: tumour of the heart")
    newer = tmp_path / "newer.obo"
    newer.write_text(f"{text.replace('2026-01-01', '2026-07-01')}\n{NEW}", encoding="utf-8")
    with opened_copy(trained, tmp_path) as workspace:
        import_synonyms(workspace, tmp_path)
        load(workspace, newer)
    return tmp_path / "workspace"


@pytest.fixture
def opened(qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path) -> Opened:
    desk = open_desk(folder)
    page = show_releases(desk)
    desk.window.activateWindow()
    qtbot.waitUntil(lambda: page.model.rowCount() > 0)
    return desk, page


def show_releases(desk: WindowController) -> ReleaseChanges:
    page = show(desk, "curate")
    page.show_part("Releases")
    assert isinstance(page.releases, ReleaseChanges)
    return page.releases


def shown(page: ReleaseChanges) -> list[tuple[str, str]]:
    return [(change.kind, change.concept) for change in page.model.rows]


def test_the_last_two_releases_are_compared_at_once(opened: Opened) -> None:
    desk, page = opened
    assert [page.old.itemText(row) for row in range(page.old.count())] == [
        "toy 2026-01-01 (1)", "toy 2026-07-01 (3)",
    ]  # fmt: skip
    assert (page.old.currentData(), page.new.currentData()) == (1, 3)
    renamed = page.model.rows[1].concept
    assert shown(page) == [("added", "TOY:9100"), ("renamed", renamed)]
    cells = [page.model.index(1, column).data() for column in (2, 3, 4)]
    assert cells == ["tumour of the heart", "heart tumour", "tumour of the heart"]
    assert "(run 1): 2" in page.stale.text()
    assert desk.window.notice.text == ""


def test_the_older_release_is_the_one_of_the_earlier_date_whichever_was_imported_first(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path, tmp_path: Path
) -> None:
    older = tmp_path / "older.obo"
    older.write_text(toy_obo().replace("2026-01-01", "2025-01-01"), encoding="utf-8")
    with closing(Workspace(folder)) as workspace:
        load(workspace, older)
    page = show_releases(open_desk(folder))
    qtbot.waitUntil(lambda: page.model.rowCount() > 0)
    assert page.old.count() == 3
    assert (page.old.currentData(), page.new.currentData()) == (1, 3)


def test_the_kind_of_change_has_room_for_its_count(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    desk.window.resize(desk.window.minimumSizeHint())
    letters = page.kind.fontMetrics().horizontalAdvance
    arrow = 40  # pixels, with the edges
    for text in ("All changes (20,895)", "Alle Änderungen (20.895)"):
        assert letters(text) + arrow <= page.kind.width()


def test_kinds_and_texts_filter(qtbot: QtBot, opened: Opened) -> None:
    _, page = opened
    page.kind.setCurrentIndex(page.kind.findText("Added (1)"))
    assert shown(page) == [("added", "TOY:9100")]
    page.kind.setCurrentIndex(page.kind.findText("All changes (2)"))
    qtbot.keyClicks(page.filter, "HEART")
    assert [kind for kind, _ in shown(page)] == ["renamed"]
    qtbot.keyClicks(page.filter, "less")
    assert shown(page) == []


def test_the_other_way_round_and_a_release_with_itself(qtbot: QtBot, opened: Opened) -> None:
    _, page = opened
    page.old.setCurrentIndex(1)
    assert page.table.hint == "Choose two different releases."
    assert not page.export.isEnabled()
    page.new.setCurrentIndex(0)
    qtbot.waitUntil(lambda: page.model.rowCount() > 0)
    assert shown(page)[0] == ("retired", "TOY:9100")
    assert page.stale.text() == "No run on the older release became stale."


def test_enter_shows_the_concept_where_it_lives(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    page.table.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert desk.window.page("explore").isVisible()
    selection = desk.shared.selection
    qtbot.waitUntil(lambda: selection.ontology_id == 3)
    show(desk, "curate")
    page.old.setCurrentIndex(1)
    page.new.setCurrentIndex(0)
    qtbot.waitUntil(lambda: shown(page)[:1] == [("retired", "TOY:9100")])
    page.table.setCurrentIndex(page.model.index(0, 0))
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert selection.ontology_id == 3  # it is retired in the release that is compared with it


def test_changes_are_exported(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, page = opened
    out = tmp_path / "changes.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    page.export.click()
    with out.open(encoding="utf-8", newline="") as file:
        assert [row["change"] for row in csv.DictReader(file)] == ["added", "renamed"]
    page.kind.setCurrentIndex(page.kind.findData("renamed"))
    assert "1" in page.export.text()
    page.export.click()
    with out.open(encoding="utf-8", newline="") as file:
        assert [row["change"] for row in csv.DictReader(file)] == ["renamed"]
    page.export.other_formats.menu().actions()[1].trigger()
    with out.open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 2


def test_without_two_releases_it_says_what_to_do(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> None:
    with opened_copy(trained, tmp_path):
        pass
    desk = open_desk(tmp_path / "workspace")
    page = show_releases(desk)
    qtbot.waitUntil(lambda: "Import a second release" in page.table.hint)
    assert page.model.rowCount() == 0
