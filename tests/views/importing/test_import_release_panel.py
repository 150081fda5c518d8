"""Importing a SNOMED CT release in the window: its folder, its languages and dialects."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QComboBox, QFileDialog
from pytestqt.qtbot import QtBot

from termexplorer.bench.releases.rf2_release import Rf2Size, write_release
from termexplorer.desk import WindowController
from termexplorer.services.importing.releases import ImportRequest
from termexplorer.views.importing.panel import ImportPanel

SWEDISH = "46011000052107"


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A release whose text definitions are in English and a few names in Swedish too."""
    folder = write_release(tmp_path / "release", Rf2Size(60, 240, 200, definitions=9), ["Snapshot"])
    for name in ("sct2_Description", "der2_cRefset_Language"):
        path = next(folder.glob(f"Snapshot/**/{name}*"))
        rows = (
            path.read_bytes()
            .replace(b"\ten\t", b"\tsv\t")
            .replace(b"900000000000508004", SWEDISH.encode())
        )
        swedish = path.with_name(path.name.replace("-en", "-sv"))
        swedish.write_bytes(rows)
    return folder


@pytest.fixture
def panel(qtbot: QtBot, desk: WindowController, release: Path) -> ImportPanel:
    desk.window.releases.open_import_of(release)
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, ImportPanel)
    qtbot.waitUntil(panel.start.isEnabled)
    return panel


def started(qtbot: QtBot, panel: ImportPanel) -> ImportRequest:
    with qtbot.waitSignal(panel.wanted) as wanted:
        panel.start.click()
    request = wanted.args[0]
    assert isinstance(request, ImportRequest)
    return request


def test_the_usual_dialect_is_chosen_and_others_are_offered(
    qtbot: QtBot, desk: WindowController, panel: ImportPanel
) -> None:
    assert panel.file_label.text() == "SNOMED CT (RF2)"
    assert panel.dialects.isVisibleTo(panel)
    assert not panel.columns.isVisibleTo(panel)
    box = panel.dialects.dialect
    offered = [box.itemText(row) for row in range(box.count())]
    assert offered == [
        f"{SWEDISH}",
        "en-GB (900000000000508004)",
        "en-US (900000000000509007)",
    ]
    assert panel.dialects.chosen() == ("en", "900000000000509007")
    request = started(qtbot, panel)
    assert (request.format, request.language) == ("rf2", "en")
    qtbot.waitUntil(lambda: "Imported SNOMED CT" in desk.window.notice.text, timeout=60_000)


def test_a_language_brings_its_dialect(
    qtbot: QtBot, desk: WindowController, panel: ImportPanel
) -> None:
    box = panel.dialects.language
    assert [box.itemText(row) for row in range(box.count())] == ["en", "sv"]
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert panel.dialects.chosen() == ("sv", SWEDISH)
    panel.wanted.disconnect(desk.window.releases.import_release)
    request = started(qtbot, panel)
    assert (request.language, request.dialect) == ("sv", SWEDISH)


def test_a_folder_is_chosen_or_dropped(
    qtbot: QtBot, desk: WindowController, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(release))])
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    desk.window.dropEvent(QDropEvent(QPoint(600, 400), Qt.DropAction.CopyAction, data, left, none))
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, ImportPanel)
    qtbot.waitUntil(panel.start.isEnabled)
    empty = release.parent / "empty"
    empty.mkdir(exist_ok=True)
    answer: Callable[..., str] = lambda *_args: str(empty)  # noqa: E731
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", answer)
    panel.open_folder_dialog()
    qtbot.waitUntil(lambda: "holds no release in RF2" in panel.start.toolTip())
    assert not panel.dialects.isVisibleTo(panel)


def test_the_full_release_is_offered_beside_its_snapshot(
    qtbot: QtBot, desk: WindowController, tmp_path: Path
) -> None:
    desk.window.releases.open_import_of(write_release(tmp_path / "both", Rf2Size(40, 160, 120)))
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, ImportPanel)
    qtbot.waitUntil(lambda: "release-type" in panel.choices.inputs, timeout=60_000)
    box = panel.choices.inputs["release-type"]
    assert isinstance(box, QComboBox)
    assert [box.itemText(row).split()[0] for row in range(box.count())] == ["Snapshot", "Full"]
    panel.wanted.disconnect(desk.window.releases.import_release)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert started(qtbot, panel).choices == {"release-type": ("full",)}
