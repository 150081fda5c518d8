"""Pairs for a study from what is on show elsewhere: drawn in the background, then handed on."""

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from termexplorer.plain_text import plain_tip
from termexplorer.services.judge.drawn_work import (
    PairSource,
    WrittenPairs,
    draw_pairs,
    place_of_pairs,
)
from termexplorer.texts import tr, trn
from termexplorer.views.window.page import Shared

LANE = "pairs_to_judge"


class PairDrawing(QObject):
    """Draws pairs into a file of the workspace, and opens the form of a study with it.

    Signals:
        ended: a draw is over, one way or the other.
    """

    ended = Signal()

    def __init__(self, shared: Shared, parent: QObject) -> None:
        super().__init__(parent)
        self._shared = shared

    def draw(self, source: PairSource, title: str) -> None:
        """Begins; what is wanted is called by its title."""
        workspace = self._shared.workspace
        work = partial(draw_pairs, workspace, source, place_of_pairs(workspace, title))
        job = self._shared.jobs.add(tr("Pairs to judge: {title}", title=title), work, LANE)
        job.succeeded.connect(self._on_drawn)
        for signal in (job.failed, job.cancelled):
            signal.connect(self._on_over)

    @Slot(object)
    def _on_drawn(self, written: WrittenPairs) -> None:
        message = trn(
            "Wrote {n:,} pair to judge to {file}",
            "Wrote {n:,} pairs to judge to {file}",
            written.pairs,
            file=written.out,
        )
        self._shared.notices.tell(". ".join((message, *written.missing())))
        errands = self._shared.errands
        errands.show_page.emit("judge")
        errands.judge_pairs.emit(written)
        self.ended.emit()

    @Slot()
    def _on_over(self) -> None:
        self.ended.emit()


class PairsToJudge(QPushButton):
    """A button that draws pairs from a source.

    Args:
        shared: what pages share.
        tip: which pairs these are.
    """

    def __init__(self, shared: Shared, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("Pairs to judge…"), parent)
        self._tip = tip
        self._source: PairSource | None = None
        self._title = ""
        self._drawing = PairDrawing(shared, self)
        self._drawing.ended.connect(self._on_ended)
        self.clicked.connect(self._on_clicked)
        self.offer(None, "", "")

    def offer(self, source: PairSource | None, title: str, why_not: str) -> None:
        """Takes what pairs are drawn from; None where there is nothing, and why."""
        self._source, self._title = source, title
        self.setEnabled(source is not None)
        self.setToolTip(plain_tip(why_not if source is None else self._tip))

    @Slot()
    def _on_clicked(self) -> None:
        if self._source is not None:
            self.setEnabled(False)
            self._drawing.draw(self._source, self._title)

    @Slot()
    def _on_ended(self) -> None:
        self.setEnabled(self._source is not None)
