"""What the import panel shows of a file before anything of it is kept."""

from pathlib import Path

import pytest
from openpyxl import Workbook
from pytestqt.qtbot import QtBot
from toy_ontology import HEADER, stanza

from termexplorer.desk import WindowController
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.importing.releases import ImportChoice, Option
from termexplorer.views.importing.choices import ImportChoices
from termexplorer.views.importing.panel import ImportPanel
from termexplorer.views.importing.report import ImportReport


@pytest.fixture
def panel(qtbot: QtBot, desk: WindowController, tmp_path: Path) -> ImportPanel:
    path = tmp_path / "chain.obo"
    terms = [stanza(f"T:{n}", f"name {n}", f"T:{n - 1}" if n else "T:9") for n in range(3)]
    path.write_text(HEADER + "\n" + "\n".join(terms), encoding="utf-8")
    desk.window.releases.open_import_of(path)
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, ImportPanel)
    return panel


def test_the_first_concepts_stand_there_before_the_import(
    qtbot: QtBot, desk: WindowController, panel: ImportPanel
) -> None:
    qtbot.waitUntil(lambda: panel.file_label.text() == "OBO: toy 2026-01-01", timeout=30_000)
    assert panel.preview.isVisibleTo(panel)
    model = panel.preview.model()
    assert [model.index(1, column).data() for column in range(4)] == ["T:1", "name 1", "", "T:0"]


def test_the_buttons_stay_where_they_are_when_the_first_rows_come(
    qtbot: QtBot, desk: WindowController, panel: ImportPanel
) -> None:
    qtbot.waitUntil(panel.start.isEnabled)
    assert not panel.preview.isVisibleTo(panel)
    panel.grab()  # lays it out
    before = panel.start.mapTo(panel, panel.start.rect().center())
    qtbot.waitUntil(lambda: panel.preview.isVisibleTo(panel), timeout=30_000)
    panel.grab()
    assert panel.start.mapTo(panel, panel.start.rect().center()) == before


def test_a_check_reports_and_keeps_nothing(
    qtbot: QtBot, desk: WindowController, panel: ImportPanel
) -> None:
    before = len(list_ontologies(desk.shared.workspace))
    qtbot.waitUntil(panel.check.isEnabled)
    panel.check.click()
    notice = desk.window.notice
    qtbot.waitUntil(lambda: "contains 3 concepts" in notice.text, timeout=60_000)
    assert len(list_ontologies(desk.shared.workspace)) == before
    notice._act.click()
    report = desk.window.stack.currentWidget()
    assert isinstance(report, ImportReport)
    reasons = [row[3] for row in report.model.rows]
    assert any("T:9 is not in this release" in reason for reason in reasons)
    report.closed.emit()
    assert desk.window.stack.currentWidget() is panel
    assert panel.file.text().endswith("chain.obo")
    assert panel.start.isEnabled()


def test_choices_name_what_is_not_as_usual(qtbot: QtBot) -> None:
    choices = ImportChoices()
    qtbot.addWidget(choices)
    sources = ImportChoice(
        "sources",
        "Vocabularies",
        (Option("MSH", "MeSH", 7_000), Option("ICD", "ICD", 3)),
        ("MSH",),
        counted="names",
    )
    codes = ImportChoice(
        "by", "Concepts", (Option("cui", "CUI"), Option("code", "Code")), ("cui",), False
    )
    choices.show_choices((sources, codes))
    assert choices.chosen() == {}
    ticks, box = choices.inputs["sources"], choices.inputs["by"]
    assert [ticks.item(row).text() for row in range(2)] == ["MeSH  (7,000)", "ICD  (3)"]
    assert ticks.item(0).toolTip() == "MeSH: 7,000 names"
    ticks.tick(("MSH", "ICD"))
    box.setCurrentIndex(1)
    assert choices.chosen() == {"sources": ("MSH", "ICD"), "by": ("code",)}
    ticks.tick(())
    assert choices.lacking() == "Vocabularies"


def _table(desk: WindowController, path: Path) -> ImportPanel:
    desk.window.releases.open_import_of(path)
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, ImportPanel)
    panel.wanted.disconnect(desk.window.releases.import_release)
    return panel


def test_what_a_spreadsheet_has_spoiled_is_told_before_the_import(
    qtbot: QtBot, desk: WindowController, tmp_path: Path
) -> None:
    path = tmp_path / "spoiled.csv"
    rows = "".join(f"A{n},name {n},x\n" for n in range(40))
    path.write_text(f"id,name,unit\n{rows}1.01E+15,one,x\n1.01E+15,two,x\n", encoding="utf-8")
    panel = _table(desk, path)
    qtbot.waitUntil(lambda: "2 ids" in panel.table.remarks.text(), timeout=30_000)
    assert "unit" in panel.table.remarks.text()
    assert panel.start.isEnabled()


def test_titles_can_be_said_and_unsaid(
    qtbot: QtBot, desk: WindowController, tmp_path: Path
) -> None:
    path = tmp_path / "names.csv"
    path.write_text("kennz,wort\nA1,one\nA2,two\n", encoding="utf-8")
    panel = _table(desk, path)
    qtbot.waitUntil(panel.start.isEnabled)
    assert not panel.table.titles.isChecked()
    assert panel.preview.model().rowCount() == 3
    panel.table.titles.click()
    qtbot.waitUntil(lambda: panel.preview.model().rowCount() == 2)
    qtbot.waitUntil(panel.start.isEnabled)
    with qtbot.waitSignal(panel.wanted) as caught:
        panel.start.click()
    assert caught.args is not None
    assert caught.args[0].titles is True


def test_another_sheet_can_be_chosen(qtbot: QtBot, desk: WindowController, tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["About", "this file"])
    for title in ("Codes", "More"):
        sheet = book.create_sheet(title)
        sheet.append(["code", "name"])
        sheet.append([title[0], f"of {title}"])
    book.save(tmp_path / "names.xlsx")
    panel = _table(desk, tmp_path / "names.xlsx")
    qtbot.waitUntil(panel.start.isEnabled)
    assert panel.table.sheet.currentText() == "Codes"
    panel.table.sheet.setCurrentText("More")
    panel.table.sheet.activated.emit(2)
    qtbot.waitUntil(lambda: panel.preview.model().index(0, 1).data() == "of More")
    qtbot.waitUntil(panel.start.isEnabled)
    with qtbot.waitSignal(panel.wanted) as caught:
        panel.start.click()
    assert caught.args is not None
    assert caught.args[0].sheet == "More"


def test_wrong_columns_can_be_put_right(
    qtbot: QtBot, desk: WindowController, tmp_path: Path
) -> None:
    path = tmp_path / "names.csv"
    path.write_text("code,name,nothing\nA1,one,\nA2,two,\n", encoding="utf-8")
    panel = _table(desk, path)
    qtbot.waitUntil(panel.start.isEnabled)
    name = panel.columns._boxes["name"]
    for column, enabled in ((2, False), (1, True)):
        name.setCurrentIndex(column)
        name.activated.emit(column)
        qtbot.waitUntil(lambda e=enabled: panel.start.isEnabled() == e, timeout=30_000)
        assert panel.table.isVisibleTo(panel)
