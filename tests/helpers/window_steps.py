"""Steps that tests of window share with others."""

from pytestqt.qtbot import QtBot

from termexplorer.desk import WindowController
from termexplorer.services.explore.browsing import search_names
from termexplorer.views.explore.page import ExplorePage
from termexplorer.views.explore.ranking_pane import RankingPane


def page_of(desk: WindowController) -> ExplorePage:
    page = desk.window.page("explore")
    assert isinstance(page, ExplorePage)
    return page


def concept_id(desk: WindowController, text: str) -> int:
    return search_names(desk.shared.workspace, text).hits[0].concept_id


def shown(desk: WindowController) -> str:
    page = page_of(desk).concept.page
    return page.concept.label if page else ""


def go(qtbot: QtBot, desk: WindowController, text: str) -> None:
    hit = search_names(desk.shared.workspace, text).hits[0]
    desk.shared.selection.go(hit.release_id, hit.concept_id)
    qtbot.waitUntil(lambda: shown(desk) == hit.label)


def ranked(qtbot: QtBot, desk: WindowController, text: str) -> RankingPane:
    """Goes there, and waits for the names like those of that place."""
    go(qtbot, desk, text)
    pane = page_of(desk).rankings.pane
    qtbot.waitUntil(lambda: pane.export.isEnabled() and shown(desk) in pane.answer_table()[0])
    return pane
