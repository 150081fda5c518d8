"""Fields by which suggestions are filtered: probability, predicate, evidence, frequency."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from termexplorer.services.curate.mapping_candidates import MAPPING_KINDS
from termexplorer.services.curate.review import ListReview
from termexplorer.services.curate.suggestion_filter import (
    EVIDENCE,
    SuggestionFields,
    find_evidence,
    find_frequency,
    find_predicate,
    find_probability,
)
from termexplorer.services.verdicts.mapping_answers import predicate_title
from termexplorer.texts import tr, translated
from termexplorer.views.widgets.forms import choice, offer
from termexplorer.views.widgets.number_box import number_box, percent_box
from termexplorer.views.widgets.plain_label import PlainLabel

_WHOLE = 100  # per cent
_MOST = 2**31 - 1
_PREDICATE_ORDER = ("skos:exactMatch", "skos:closeMatch", "skos:broadMatch", "skos:narrowMatch")


class FilterFields(QWidget):
    """Has what a list can be filtered by; the rest is hidden.

    Signals:
        changed: others are wanted.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.least = percent_box(0, tr("Least probability"))
        self.most = percent_box(_WHOLE, tr("Greatest probability"))
        self.predicate = choice(tr("Predicate on show"), 12)
        self.evidence = choice(tr("Evidence on show"), 14)
        self.frequency = number_box(0, _MOST, 0, tr("Least frequency"))
        self.frequency.setAccessibleName(tr("Least frequency"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self._probability = _make_part(tr("Probability"), self.least, PlainLabel("–"), self.most)
        self._frequency = _make_part(tr("Frequency from"), self.frequency)
        for part in (self._probability, self.predicate, self.evidence, self._frequency):
            row.addWidget(part)
        row.addStretch(1)
        for box in (self.least, self.most, self.frequency):
            box.valueChanged.connect(self.changed)
        for chosen in (self.predicate, self.evidence):
            chosen.currentIndexChanged.connect(self.changed)

    @property
    def fields(self) -> SuggestionFields:
        """What is wanted."""
        least, most, frequency = self.least.value(), self.most.value(), self.frequency.value()
        return SuggestionFields(
            least / _WHOLE if least > 0 else None,
            most / _WHOLE if most < _WHOLE else None,
            self.predicate.currentData() or "",
            self.evidence.currentData() or "",
            frequency if frequency > 0 else None,
        )

    def clear_fields(self) -> None:
        """Want everything."""
        with QSignalBlocker(self):
            self.least.setValue(0)
            self.most.setValue(_WHOLE)
            self.frequency.setValue(0)
            self.predicate.setCurrentIndex(0)
            self.evidence.setCurrentIndex(0)
        self.changed.emit()

    def offer_fields(self, review: ListReview | None) -> None:
        """Offer what the suggestions of a list have; what is wanted stays where it is there too."""
        suggestions = review.suggestions if review else ()
        header = review.suggestion_list.head.header if review else ()
        maps = bool(review and review.suggestion_list.head.kind in MAPPING_KINDS)
        predicates = {find_predicate(s) for s in suggestions} if maps else set()
        kinds = {find_evidence(s, header) for s in suggestions} if maps else set()
        with QSignalBlocker(self):
            _offer_some(self.predicate, tr("Any predicate"), _name_predicates(predicates))
            rows = [(translated(EVIDENCE[kind]), kind) for kind in EVIDENCE if kind in kinds]
            _offer_some(self.evidence, tr("Any evidence"), rows)
        has_figures = any(find_probability(s, header) is not None for s in suggestions)
        has_counts = any(find_frequency(s, header) is not None for s in suggestions)
        self._probability.setVisible(has_figures)
        self._frequency.setVisible(has_counts)
        self.predicate.setVisible(maps)
        self.evidence.setVisible(maps)
        with QSignalBlocker(self):
            if not has_figures:
                self.least.setValue(0)
                self.most.setValue(_WHOLE)
            if not has_counts:
                self.frequency.setValue(0)


def _offer_some(box: object, any_text: str, rows: Sequence[tuple[str, object]]) -> None:
    offer(box, [(any_text, ""), *rows], "")  # type: ignore[arg-type]


def _name_predicates(predicates: Iterable[str]) -> list[tuple[str, object]]:
    """Return predicates with what they are called, the usual ones first."""
    order = {predicate: index for index, predicate in enumerate(_PREDICATE_ORDER)}
    ordered = sorted(
        predicates, key=lambda predicate: (order.get(predicate, len(order)), predicate)
    )
    return [(predicate_title(predicate), predicate) for predicate in ordered]


def _make_part(title: str, *widgets: QWidget) -> QWidget:
    part = QWidget()
    row = QHBoxLayout(part)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(4)
    for widget in (PlainLabel(title), *widgets):
        row.addWidget(widget)
    return part
