"""The team in the window: joined by its address, kept up to date, seen and shared in a panel."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot
from team_servers import ToyTeam
from toy_window import LONG

from termexplorer.bench.durability import judge_some
from termexplorer.bench.team.cluster import OWNER
from termexplorer.desk import WindowController
from termexplorer.services.studies.judging import Judging, Seen
from termexplorer.services.team.passwords import VARIABLE
from termexplorer.services.verdicts.log import now
from termexplorer.views.team.joining import JoiningPanel
from termexplorer.views.team.panel import TeamPanel
from termexplorer.workspace import Workspace

Open = Callable[[Path], WindowController]


@pytest.fixture
def by_environment(team: ToyTeam, monkeypatch: pytest.MonkeyPatch) -> None:
    """The password is where programs without a keyring have it."""
    monkeypatch.setenv(VARIABLE, team.cluster.password)


def join(team: ToyTeam) -> Path:
    """Return the folder of a workspace in which Anna has joined."""
    team.admit("anna", "Anna")
    with closing(team.join("anna")) as workspace:
        return workspace.folder


def open_joining(desk: WindowController) -> JoiningPanel:
    desk.window.team.open_panel()
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, JoiningPanel)
    return panel


def open_team(qtbot: QtBot, desk: WindowController) -> TeamPanel:
    qtbot.waitUntil(desk.window.team.button.isVisible, timeout=LONG)
    desk.window.team.button.click()
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, TeamPanel)
    return panel


def type_into(field: QLineEdit, text: str) -> None:
    field.setFocus()
    QTest.keyClicks(field, text)


def cells(panel: TeamPanel, table: str) -> list[list[str]]:
    model = getattr(panel, table).model()
    return [
        [str(model.index(row, column).data()) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def judge_first(workspace: Workspace, annotator: str, chosen: list[int]) -> None:
    """Give the first pairs of a study, by their terms, chosen answers of its scale."""
    judging = Judging(workspace, 1, annotator)
    scale = [answer.answer for answer in judging.study.head.answers]
    answers = [scale[number] for number in chosen]
    turns = sorted(judging.turns, key=lambda turn: sorted((turn.left, turn.right)))
    for turn, answer in zip(turns, answers, strict=False):
        judging.judge(turn, answer, Seen(now(), 0, 0), "")


def test_a_workspace_joins_by_address_and_password(
    qtbot: QtBot, desk: WindowController, team: ToyTeam
) -> None:
    team.admit("anna", "Anna")
    assert not desk.window.team.button.isVisible()
    joining = open_joining(desk)
    type_into(joining.address, team.address("anna"))
    type_into(joining.password, team.cluster.password)
    QTest.keyClick(joining.password, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: isinstance(desk.window.stack.currentWidget(), TeamPanel), timeout=LONG)
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, TeamPanel)
    qtbot.waitUntil(lambda: len(cells(panel, "members")) == 2, timeout=LONG)
    qtbot.waitUntil(
        lambda: ["Anna", "curator", "here"] in [row[:3] for row in cells(panel, "members")],
        timeout=LONG,
    )
    assert desk.window.team.button.isVisible()
    assert not panel.sharing.isVisible()  # authors alone share


def test_what_is_wrong_with_an_address_is_told_and_nothing_is_joined(
    qtbot: QtBot, desk: WindowController, team: ToyTeam
) -> None:
    joining = open_joining(desk)
    assert not joining.join.isEnabled()
    type_into(joining.address, team.address("nobody"))
    type_into(joining.password, "xyzzy")
    joining.join.click()
    qtbot.waitUntil(lambda: "nobody" in joining.message.text(), timeout=LONG)
    assert "xyzzy" not in joining.message.text()
    assert joining.join.isEnabled()
    assert not desk.window.team.button.isVisible()


@pytest.mark.usefixtures("by_environment")
def test_an_author_sees_how_far_each_is_while_they_judge(
    qtbot: QtBot, open_desk: Open, team: ToyTeam
) -> None:
    team.admit("anna", "Anna")
    author = team.share_study(["Anna"])
    desk = open_desk(author)
    panel = open_team(qtbot, desk)
    qtbot.waitUntil(lambda: bool(cells(panel, "studies")), timeout=LONG)
    assert cells(panel, "studies")[0][1:3] == ["Anna", "0"]
    with closing(team.join("anna")) as anna:
        team.sync(anna, "anna")
        folder = anna.folder
    judge_some(folder, 3)
    with closing(Workspace(folder)) as anna:
        team.sync(anna, "anna")
    qtbot.waitUntil(lambda: cells(panel, "studies")[0][2] == "3", timeout=LONG)
    assert cells(panel, "studies")[0][4] == "blind"
    panel.sharing.open_verdicts.click()
    (confirm,) = (
        b for b in desk.window.notice.findChildren(QPushButton) if b.text() == "Open them"
    )
    confirm.click()
    qtbot.waitUntil(lambda: cells(panel, "studies")[0][4] == "open to all", timeout=LONG)


@pytest.mark.usefixtures("by_environment")
def test_an_author_sees_how_well_two_agree_as_their_verdicts_come_in(
    qtbot: QtBot, open_desk: Open, team: ToyTeam
) -> None:
    author = team.share_study(["Anna", "Ben"])
    panel = open_team(qtbot, open_desk(author))
    qtbot.waitUntil(lambda: len(cells(panel, "studies")) == 2, timeout=LONG)
    assert panel.agreement.isHidden()
    for name in ("Anna", "Ben"):
        team.admit(name.lower(), name)
        with closing(team.join(name.lower())) as member:
            team.sync(member, name.lower())
            judge_first(member, name, [0, 1, 0])
            team.sync(member, name.lower())
    qtbot.waitUntil(panel.agreement.isVisible, timeout=LONG)
    assert panel.agreement.text().count("n 3") == 2  # alpha and raw agreement, of three pairs
    assert "1.000" in panel.agreement.text()


@pytest.mark.usefixtures("by_environment")
def test_others_see_what_somebody_looks_at(qtbot: QtBot, open_desk: Open, team: ToyTeam) -> None:
    team.admit("anna", "Anna")
    folders = []
    for login in ("anna", OWNER):
        with closing(team.join(login)) as workspace:
            folders.append(workspace.folder)
    anna, lead = map(open_desk, folders)
    panel = open_team(qtbot, lead)
    anna.window.show_page(1)
    title = str(anna.window.rail.button(1).text())
    qtbot.waitUntil(
        lambda: ["Anna", title] in [[row[0], row[3]] for row in cells(panel, "members")],
        timeout=LONG,
    )


def test_a_password_that_is_kept_nowhere_is_typed_at_the_next_start(
    qtbot: QtBot, open_desk: Open, team: ToyTeam
) -> None:
    folder = join(team)
    panel = open_team(qtbot, open_desk(folder))
    qtbot.waitUntil(panel.password.isVisible, timeout=LONG)
    type_into(panel.password, team.cluster.password)
    QTest.keyClick(panel.password, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(cells(panel, "members")) == 2, timeout=LONG)
    assert not panel.password.isVisible()


@pytest.mark.usefixtures("by_environment")
def test_who_leaves_is_in_no_team_and_keeps_the_log(
    qtbot: QtBot, open_desk: Open, team: ToyTeam
) -> None:
    folder = join(team)
    desk = open_desk(folder)
    panel = open_team(qtbot, desk)
    qtbot.waitUntil(lambda: bool(cells(panel, "members")), timeout=LONG)
    panel.leave.click()
    (confirm,) = (
        b for b in desk.window.notice.findChildren(QPushButton) if b.text() == "Leave the team"
    )
    confirm.click()
    assert not desk.window.team.button.isVisible()
    assert isinstance(open_joining(desk), JoiningPanel)
