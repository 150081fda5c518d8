"""The right of the rank-diff desk: the chosen mention's rankings, one group an encoder."""

from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.models.side_by_side import TRUE, SideBySideModel
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.compare.comparison import Compared
from termexplorer.services.compare.rows import number_text
from termexplorer.services.compare.side_by_side import (
    ComparedName,
    SideBySide,
    side_by_side,
    whole_side_by_side,
)
from termexplorer.texts import mark, tr, translated
from termexplorer.views.compare.desk_tables import SideTable
from termexplorer.views.explore.ranking_pane import move_colours
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.widgets.forms import heading
from termexplorer.views.widgets.parts_label import PartsLabel
from termexplorer.views.window.page import Shared

_TOP = 100
_STEP = 10  # times as many names are shown when more are wanted
_GAP = 5 * " "
_HINT = mark("Choose a mention at the left.")
_LEGEND = (
    mark("{true} a true answer"),
    mark("+3 three ranks above its place by the baseline"),
    mark("−12 below it"),
)
_NEW = mark("new: not among the baseline's first 100")


class SidePane(QWidget):
    """Reads the rankings of a mention and shows them.

    Signals:
        gone_to: the `ConceptRef` that was entered.
    """

    gone_to = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._baseline_id = 0
        self._asked: tuple[Compared, int] | None = None
        self._top = _TOP
        self._side: SideBySide | None = None
        self._going = False  # to the mention's concept, when that is known
        self.title = ElidedLabel()
        self.title.setFont(heading("").font())
        self.about, self.where = ElidedLabel(), PartsLabel()
        colours = shared.theme.colours
        self.model = SideBySideModel(move_colours(colours), colours.selected, self)
        self.table = SideTable(self.model, shared.session)
        self.more = QPushButton()
        self.more.setToolTip(tr("Ranks all names anew, for this mention"))
        self._questions = LatestQueryWorker(self)
        below = QHBoxLayout()
        below.addWidget(self.where, 1)
        below.addWidget(self.more)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 0, 0, 0)
        column.setSpacing(4)
        for label in (self.about, self.where):
            label.setProperty("quiet", True)
        for widget in (self.title, self.about):
            column.addWidget(widget)
        column.addWidget(self.table, 1)
        column.addLayout(below)
        self._questions.answered.connect(self._on_side)
        self._questions.failed.connect(self._on_failed)
        self.more.clicked.connect(self._on_more)
        self.table.named.connect(self._on_named)
        self.table.entered_name.connect(self._on_entered)
        shared.theme.changed.connect(self._paint)
        self._show(None)

    def close_pane(self) -> None:
        """Ends the thread."""
        self._questions.close()

    def ask(self, compared: Compared, mention: int, baseline_id: int) -> None:
        """Shows the rankings of a mention, by its place."""
        self._baseline_id, self._going, self._side = baseline_id, False, None
        self._asked, self._top = (compared, mention), _TOP
        work = partial(side_by_side, self._shared.workspace, compared, mention)
        self._questions.ask(partial(work, top=_TOP, baseline_id=baseline_id))

    def clear(self) -> None:
        """Shows nothing."""
        self._questions.forget()
        self._show(None)

    @Slot()
    def go(self) -> None:
        """Goes to the concept of the mention, as soon as it is known."""
        if self._side is None:
            self._going = True
        else:
            self.gone_to.emit(self._side.concept)

    def _show_legend(self) -> None:
        legend = [*_LEGEND, _NEW] if self._top == _TOP else _LEGEND
        parts = [translated(sign, true=TRUE) for sign in legend] if self._side else []
        self.where.show_parts(parts, _GAP)

    @Slot()
    def _on_more(self) -> None:
        if self._asked is not None:
            compared, mention = self._asked
            self._top *= _STEP
            self.more.setEnabled(False)
            ranker = self._shared.ranker
            work = partial(whole_side_by_side, self._shared.workspace, ranker.rank_whole, compared)
            self._questions.ask(
                partial(work, mention, top=self._top, baseline_id=self._baseline_id)
            )

    def _offer_more(self, side: SideBySide | None) -> None:
        compared = self._asked[0] if self._asked else None
        total = len(compared.candidate_ids) if compared else 0
        wanted = min(self._top * _STEP, total)
        self.more.setVisible(side is not None and total > self._top)
        self.more.setEnabled(True)
        every = wanted == total
        self.more.setText(tr("Show all {n:,}", n=total) if every else tr("Show {n:,}", n=wanted))

    def _show(self, side: SideBySide | None) -> None:
        self._side = side
        self.table.hint = "" if side else translated(_HINT)
        self.model.show_side(side, self._baseline_id)
        self.title.setText(side.text if side else "")
        self.about.setText(_describe_side(side) if side else "")
        self._show_legend()
        self._offer_more(side)

    @Slot(object)
    def _on_side(self, side: SideBySide) -> None:
        self._show(side)
        if self._going:
            self.go()

    @Slot(str)
    def _on_failed(self, why: str) -> None:
        self._show(None)
        self.table.hint = f"{why[:1].upper()}{why[1:]}."

    @Slot(object)
    def _on_named(self, name: ComparedName | None) -> None:
        if name:
            self.where.show_parts(self.model.places(name), " · ")
        else:
            self._show_legend()

    @Slot(object)
    def _on_entered(self, name: ComparedName) -> None:
        self.gone_to.emit(name.concept)

    @Slot()
    def _paint(self) -> None:
        colours = self._shared.theme.colours
        self.model.use_colours(move_colours(colours), colours.selected)


def _describe_side(side: SideBySide) -> str:
    concept = side.concept
    parts = [f"{concept.code or concept.curie} {concept.label}"]
    if side.classes:
        parts.append(tr("class: {classes}", classes="; ".join(side.classes)))
    if side.overlap is not None:
        parts.append(tr("lowest overlap {overlap}", overlap=number_text(side.overlap)))
    return " · ".join(parts)
