"""What suggestions are looked for: in what, by which encoders."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.services.curate.suggesting import DECIDED, KINDS, Search
from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.texts import mark, tr, translated
from termexplorer.views.explore.encoder_choice import EncoderChoice
from termexplorer.views.explore.encoder_columns import usual_columns
from termexplorer.views.widgets.forms import choice, make_primary, offer
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared
from termexplorer.views.window.shared_level import SharedLevel

_MOST = 8
_ENCODERS, _KIND = "suggestions/encoders", "suggestions/kind"
_TO_ANOTHER = ("mappings", DECIDED)
_TITLES = {
    "misplaced": mark("Misplaced concepts"),
    "deeper": mark("A parent too high"),
    "names": mark("Misplaced names"),
    "duplicates": mark("Duplicates"),
    "mappings": mark("Mappings"),
    DECIDED: mark("Mappings, decided"),
}
_TIPS = {
    "misplaced": mark("Concepts that encoders would place below another class of the level"),
    "deeper": mark("Concepts that belong below another concept further down in their branch"),
    "names": mark("Names nearer to another concept's names than to their own synonyms"),
    "duplicates": mark("Pairs of concepts with the most similar names"),
    "mappings": mark("The best concept of another ontology for each"),
    DECIDED: mark("Exact, broad, narrow, related or no match of each concept, with a probability"),
}


class SuggestionSearch(QWidget):
    """Asks what to look for.

    Signals:
        wanted: a `Search`.
        allowed: whether something can be looked for may be otherwise.
    """

    wanted = Signal(object)
    allowed = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = shared.session
        self._ontology: Ontology | None = None
        self._encoders: Sequence[EncoderInfo] = ()
        self.kind = choice(tr("Kind of suggestions"), 26)
        self._offer_kinds(KINDS)
        self.to_label = PlainLabel(tr("to", sense="mapping"))
        self.to = choice(tr("Ontology that is mapped to"), 24)
        self.level_choice = SharedLevel(shared)
        self.encoders = EncoderChoice(shared.theme, most=_MOST)
        self.look = QPushButton(tr("Find suggestions"))
        make_primary(self.look, self)
        self._lay_out()
        self.kind.currentIndexChanged.connect(self._allow)
        self.level_choice.settled.connect(self._allow)
        self.to.currentIndexChanged.connect(self._allow)
        self.encoders.changed.connect(self._allow)
        self.look.clicked.connect(self._on_find)
        self._allow()

    @property
    def search(self) -> Search | None:
        """What is looked for; None where something is missing."""
        if self._ontology is None or self.why_not:
            return None
        kind = self.kind.currentData()
        root = self.level_choice.chosen_root if self.level_choice.levels else None
        return Search(
            kind,
            self._ontology.id,
            self.encoders.ids,
            self.to.currentData() if kind in _TO_ANOTHER else None,
            root.curie if root else "",
            self.level_choice.chosen_level if kind == "misplaced" else 1,
        )

    @property
    def why_not(self) -> str:
        """Why nothing can be looked for yet and what to do, in words; empty if something can."""
        kind = self.kind.currentData()
        if self._ontology is None:
            return tr("Import an ontology first, with Ctrl+I")
        if not self.encoders.ids:
            return tr("Choose an encoder; others are trained on the page Train, or opened there")
        if self.level_choice.levels is None:
            return tr("Levels are being counted")
        if kind == "misplaced" and not self.level_choice.levels:
            return tr(
                "{ontology} has no levels, below which concepts could be misplaced",
                ontology=self._ontology.label,
            )
        if kind == "misplaced" and self.level_choice.chosen_level > self.level_choice.levels:
            return tr(
                "There is no such level here; choose one from 1 to {levels}",
                levels=self.level_choice.levels,
            )
        if kind in _TO_ANOTHER and self.to.currentData() is None:
            return tr("Import another ontology first, with Ctrl+I")
        return ""

    def show_kinds(self, kinds: Sequence[str]) -> None:
        """Offer some of `KINDS`; nothing is asked where there is but one."""
        self._session.keep_place(_KIND, self.kind.currentData())
        with QSignalBlocker(self.kind):
            self._offer_kinds(kinds)
        self.kind.setVisible(len(kinds) > 1)
        self._allow()

    def _offer_kinds(self, kinds: Sequence[str]) -> None:
        self.kind.clear()
        for row, kind in enumerate(kinds):
            self.kind.addItem(translated(_TITLES[kind]), kind)
            self.kind.setItemData(row, translated(_TIPS[kind]), Qt.ItemDataRole.ToolTipRole)
        self.kind.setCurrentIndex(max(self.kind.findData(self._session.place(_KIND)), 0))

    def close_search(self) -> None:
        """Keeps what is chosen and ends the thread."""
        self._session.keep_place(_KIND, self.kind.currentData())
        if self._encoders:
            self._session.keep_place(_ENCODERS, " ".join(map(str, self.encoders.ids)))
        self.level_choice.close_boxes()

    def show_choices(
        self,
        ontologies: Sequence[Ontology],
        ontology: Ontology | None,
        encoders: Sequence[EncoderInfo],
        trained_here: Sequence[int],
    ) -> None:
        """Offers what there is; what was chosen stays."""
        first, self._encoders = not self._encoders, encoders
        remembered = [encoder_id for encoder_id in self._session.numbers(_ENCODERS) if first]
        usual = usual_columns(encoders, trained_here) if first else []
        encoder_ids = [encoder.id for encoder in encoders]
        self.encoders.show_encoders(
            encoders,
            [encoder_id for encoder_id in remembered or usual if encoder_id in encoder_ids],
        )
        self._ontology = ontology
        other_ontologies = [other for other in ontologies if other != ontology]
        offer(
            self.to, [(f"{other.label} ({other.id})", other.id) for other in other_ontologies], None
        )
        self.level_choice.show_ontology(ontology)
        self._allow()

    def _lay_out(self) -> None:
        above = QHBoxLayout()
        above.setSpacing(8)
        for widget in (self.kind, self.to_label, self.to, self.level_choice):
            above.addWidget(widget)
        above.addStretch(1)
        above.addWidget(self.look)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(above)
        column.addWidget(self.encoders)

    @Slot()
    def _allow(self) -> None:
        kind, why = self.kind.currentData(), self.why_not
        self.kind.setToolTip(translated(_TIPS[kind]))
        for widget in (self.to_label, self.to):
            widget.setVisible(kind in _TO_ANOTHER)
        self.level_choice.setVisible(bool(self.level_choice.levels))
        self.level_choice.ask_level(kind == "misplaced")
        self.look.setEnabled(not why)
        tip = tr("Ctrl+Enter; the result replaces the list of the same search")
        self.look.setToolTip(why or tip)
        self.allowed.emit()

    @Slot()
    def _on_find(self) -> None:
        if self.search is not None:
            self.wanted.emit(self.search)
