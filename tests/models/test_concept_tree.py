"""The tree of concepts fetches pages and never everything."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.modeltest import ModelTester

from termexplorer.models.concept_tree import PAGE, ConceptTreeModel, tree_text
from termexplorer.services.explore.browsing import count_below
from termexplorer.workspace import Workspace

SIBLINGS = 20_000


@pytest.fixture
def wide(tmp_path: Path) -> Iterator[Workspace]:
    """One root (id 1) with 20,000 children (ids 2 and on), the last of which is its own parent."""
    workspace = Workspace(tmp_path / "workspace")
    with sqlite3.connect(workspace.store.path) as connection:
        connection.execute("INSERT INTO terminology VALUES (1, 'wide')")
        connection.execute(
            "INSERT INTO release VALUES (1, 1, 'Wide', '', '', 'obo', '', '{}', 'ready', '', '',"
            " 1, 1, 1, 0, 0)"
        )
        rows = [(i, f"W:{i}", f"W:{i}", f"name {i}", i == 1) for i in range(1, SIBLINGS + 2)]
        connection.executemany(
            "INSERT INTO concept VALUES (?, 1, ?, ?, '', ?, '', 0, ?, NULL)", rows
        )
        links = [(i, 1) for i in range(2, SIBLINGS + 2)] + [(SIBLINGS + 1, SIBLINGS + 1)]
        connection.executemany("INSERT INTO is_a VALUES (?, ?)", links)
    connection.close()
    yield workspace
    workspace.close()


def test_children_come_by_pages(wide: Workspace, qtmodeltester: ModelTester) -> None:
    model = ConceptTreeModel(wide)
    model.show_release(1)
    assert model.rowCount() == 0
    model.fetchMore(QModelIndex())
    root = model.index(0, 0)
    assert root.data() == "name 1"
    assert root.data(ConceptTreeModel.CODE) == "W:1"
    assert model.hasChildren(root)
    assert model.rowCount(root) == 0
    model.fetchMore(root)
    assert model.rowCount(root) == PAGE
    assert model.canFetchMore(root)
    assert not model.hasChildren(model.index(0, 0, root))
    qtmodeltester.check(model)


def test_a_far_sibling_is_found_without_the_rest(wide: Workspace) -> None:
    model = ConceptTreeModel(wide)
    model.show_release(1)
    index = model.index_of([1, 5000])
    assert index.data() == "name 5000"
    assert model.rowCount(index.parent()) < 10_000
    while model.canFetchMore(index.parent()):
        model.fetchMore(index.parent())
    assert model.rowCount(index.parent()) == SIBLINGS


def test_a_concept_on_a_cycle_opens_level_by_level(wide: Workspace) -> None:
    model = ConceptTreeModel(wide)
    model.show_release(1)
    last = SIBLINGS + 1
    index = model.index_of([1, last, last, last])
    assert model.concept_id(index) == last
    assert model.concept_id(index.parent().parent()) == last


def test_no_release_is_an_empty_tree(wide: Workspace) -> None:
    model = ConceptTreeModel(wide)
    model.show_release(None)
    assert not model.hasChildren()
    assert not model.index_of([1]).isValid()


def test_the_name_comes_before_the_code(wide: Workspace) -> None:
    model = ConceptTreeModel(wide)
    model.show_release(1)
    model.fetchMore(QModelIndex())
    root = model.index(0, 0)
    roles = (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
    assert [root.data(role) for role in roles] == ["name 1  W:1"] * 2
    assert tree_text("J12.81", "Viral pneumonia") == "Viral pneumonia  J12.81"
    assert tree_text("", "disease") == tree_text("disease", "disease") == "disease"
    assert tree_text("D:1", "") == "D:1"


def test_descendants_are_counted_of_what_was_fetched(wide: Workspace) -> None:
    model = ConceptTreeModel(wide)
    model.show_release(1)
    model.fetchMore(QModelIndex())
    assert model.uncounted == [1]
    assert model.index(0, 0).data(ConceptTreeModel.DESCENDANTS) is None
    model.show_counts(count_below(wide, model.uncounted))
    root = model.index(0, 0)
    assert root.data(ConceptTreeModel.DESCENDANTS) == SIBLINGS
    assert f"{SIBLINGS:,}" in root.data(Qt.ItemDataRole.ToolTipRole)
    model.fetchMore(root)
    assert model.uncounted == []
    model.index_of([1, SIBLINGS + 1])
    assert model.uncounted == [SIBLINGS + 1]


def test_a_concept_below_two_parents_counts_once(wide: Workspace) -> None:
    with wide.store.writing() as connection:
        connection.exec_driver_sql("INSERT INTO is_a VALUES (4, 2), (4, 3), (3, 2)")
    assert count_below(wide, [1, 2, 3, 4]) == {1: SIBLINGS, 2: 2, 3: 1, 4: 0}
