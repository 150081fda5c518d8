"""What annotators said of the pair on show: hidden, or shown to who decides."""

from collections.abc import Sequence

from PySide6.QtCore import QSizeF, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from termexplorer.plain_text import plain_html
from termexplorer.services.studies.adjudication.disputed_pairs import Disputed
from termexplorer.services.studies.status import Judgement
from termexplorer.services.verdicts.judging_keys import ANNOTATIONS
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.judging.pair import MARGIN, WIDEST
from termexplorer.views.widgets.keys import text_with_key
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared

_KEY = "adjudication/verdicts"
_SHOWN = "shown"
_LINES = 9
_TIP = mark(
    "Whether you had seen the annotators' verdicts is kept with each decision, and told in the "
    "report (V)"
)


class SaidPane(QWidget):
    """A tick, and the verdicts where it is set.

    Signals:
        toggled: the verdicts are shown now, or hidden.

    Attributes:
        tick: whether they are shown; so it is the next time too.
        text: the verdicts.
    """

    toggled = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = shared.session
        self.tick = QCheckBox(text_with_key(tr("Show what the annotators said"), ANNOTATIONS))
        self.tick.setToolTip(translated(_TIP))
        self.tick.setChecked(self._session.place(_KEY) == _SHOWN)
        self.waiting = PlainLabel()
        self.waiting.setProperty("quiet", True)
        self.text = QTextBrowser()
        self.text.setAccessibleName(tr("What the annotators said"))
        self.text.setTabChangesFocus(True)
        self.text.document().documentLayout().documentSizeChanged.connect(self._on_size)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addStretch(1)
        row.addWidget(self.tick)
        row.addWidget(self.waiting)
        row.addStretch(1)
        middle = QWidget()
        middle.setMaximumWidth(WIDEST)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.text)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(MARGIN, 8, MARGIN, 0)
        whole.addStretch()
        whole.addWidget(middle, 1000)
        whole.addStretch()
        self.tick.toggled.connect(self._on_tick)
        self._on_tick()

    @property
    def shows(self) -> bool:
        """Whether they are shown."""
        return self.tick.isChecked()

    def show_pair(self, pair: Disputed) -> None:
        """What was said of another pair."""
        self.text.setHtml(_answers_html(pair.judgements))
        waiting = trn(
            "1 annotator has not answered yet, and may bring a majority",
            "{n:,} annotators have not answered yet, and may bring a majority",
            pair.waiting,
        )
        self.waiting.setText(waiting)
        self.waiting.setVisible(bool(pair.waiting))

    def put_below(self, pair: QWidget) -> QWidget:
        """Return a widget that holds a pair, with this below it."""
        both = QWidget()
        column = QVBoxLayout(both)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(pair, 1)
        column.addWidget(self)
        both.setFocusProxy(pair)
        return both

    @Slot()
    def _on_tick(self) -> None:
        self._session.keep_place(_KEY, _SHOWN if self.shows else "")
        self.text.setVisible(self.shows)
        self.toggled.emit()

    @Slot(QSizeF)
    def _on_size(self, size: QSizeF) -> None:
        most = self.fontMetrics().lineSpacing() * _LINES
        self.text.setFixedHeight(min(int(size.height()), most) + 2 * self.text.frameWidth() + 1)


def _answers_html(judgements: Sequence[Judgement]) -> str:
    rows = "".join(
        f"<tr><td>{plain_html(_annotator_label(judgement))}</td>"
        f'<td style="padding-left: 16px"><b>{plain_html(judgement.answer.answer)}</b></td>'
        f'<td style="padding-left: 16px">{plain_html(judgement.answer.note)}</td></tr>'
        for judgement in judgements
    )
    return f"<table>{rows}</table>"


def _annotator_label(judgement: Judgement) -> str:
    name = judgement.annotator
    return tr("{annotator} (asked again)", annotator=name) if judgement.showing > 1 else name
