"""Steps that tests of adjudication screen share with others."""

from pytestqt.qtbot import QtBot
from toy_studies import ANNA, BEN, SEEN, make
from toy_window import LONG

from termexplorer.desk import WindowController
from termexplorer.services.studies.adjudication.disputed_pairs import disputed
from termexplorer.services.studies.judging import Judging
from termexplorer.views.judging.adjudication import AdjudicationScreen
from termexplorer.workspace import Workspace


def two_who_differ(workspace: Workspace) -> None:
    """Four of the eight pairs get one vote for each answer."""
    make(workspace, repeat=0)
    for annotator in (ANNA, BEN):
        judging = Judging(workspace, 1, annotator)
        for turn in judging.turns:
            other = annotator == BEN and " d" in turn.left
            judging.judge(turn, "not same" if other else "same", SEEN, note=f"by {annotator}")


def settle(qtbot: QtBot, screen: AdjudicationScreen) -> None:
    def settled() -> bool:
        return not screen.writer.writing and (not screen.pair.isVisible() or screen.pair.cards.seen)

    qtbot.waitUntil(settled, timeout=LONG)


def kept(desk: WindowController) -> list[tuple[str, str, str, bool] | None]:
    disputed_pairs = disputed(desk.shared.workspace, 1)
    decisions = [disputed_pair.decision for disputed_pair in disputed_pairs]
    return [d and (d.adjudicator, d.answer, d.note, d.verdicts_shown) for d in decisions]
