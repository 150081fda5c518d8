"""The choice of synonym sets on the Train page."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from toy_ontology import write_synonyms, write_vectors
from toy_window import LONG, open_page, show
from toy_workspace import make_imported

from termexplorer.desk import WindowController
from termexplorer.models.runs_table import LEVEL
from termexplorer.services.recipes.run_requests import EVERY_CONCEPT, SynonymChoice, add_run
from termexplorer.services.train.runs import list_runs

Opener = Callable[[Path], WindowController]


@pytest.fixture(scope="module")
def synonyms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("synonyms")
    return make_imported(source, write_synonyms(source), write_vectors(source))


def test_concepts_are_grouped_by_what_they_refer_to_below_a_root(
    qtbot: QtBot, open_desk: Opener, synonyms: Path, tmp_path: Path
) -> None:
    desk, page = open_page(open_desk, synonyms, tmp_path, "train")
    form, box = page.form, page.form.learned.synonyms.groups
    qtbot.waitUntil(lambda: box.count() == 3, timeout=LONG)
    assert not form.learned.synonyms.isVisible()
    form.recipe.choose("cca")
    assert box.isVisible()
    assert [box.itemText(row) for row in range(3)] == [
        "Their own synonyms",
        "UMLS · 24 concepts",
        "ICD10CM · 20 concepts",
    ]
    assert form.request().synonyms == EVERY_CONCEPT
    box.setCurrentIndex(box.findData("ICD10CM"))
    QTest.keyClicks(form.learned.synonyms.root, " S:1 ")
    assert form.request().synonyms == SynonymChoice("S:1", "ICD10CM")
    add_run(desk.shared.workspace, form.request())
    qtbot.waitUntil(lambda: page.model.rowCount() == 1, timeout=LONG)
    assert page.model.index(0, LEVEL).data() == "ICD10CM groups below S:1"
    form.recipe.choose("few-shot")
    assert form.request().synonyms == EVERY_CONCEPT


def test_the_choice_comes_back_as_it_was_left(
    qtbot: QtBot, open_desk: Opener, synonyms: Path, tmp_path: Path
) -> None:
    desk, page = open_page(open_desk, synonyms, tmp_path, "train")
    box = page.form.learned.synonyms.groups
    qtbot.waitUntil(lambda: box.count() == 3, timeout=LONG)
    page.form.recipe.choose("contrastive")
    box.setCurrentIndex(box.findData("ICD10CM"))
    page.form.learned.synonyms.root.setText("S:1")
    page.form.search.search.setChecked(True)
    page.form.search.largest.setValue(2400)
    folder = desk.shared.workspace.folder
    desk.close()
    desk = open_desk(folder)
    show(desk, "train")
    desk.close()  # before anything is offered
    for _ in range(2):  # also where the page was looked at and left alone
        desk = open_desk(folder)
        form = show(desk, "train").form
        qtbot.waitUntil(lambda form=form: form.learned.synonyms.groups.count() == 3, timeout=LONG)
        assert form.request().synonyms == SynonymChoice("S:1", "ICD10CM")
        assert (form.search.on, form.search.largest.value()) == (True, 2400)
        desk.close()


def test_an_unknown_root_is_said_beside_the_form(
    qtbot: QtBot, open_desk: Opener, synonyms: Path, tmp_path: Path
) -> None:
    desk, page = open_page(open_desk, synonyms, tmp_path, "train")
    qtbot.waitUntil(page.form.train.isEnabled, timeout=LONG)
    page.form.recipe.choose("cca")
    page.form.learned.synonyms.root.setText("S:77")
    page.form.train.click()
    assert "no concept 'S:77'" in page.form.error.text()
    assert list_runs(desk.shared.workspace) == []


def test_an_ontology_without_cross_references_offers_no_groups(
    qtbot: QtBot, open_desk: Opener, toy: Path, tmp_path: Path
) -> None:
    _, page = open_page(open_desk, toy, tmp_path, "train")
    qtbot.waitUntil(page.form.train.isEnabled, timeout=LONG)
    page.form.recipe.choose("cca")
    assert not page.form.learned.synonyms.groups.isVisible()
    assert page.form.learned.synonyms.root.isVisible()
    page.form.learned.synonyms.root.setText("TOY:1")
    page.form.learned.show_ontology("", has_levels=False)
    assert not page.form.learned.synonyms.root.isVisible()
