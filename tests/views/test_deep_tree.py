"""Names in the tree can be read, however deep they stand and long their codes are."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot
from toy_workspace import make_imported

from termexplorer.desk import WindowController
from termexplorer.models.concept_tree import ConceptTreeModel
from termexplorer.services.explore.browsing import search_names
from termexplorer.views.explore.page import ExplorePage

DEPTH = 9


def write_chain(folder: Path) -> Path:
    """Each concept below the one before, with codes as long as HPO's."""
    stanzas = [
        f"[Term]\nid: HP:{number:07}\nname: abnormality of part {number}\n"
        + (f"is_a: HP:{number - 1:07}\n" if number else "")
        for number in range(DEPTH)
    ]
    path = folder / "deep.obo"
    path.write_text("format-version: 1.2\nontology: hp\n\n" + "\n".join(stanzas), "utf-8")
    return path


@pytest.mark.parametrize("size", [(1024, 700), (1280, 770)])
def test_the_current_name_is_seen_from_its_beginning(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    tmp_path: Path,
    size: tuple[int, int],
) -> None:
    desk = open_desk(make_imported(tmp_path, write_chain(tmp_path)))
    desk.window.resize(*size)
    tree = desk.window.page("explore").tree  # type: ignore[union-attr]
    for number in (DEPTH - 1, 0, DEPTH - 2):
        hit = search_names(desk.shared.workspace, f"HP:{number:07}").hits[0]
        desk.shared.selection.go(hit.release_id, hit.concept_id)
        name = f"abnormality of part {number}"
        qtbot.waitUntil(lambda n=name: str(tree.currentIndex().data()).startswith(n))
        qtbot.waitUntil(lambda: tree.visualRect(tree.currentIndex()).left() >= 0)
        row = tree.visualRect(tree.currentIndex())
        needed = tree.fontMetrics().horizontalAdvance(name)
        assert row.left() + needed <= tree.viewport().width()
        assert row.width() >= needed


def test_a_click_in_the_tree_scrolls_nothing_sideways(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    source = write_chain(tmp_path)
    source.write_text(
        source.read_text("utf-8").replace("abnormality", "abnormality that is long " * 4), "utf-8"
    )
    desk = open_desk(make_imported(tmp_path, source))
    tree = desk.window.page("explore").tree  # type: ignore[union-attr]
    tree.expandToDepth(2)
    for level in range(3):
        index = tree.concepts.index(0, 0)
        for _ in range(level):
            index = tree.concepts.index(0, 0, index)
        row = tree.visualRect(index)
        point = QPoint(row.left() + 20, row.center().y())
        qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=point)
        assert tree.currentIndex() == index
        assert tree.horizontalScrollBar().value() == 0


def test_a_row_is_as_wide_as_the_tree(
    open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    tree = open_desk(folder).window.page("explore").tree  # type: ignore[union-attr]
    assert tree.header().sectionSize(0) >= tree.viewport().width()


def test_codes_are_hidden_by_a_switch_that_lasts(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    desk = open_desk(folder)
    page = desk.window.page("explore")
    tree, index = page.tree, page.tree.concepts.index(0, 0)  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: "(" in tree.itemDelegate().aside(index))
    code = index.data(ConceptTreeModel.CODE)
    width = tree.sizeHintForIndex(index).width()
    assert code in tree.itemDelegate().aside(index)
    page.codes.click()  # type: ignore[union-attr]
    assert code not in tree.itemDelegate().aside(index)
    assert tree.sizeHintForIndex(index).width() < width
    later = ExplorePage(desk.shared)
    assert not later.codes.isChecked()
    later.close_page()
