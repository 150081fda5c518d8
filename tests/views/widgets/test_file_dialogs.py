"""Dialogs that ask where to save: the type chosen is the type written."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from termexplorer.desk import WindowController
from termexplorer.errors import UserError
from termexplorer.views.widgets import file_dialogs
from termexplorer.views.widgets.file_dialogs import (
    ask_folder,
    ask_open_path,
    ask_output_folder,
    ask_save_path,
    named_by_type,
)
from termexplorer.views.widgets.run_curves import CurvePlot

CSV, EXCEL, TSV = "CSV (*.csv)", "Excel (*.xlsx)", "Tab-separated (*.tsv)"
TABLES = ";;".join((CSV, EXCEL, TSV))
SSSOM = "SSSOM (*.sssom.tsv)"
SETS = f"{SSSOM};;{CSV};;{TSV}"


@pytest.mark.parametrize(
    ("name", "chosen", "types", "written"),
    [
        ("t.csv", CSV, TABLES, "t.csv"),
        ("t.csv", EXCEL, TABLES, "t.xlsx"),
        ("t", EXCEL, TABLES, "t.xlsx"),
        ("t", "", TABLES, "t.csv"),
        ("t.xlsx", "", TABLES, "t.xlsx"),
        ("T.CSV", CSV, TABLES, "T.CSV"),
        ("toy 2026.1", TSV, TABLES, "toy 2026.1.tsv"),
        ("icd 10.5", CSV, TABLES, "icd 10.5.csv"),
        ("t.sssom.tsv", TSV, SETS, "t.tsv"),
        ("t.tsv", TSV, SETS, "t.tsv"),
        ("t", SSSOM, SETS, "t.sssom.tsv"),
        ("t.csv", SSSOM, SETS, "t.csv"),  # typed, and the first type left as it was
        ("t.xlsx", CSV, TABLES, "t.xlsx"),
        ("t.sssom.csv", CSV, SETS, "t.csv"),  # as some dialogs make it of what is proposed
        ("folder.pdf", "", "", "folder.pdf"),
    ],
)
def test_the_type_chosen_is_the_type_written(
    name: str, chosen: str, types: str, written: str
) -> None:
    assert named_by_type(Path("x") / name, chosen, types) == Path("x") / written


@pytest.mark.parametrize(("name", "chosen"), [("t.tsv", EXCEL), ("t.pdf", CSV), ("t.docx", "")])
def test_a_name_that_says_another_type_is_refused(name: str, chosen: str) -> None:
    with pytest.raises(UserError, match=r"\.(csv|xlsx)"):
        named_by_type(Path(name), chosen, TABLES)


def test_a_plot_is_never_a_png_of_another_name(
    qtbot: QtBot, desk: WindowController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plot = CurvePlot(desk.shared.theme, "Loss")
    qtbot.addWidget(plot)
    plot.resize(300, 200)
    plot.save(tmp_path / "loss.pdf")
    assert (tmp_path / "loss.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(UserError, match=r"\.png"):
        plot.save(tmp_path / "loss.jpg")
    plot.setParent(desk.window)
    answers = (str(tmp_path / "loss.png"), "SVG (*.svg)")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: answers)
    plot._save.trigger()
    assert b"<svg" in (tmp_path / "loss.svg").read_bytes()
    answers = (str(tmp_path / "loss.jpg"), "PNG (*.png)")
    plot._save.trigger()
    assert ".png" in desk.window.notice.text
    assert not QImage(str(tmp_path / "loss.jpg")).width()


def test_a_file_that_is_there_is_not_written_over_unasked(
    desk: WindowController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t.xlsx").write_text("kept")
    asked: list[str] = []

    def answer(_parent: object, _title: str, proposed: str, *_: str) -> tuple[str, str]:
        asked.append(proposed)
        return (str(tmp_path / "t.csv") if len(asked) == 1 else proposed), EXCEL

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    path = ask_save_path(desk.window, "tables", "Export", "t.csv", TABLES)
    assert asked == ["t.csv", str(tmp_path / "t.xlsx")]  # the second time Qt asks itself
    assert path == tmp_path / "t.xlsx"


def test_each_kind_of_file_has_its_own_last_folder(
    open_desk: Callable[[Path], WindowController], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk(tmp_path / "ws")
    for name in ("tables", "vectors", "packs"):
        (tmp_path / name).mkdir()
    started: list[str] = []

    def save(_parent: object, _title: str, proposed: str, *_: str) -> tuple[str, str]:
        started.append(proposed)
        return str(tmp_path / "tables" / "t.csv"), CSV

    def read(_parent: object, _title: str, folder: str, *_: str) -> tuple[str, str]:
        started.append(folder)
        return str(tmp_path / "vectors" / "v.bin"), ""

    def choose(_parent: object, _title: str, folder: str) -> str:
        started.append(folder)
        return str(tmp_path / "packs")

    monkeypatch.setattr(QFileDialog, "getSaveFileName", save)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", read)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", choose)
    for _ in range(2):
        ask_save_path(desk.window, "tables", "Export", "a/b: c.csv", TABLES)
        ask_open_path(desk.window.stack, "vectors", "Open", "")
        ask_folder(desk.window.stack, "packs", "Folder")
    assert started[:3] == ["a-b- c.csv", "", ""]
    folders = [tmp_path / "tables" / "a-b- c.csv", tmp_path / "vectors", tmp_path / "packs"]
    assert started[3:] == list(map(str, folders))


def test_nothing_is_saved_into_the_folder_of_a_workspace(
    desk: WindowController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = desk.shared.workspace.folder
    seen: list[str] = []
    desk.shared.notices.notice_shown.connect(lambda notice: seen.append(notice.text))
    answers = (str(folder / "runs" / "t.csv"), CSV)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: answers)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder / "runs"))
    assert ask_save_path(desk.window, "tables", "Export", "t.csv", TABLES) is None
    assert ask_save_path(desk.window, "encoders", "Export", "encoder", "") is None
    assert ask_output_folder(desk.window, "packs", "Folder") is None
    assert len([message for message in seen if "belongs to the workspace" in message]) == 3


def test_only_one_door_asks_where_to_save() -> None:
    """Others would drop the type that was chosen, or forget the folder."""
    views = Path(file_dialogs.__file__).parents[1]
    asking = [
        path.name
        for path in sorted(views.rglob("*.py"))
        if re.search(r"QFileDialog\.get(?:Save|Open|Existing)", path.read_text("utf-8"))
    ]
    assert asking == ["file_dialogs.py"]
