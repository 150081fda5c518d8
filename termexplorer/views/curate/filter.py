"""Which suggestions of a list are on show, and how far their review is."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from termexplorer.models.suggestion_table import OPEN, REJECTED, WORDS, SuggestionWish
from termexplorer.services.curate.answers.list_outcomes import DIFFER
from termexplorer.services.curate.mapping_states import (
    STALE,
    STATE_WORDS,
    find_states,
    word_states,
)
from termexplorer.services.curate.review import ListReview
from termexplorer.services.verdicts.log import ALSO, ANSWER_WORDS, CHANGED, LATER
from termexplorer.texts import number, tr, translated
from termexplorer.views.curate.filter_fields import FilterFields
from termexplorer.views.judging.answer_guard import PauseTick
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.widgets.forms import choice, offer
from termexplorer.views.widgets.toggle_button import ToggleButton
from termexplorer.views.widgets.ui_state import UiState


class SuggestionFilter(QWidget):
    """A choice of verdicts, a text to look for, and the progress.

    Signals:
        changed: others are wanted.
        left: the text was entered, by Enter.
        accepted: mappings between equal preferred names are to be called correct.
    """

    changed = Signal()
    left = Signal()
    accepted = Signal()

    def __init__(self, session: UiState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.answer = choice(tr("Verdicts on show"), 18)
        self.text = QLineEdit(placeholderText=tr("Filter"), clearButtonEnabled=True)
        self.text.setAccessibleName(tr("Filter suggestions"))
        self.progress = ElidedLabel()
        self.progress.setProperty("quiet", True)
        self.equal_labels = QPushButton()
        self.equal_labels.setToolTip(
            tr(
                "Calls the exact mappings on show correct whose two preferred names are equal and "
                "whose probability is .9 or more; Ctrl+Z takes all back"
            )
        )
        self.equal_labels.clicked.connect(self.accepted)
        self.equal_labels.hide()
        self.state = choice(tr("What became of mappings"), 16)
        self.state.hide()  # but of those that were carried over
        self._count_text = self._extent = self._remark = ""
        self._fields = FilterFields()
        self.more = ToggleButton(tr("More filters"), self._fields, self._fields.least)
        self.more.setToolTip(tr("Filter by probability, predicate, evidence or frequency"))
        self.clear = QPushButton(tr("Clear filters"))
        self.clear.clicked.connect(self.show_all)
        self.clear.hide()
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.answer)
        row.addWidget(self.state)
        row.addWidget(self.text, 1)
        row.addWidget(self.more)
        row.addWidget(self.clear)
        row.addWidget(self.progress, 2)
        row.addWidget(self.equal_labels)
        row.addWidget(PauseTick(session))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self._fields)
        self.answer.currentIndexChanged.connect(self._on_changed)
        self.text.textChanged.connect(self._on_changed)
        self.state.currentIndexChanged.connect(self._on_changed)
        self._fields.changed.connect(self._on_changed)
        self.text.returnPressed.connect(self.left)

    @property
    def wanted(self) -> SuggestionWish:
        """What is to be shown."""
        answer = self.answer.currentData() or ""
        fields = replace(self._fields.fields, state=self.state.currentData() or "")
        return SuggestionWish(answer, self.text.text(), fields)

    def offer_fields(self, review: ListReview | None, *, anew: bool = True) -> None:
        """Offer what a list can be filtered by; of a new one show what needs a person, if any."""
        self._fields.offer_fields(review)
        header = review.suggestion_list.head.header if review else ()
        suggestions = review.suggestions if review else ()
        counts = Counter(state for row in suggestions for state in find_states(row, header))
        rows = [
            (f"{word_states(state)} ({number(counts[state])})", state)
            for state in STATE_WORDS
            if counts[state]
        ]
        with QSignalBlocker(self.state):
            offer(self.state, [(tr("Any state"), ""), *rows], "")
            if anew:
                self.state.setCurrentIndex(max(self.state.findData(STALE), 0))
        self.state.setVisible(bool(rows))
        self._allow_clear()

    @Slot()
    def _on_changed(self) -> None:
        self._allow_clear()
        self.changed.emit()

    def _allow_clear(self) -> None:
        self.clear.setVisible(self.wanted != SuggestionWish())

    def show_counts(
        self, total: int, counts: Mapping[str, int], rejected: int = 0, differing: int = 0
    ) -> None:
        """Show how many suggestions there are, and how many got each verdict.

        Args:
            total: of the list.
            counts: by what the judge answered.
            rejected: how many were rejected before they were suggested.
            differing: how many of those that several answered wait for a decision.
        """
        judged = sum(counts.values()) - counts.get(LATER, 0)  # put off is not judged
        words = [(translated(ANSWER_WORDS[answer]), count) for answer, count in counts.items()]
        parts = [f"{number(count)} {word}" for word, count in words if count]
        answers_text = f": {', '.join(parts)}" if parts else ""
        self._count_text = tr(
            "{n:,} of {total:,} judged{answers}", n=judged, total=total, answers=answers_text
        )
        self._extent = ""
        self.remark("")
        rows: list[tuple[str, object]] = [
            (tr("All ({n:,})", n=total), ""),
            (tr("Not judged ({n:,})", n=total - judged - rejected), OPEN),
            *(
                (f"{translated(WORDS[answer])} ({number(count)})", answer)
                for answer, count in counts.items()
                if count or answer not in (ALSO, CHANGED)
            ),
        ]
        if rejected:
            rows.append((tr("Rejected before ({n:,})", n=rejected), REJECTED))
        if differing:
            rows.append((tr("Differ ({n:,})", n=differing), DIFFER))
        with QSignalBlocker(self.answer):
            offer(self.answer, rows, "")

    def show_differing(self) -> None:
        """Show what people answered otherwise than each other, if anything."""
        self.show_all()
        self.answer.setCurrentIndex(max(self.answer.findData(DIFFER), 0))

    def offer_equal_labels(self, count: int) -> None:
        """Offer to accept so many mappings at once; nothing is offered where there are none."""
        self.equal_labels.setText(tr("Accept equal names ({n:,})", n=count))
        self.equal_labels.setVisible(count > 0)

    def remark(self, text: str) -> None:
        """Says something beside the progress; nothing, if it is empty."""
        self._remark = text
        self._show_progress()

    def show_extent(self, shown: int, total: int) -> None:
        """Say how many suggestions the filter leaves, where it leaves some out."""
        some = shown < total
        self._extent = tr("{n:,} of {total:,} shown", n=shown, total=total) if some else ""
        self._show_progress()

    def _show_progress(self) -> None:
        parts = (self._extent, self._count_text, self._remark)
        self.progress.setText(" · ".join(filter(None, parts)))

    @Slot()
    def show_all(self) -> None:
        """Has every suggestion shown."""
        with QSignalBlocker(self):
            self.text.clear()
            self.answer.setCurrentIndex(0)
            self.state.setCurrentIndex(0)
            self._fields.clear_fields()
        self._on_changed()
