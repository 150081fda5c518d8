"""What the window does when an encoder was trained, by itself or by another process."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from new_encoders_steps import make_encoder
from pytestqt.qtbot import QtBot
from view_fakes import FakeRanker

from termexplorer.desk import WindowController
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.explore.browsing import search_names
from termexplorer.services.recipes.run_requests import LevelChoice, RunRequest, SplitRule
from termexplorer.store.encoders.runs import FigureInfo, add_run, end_run, put_figures
from termexplorer.views.explore.encoder_columns import added_column, usual_columns
from termexplorer.views.explore.page import ExplorePage
from termexplorer.workspace import Workspace


def make_trained(workspace: Workspace, beneath: int) -> int:
    """An encoder with the run that trained it on level 2, and its figures."""
    choice = LevelChoice(level=2)
    asked = RunRequest("few-shot", "quick", 1, beneath, choice, SplitRule("few-shot", 5), {})
    with workspace.store.writing() as connection:
        run_id = add_run(
            connection,
            title="few-shot, level 2",
            recipe="few-shot",
            preset="quick",
            release_id=1,
            input_id=beneath,
            request=asdict(asked),
        )
    encoder_id = make_encoder(workspace, "trained", beneath)
    with workspace.store.writing() as connection:
        for which, value in ((beneath, 0.289), (encoder_id, 0.4)):
            figure = ("ranking", f"data {run_id}", "mAP", value, 0.0, 1.0, 9)
            put_figures(connection, [FigureInfo(which, *figure)])
        card = {"data_hash": f"data {run_id}"}
        end_run(connection, run_id, "finished", encoder_id=encoder_id, card=card)
    return encoder_id


def explore(desk: WindowController) -> ExplorePage:
    page = desk.window.page("explore")
    assert isinstance(page, ExplorePage)
    return page


def test_the_newest_trained_encoder_stands_beside_its_vectors(desk: WindowController) -> None:
    workspace = desk.shared.workspace
    lexical = list_encoders(workspace)[0].id
    assert usual_columns(list_encoders(workspace), []) == [lexical]
    vectors = make_encoder(workspace, "untrained")
    assert usual_columns(list_encoders(workspace), []) == [lexical, vectors]
    first, second = make_trained(workspace, vectors), make_trained(workspace, vectors)
    assert usual_columns(list_encoders(workspace), [first, second]) == [vectors, second]
    assert usual_columns(list_encoders(workspace), [first]) == [vectors, first]


def test_a_new_encoder_is_added_while_columns_can_be_read() -> None:
    assert added_column([1], [3], newest_seen=2) == 3
    assert added_column([1], [3, 4], newest_seen=2) == 4
    assert added_column([1], [3], newest_seen=3) is None
    assert added_column([1, 3], [3], newest_seen=2) is None
    assert added_column([1, 2, 5], [6], newest_seen=5) is None


def test_what_another_process_trained_is_shown_told_and_looked_at(
    qtbot: QtBot, desk: WindowController, ranker: FakeRanker
) -> None:
    area = explore(desk).rankings
    vectors = make_encoder(desk.shared.workspace, "untrained")
    trained = make_trained(desk.shared.workspace, vectors)
    desk.shared.watch.look()
    assert area.encoders.ids == (vectors, trained)
    text = (
        f"few-shot, level 2 #{trained} is trained. ranking: too few names are held out to tell, 9."
    )
    qtbot.waitUntil(lambda: desk.window.notice.text == text)
    desk.window.show_page(1)
    desk.window.notice._act.click()
    assert explore(desk).isVisible()
    assert area.tabs.currentIndex() == 1
    assert area.tabs.tabText(1) == "Hypernyms on level 2"
    assert area.among.among().level == 2


def test_the_users_own_choice_stays_and_comes_back(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    desk = open_desk(folder)
    vectors = make_encoder(desk.shared.workspace, "untrained")
    first = make_trained(desk.shared.workspace, vectors)
    desk.shared.watch.look()
    encoders = explore(desk).rankings.encoders
    assert encoders.ids == (vectors, first)
    encoders.remove(0)
    second = make_trained(desk.shared.workspace, vectors)
    desk.shared.watch.look()
    assert encoders.ids == (first, second)
    encoders.remove(0)
    desk.close()
    again = open_desk(folder)
    assert explore(again).rankings.encoders.ids == (second,)


def test_the_concept_pane_names_the_class_on_the_hypernyms_level(
    qtbot: QtBot, desk: WindowController
) -> None:
    page, area = explore(desk), explore(desk).rankings
    hit = search_names(desk.shared.workspace, "TOY:4").hits[0]
    desk.shared.selection.go(hit.release_id, hit.concept_id)

    def told() -> str:
        return page.concept.browser.toPlainText().replace("\xa0", " ")

    qtbot.waitUntil(lambda: "CLASSES ON LEVEL 1\nTOY:2 lung disease · 3 names below it" in told())
    assert "TOY:3 infection" in told()
    assert area.among.level.count() == 3  # any, and the two levels that there are
    assert area.among.level_choice.level.count() == 2
    area.among.choose_level(2, None)
    qtbot.waitUntil(lambda: "CLASS ON LEVEL 2\nTOY:4 viral pneumonia" in told())


def test_tab_goes_through_the_rankings_as_they_stand(qtbot: QtBot, desk: WindowController) -> None:
    area = explore(desk).rankings
    vectors = make_encoder(desk.shared.workspace, "untrained")
    make_trained(desk.shared.workspace, vectors)
    desk.shared.watch.look()
    boxes = [box.box for box in area.encoders._boxes]
    wanted = [area.among.level, area.among.unseen, *boxes, area.encoders.add, area.pane.table]
    widget, met = area.tabs, []
    while widget is not area.pane.export:
        widget = widget.nextInFocusChain()
        met.append(widget)
    assert [encoder_id for encoder_id in met if encoder_id in wanted] == wanted
