"""The help: the page's own topic, found by words, with links that lead somewhere."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot
from termexplorer.resources import FOLDER

from termexplorer.desk import WindowController
from termexplorer.services.workspace.help_topics import found, topics
from termexplorer.views.help.panel import HelpPanel
from termexplorer.views.help.panels import about_panel
from termexplorer.views.help.text import find_picture
from termexplorer.views.pages import PAGES

KEYS = [page.key for page in PAGES]
PICTURES = FOLDER / "help" / "pictures"


def topic(desk: WindowController) -> HelpPanel:
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, HelpPanel)
    return panel


def test_f1_opens_the_help_of_each_page(desk: WindowController) -> None:
    help_ = next(
        action for action in desk.window.commands.all if action.shortcut().toString() == "F1"
    )
    for number, page in enumerate(PAGES):
        desk.window.show_page(number)
        help_.trigger()
        assert topic(desk).list.currentItem().text() == page.title


def test_an_empty_workspace_is_told_of_the_first_hour(
    open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    desk = open_desk(tmp_path / "new")
    desk.window._on_help()
    assert topic(desk).list.currentItem().text() == "The first hour"


def test_topics_are_found_by_all_words(desk: WindowController) -> None:
    desk.window._on_help()
    panel = topic(desk)
    panel.search.setText("lasso rect")
    assert [panel.list.item(row).text() for row in range(panel.list.count())] == ["Map"]
    assert panel.text.textCursor().selectedText() == "lasso"
    panel.search.setText("nothing of the kind")
    assert panel.text.toPlainText() == "No matching topic."
    panel.text.anchorClicked.emit(QUrl("papers"))
    assert panel.list.currentItem().text() == "Papers"
    assert found("levels", KEYS)[0].title == "Levels"


def test_every_link_leads_to_a_topic() -> None:
    keys = {help_topic.key for help_topic in topics(KEYS)}
    links = {
        link
        for help_topic in topics(KEYS)
        for link in re.findall(r"(?<!!)\[[^]]*\]\(([^)]+)\)", help_topic.text)
    }
    assert {link for link in links if not link.startswith("https://")} <= keys
    papers = next(help_topic.text for help_topic in topics(KEYS) if help_topic.key == "papers")
    assert len(re.findall(r"^\*\*\[", papers, re.MULTILINE)) == papers.count("](https://")


def test_every_picture_is_shown_somewhere_and_tells_what_it_is() -> None:
    shown = {
        picture: alternative
        for help_topic in topics(KEYS)
        for alternative, picture in re.findall(r"!\[([^]]*)\]\(([^)]+)\)", help_topic.text)
    }
    assert all(len(alternative) > 20 for alternative in shown.values())
    size_by_name = {f"pictures/{file.name}": file.stat().st_size for file in PICTURES.iterdir()}
    assert set(shown) == set(size_by_name)
    assert sum(size_by_name.values()) < 1_500_000


def test_pictures_are_in_the_language_of_the_window(
    german: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("termexplorer.views.help.text._PICTURES", tmp_path)
    picture = tmp_path / "de" / "pictures" / "one.png"
    picture.parent.mkdir(parents=True)
    picture.touch()
    assert find_picture("pictures/one.png") == picture
    assert find_picture("pictures/two.png") == tmp_path / "pictures" / "two.png"


def test_pictures_are_as_wide_as_the_text(qtbot: QtBot, desk: WindowController) -> None:
    desk.window.show_page(0)
    desk.window._on_help()
    panel = topic(desk)

    def fits() -> bool:
        room = panel.text.viewport().width() - 2 * panel.text.document().documentMargin()
        return room - 40 < picture_width(panel) <= room

    qtbot.waitUntil(fits)
    before = picture_width(panel)
    desk.window.resize(desk.window.minimumSizeHint().width(), 800)
    qtbot.waitUntil(lambda: picture_width(panel) < before - 40 and fits())


def picture_width(panel: HelpPanel) -> float:
    block = panel.text.document().begin()
    while block.isValid():
        for part in block:  # a fragment each
            shown = part.fragment().charFormat()
            if shown.isImageFormat():
                name = shown.toImageFormat().name()
                picture = panel.text.document().resource(2, QUrl(name))
                return picture.width() / picture.devicePixelRatio()
        block = block.next()
    return 0.0


def test_links_to_papers_open_in_a_browser(
    desk: WindowController, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    open_one: Callable[[QUrl], None] = lambda url: opened.append(url.toString())  # noqa: E731
    monkeypatch.setattr(QDesktopServices, "openUrl", open_one)
    desk.window._on_help()
    panel = topic(desk)
    panel.show_topic("papers")
    panel.text.anchorClicked.emit(QUrl("https://aclanthology.org/P19-1317/"))
    assert opened == ["https://aclanthology.org/P19-1317/"]
    assert panel.list.currentItem().text() == "Papers"


def test_the_built_program_shows_where_its_licences_are(
    desk: WindowController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told() -> str:
        panel = about_panel(desk.window)
        return " ".join(label.text() for label in panel.findChildren(QLabel))

    assert "Lesser General Public License" in told()
    (tmp_path / "licences").mkdir()
    assert str(tmp_path) not in told()
    monkeypatch.setattr("sys.frozen", True, raising=False)
    monkeypatch.setattr("sys.executable", str(tmp_path / "termexplorer"))
    assert (tmp_path / "licences").as_uri() in told()


def test_a_pack_is_chosen_on_the_first_page(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = open_desk(tmp_path / "new")
    judged: list[Path] = []
    monkeypatch.setattr(desk.window.packs, "judge", judged.append)
    answer: Callable[..., tuple[str, str]] = lambda *_args: ("anna.termstudy", "")  # noqa: E731
    monkeypatch.setattr(QFileDialog, "getOpenFileName", answer)
    page = desk.window.page("explore")
    page.welcome.pack.click()  # type: ignore[union-attr]
    assert judged == [Path("anna.termstudy")]
