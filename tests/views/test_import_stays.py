"""An import that ends changes nothing on show: a notice leads to what it brought."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from toy_window import LONG, show
from view_fakes import DISEASES

from termexplorer.desk import WindowController
from termexplorer.services.explore.browsing import search_names
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.importing.releases import ImportRequest


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    path = tmp_path / "newer.obo"
    path.write_text(DISEASES.replace("2026-01-01", "2026-02-01"), encoding="utf-8")
    return path


def import_file(qtbot: QtBot, desk: WindowController, path: Path) -> int:
    """Import a file while the window is in use; return the new release's id."""
    request = ImportRequest(desk.shared.workspace.folder, str(path))
    desk.window.releases.import_release(request)
    qtbot.waitUntil(lambda: "Imported toy" in desk.window.notice.text, timeout=LONG)
    return list_ontologies(desk.shared.workspace)[-1].id


def test_a_later_import_leaves_ontology_concept_and_page_as_they_are(
    qtbot: QtBot, desk: WindowController, newer: Path
) -> None:
    window, selection = desk.window, desk.shared.selection
    hit = search_names(desk.shared.workspace, "infection").hits[0]
    selection.go(1, hit.concept_id)
    levels = show(desk, "levels")
    import_file(qtbot, desk, newer)
    assert (selection.ontology_id, selection.concept_id) == (1, hit.concept_id)
    assert window.stack.currentWidget() is levels
    assert window.top_bar.ontology.currentData() == 1
    assert window.top_bar.ontology.count() == 2
    assert window.notice._act.text() == "Show it"


def test_the_notice_of_a_later_import_shows_it_and_then_its_report(
    qtbot: QtBot, desk: WindowController, newer: Path
) -> None:
    show(desk, "levels")
    imported = import_file(qtbot, desk, newer)
    desk.window.notice._act.click()
    assert desk.shared.selection.ontology_id == imported
    assert desk.window.page("explore").isVisible()
    assert desk.window.notice._act.text() == "Show report"


def test_a_release_that_was_removed_meanwhile_is_not_shown(
    qtbot: QtBot, desk: WindowController, newer: Path
) -> None:
    imported = import_file(qtbot, desk, newer)
    show_it = desk.window.notice._notice.act
    assert show_it is not None
    added = list_ontologies(desk.shared.workspace)[-1]
    desk.window.releases.remove(added)
    qtbot.waitUntil(lambda: "Removed" in desk.window.notice.text, timeout=LONG)
    show_it()
    assert desk.shared.selection.ontology_id not in (None, imported)
    assert desk.window.notice.text == f"{added.label} was removed"
