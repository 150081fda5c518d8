"""No page takes a name, title or note for markup, opens what it names, or hides its signs."""

import importlib
import pkgutil
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile_texts import HIDDEN, fill, hostile, watching, without_signs
from judging_windows import judging, press
from PySide6 import QtGui
from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot
from shown_markup import markup_of
from toy_studies import make, opened, sent
from toy_window import open_page
from window_walk import PAGES, walk_frame, walk_page

from termexplorer.desk import WindowController
from termexplorer.models.plain_cells import PlainCells
from termexplorer.models.plain_table import PlainTableModel
from termexplorer.plain_text import plain_html, plain_tip, show_line, show_signs

NAMED = "opened.png"
WIDEST = 1280  # pixels, of the narrowest window that people have


@pytest.fixture(scope="module")
def hostile_workspace(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shutil.copytree(trained, tmp_path_factory.mktemp("hostile") / "workspace")
    with opened(folder) as workspace:
        fill(workspace, hostile(folder.parent / NAMED))
    return folder


@pytest.fixture
def no_dialogs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_: ("", ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([], ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")


@pytest.mark.parametrize("key", ["frame", *PAGES])
@pytest.mark.usefixtures("no_dialogs")
def test_a_page_shows_hostile_texts_as_they_are(
    key: str,
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    hostile_workspace: Path,
    tmp_path: Path,
) -> None:
    with watching(hostile_workspace.parent / NAMED) as was_opened:
        page = key if key in PAGES else "explore"
        desk, _page = open_page(open_desk, hostile_workspace, tmp_path, page)
        desk.shared.selection.go(1, 2)
        qtbot.wait(300)
        walk = walk_frame if key == "frame" else walk_page
        findings = list(walk(qtbot, desk, markup_of))
        assert desk.window.minimumSizeHint().width() <= WIDEST
    assert findings.count("seen") > 0
    wrong = sorted({finding for finding in findings if finding != "seen"})
    assert not wrong, "\n" + "\n".join(wrong)
    assert not was_opened


def test_the_judging_program_shows_hostile_texts_as_they_are(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    file = tmp_path / NAMED
    text = hostile(file)
    with watching(file) as was_opened:
        with opened(tmp_path / "author") as author:
            seen = without_signs(text)
            make(author, title=seen + "x" * 1_500, annotators=["Anna", "Ben"])
            with author.store.writing() as connection:
                connection.exec_driver_sql(
                    "UPDATE study_pair SET subject = ? || id, object = ? || -id", (seen, seen)
                )
            pack = sent(author, 1, "Anna", tmp_path)
        with judging(qapp, pack, tmp_path) as screen:
            findings = list(markup_of(screen.window()))
            press(qtbot, screen, Qt.Key.Key_Return)
            screen.notices.error(text)
            findings += markup_of(screen.window())
            assert screen.window().minimumSizeHint().width() <= WIDEST
            assert "gpj.exe" in screen.pair.cards.left.text()
    assert {*findings} == {"seen"}
    assert not was_opened


@pytest.mark.parametrize("text", ["<b>x</b>", "a < b", "&lt;i&gt;", "plain", "x\ny", "a & b"])
def test_a_tooltip_says_what_the_text_does(qapp: QApplication, text: str) -> None:
    tip, shown = plain_tip(text), QTextDocument()
    if QtGui.Qt.mightBeRichText(tip):  # as Qt asks itself before it shows one
        shown.setHtml(tip)
    else:
        shown.setPlainText(tip)
    assert shown.toPlainText() == text
    assert plain_tip(tip) == tip


def test_signs_that_nobody_sees_are_shown_by_their_codes() -> None:
    assert show_signs("a\u202eb\x07\n\u200dc") == "a⟨U+202E⟩b⟨U+0007⟩\n\u200dc"
    assert show_line("a\nb\tc") == "a ⏎ b c"
    assert plain_html("<\u2067&") == "&lt;⟨U+2067⟩&amp;"
    assert show_signs("Zürich é 神 नि") == "Zürich é 神 नि"
    assert not any(sign in show_signs(HIDDEN) for sign in HIDDEN)


def test_a_long_tooltip_does_not_fill_the_screen() -> None:
    assert len(plain_tip("x" * 10_000)) < 3_000


def test_no_label_of_ours_reads_markup_but_the_one_with_links() -> None:
    views = Path(__file__).parents[2] / "termexplorer"
    plain = {"widgets/plain_label.py", "help/panels.py"}
    findings = [
        path.name
        for path in views.rglob("*.py")
        if re.search(r"(?<!\w)QLabel\(", path.read_text("utf-8"))
        and f"{path.parent.name}/{path.name}" not in plain
    ]
    assert not findings


def test_every_model_of_ours_has_plain_cells(qapp: QApplication) -> None:
    model = PlainTableModel()
    model.show_rows(["<img>"], [["<img>\u202e"]])
    role = Qt.ItemDataRole
    index = model.index(0, 0)
    assert index.data(role.DisplayRole) == "<img>⟨U+202E⟩"
    assert "<img" not in index.data(role.ToolTipRole)
    package = importlib.import_module("termexplorer.models")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"termexplorer.models.{module.name}")
    ours = [
        view_class
        for view_class in all_kinds(QAbstractItemModel)
        if view_class.__module__.startswith("termexplorer.models")
    ]
    assert len(ours) > 10
    assert all(issubclass(view_class, PlainCells) for view_class in ours)


def all_kinds(base: type) -> set[type]:
    kinds = base.__subclasses__()
    return set(kinds).union(*map(all_kinds, kinds))
