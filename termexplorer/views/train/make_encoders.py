"""Making encoders of others, without training: joined, blended, word mover's distance."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.texts import mark, tr, translated
from termexplorer.views.train.blend_encoder import BlendEncoder
from termexplorer.views.train.join_encoders import JoinEncoders
from termexplorer.views.train.word_movers import WordMoversButton
from termexplorer.views.widgets.forms import beside, heading, plain_column
from termexplorer.views.widgets.toggle_button import ToggleButton
from termexplorer.views.window.page import Shared

_JOIN = mark("Two encoders or more side by side, each at unit length")
_JOIN_NEEDS = mark("There is one encoder with vectors at most: first train or open another")
_BLEND = mark("An encoder plus TF-IDF, with the weight that finds synonyms best")
_BLEND_NEEDS = mark("First import an ontology, and train or open vectors")


class MakeEncoders(QWidget):
    """Buttons, and below them the chooser of the one that is pressed.

    Signals:
        encoder_made: the `EncoderInfo` of vectors that are ready.
    """

    encoder_made = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self.joining, self.blending = JoinEncoders(shared), BlendEncoder(shared)
        self.join = ToggleButton(tr("Join encoders…"), self.joining, self.joining.encoders)
        self.blend = ToggleButton(tr("Blend with TF-IDF…"), self.blending, self.blending.encoder)
        self.movers = WordMoversButton(shared)
        column = plain_column(self)
        column.addWidget(heading(tr("Or make an encoder of others")))
        column.addLayout(beside(self.join, self.blend))
        for widget in (self.joining, self.blending, self.movers):
            column.addWidget(widget)
        self.join.toggled.connect(self._on_join)
        self.blend.toggled.connect(self._on_blend)
        self.joining.encoder_made.connect(self._on_joined)
        self.blending.begun.connect(self.blend.close_chooser)
        self.show_encoders([])

    def show_encoders(self, encoders: Sequence[EncoderInfo]) -> None:
        """Offers encoders that have vectors."""
        self.joining.show_encoders(encoders)
        self.blending.show_encoders(encoders)
        self._allow()

    def show_ontologies(self, ontologies: Sequence[Ontology], current: int | None) -> None:
        """Offers ontologies whose names choose a weight."""
        self.blending.show_ontologies(ontologies, current)
        self._allow()

    def _allow(self) -> None:
        can_join = self.joining.encoders.count() > 1
        self.join.allow(can_join, translated(_JOIN), translated(_JOIN_NEEDS))
        can_blend = bool(self.blending.encoder.count() and self.blending.ontology.count())
        self.blend.allow(can_blend, translated(_BLEND), translated(_BLEND_NEEDS))
        self.movers.allow(self.blending.encoder.count() > 0)

    @Slot(bool)
    def _on_join(self, opened: bool) -> None:
        if opened:
            self.blend.close_chooser()

    @Slot(bool)
    def _on_blend(self, opened: bool) -> None:
        if opened:
            self.join.close_chooser()

    @Slot(object)
    def _on_joined(self, encoder: EncoderInfo) -> None:
        self.join.close_chooser()
        self._shared.watch.look()  # every list of encoders has it at once
        self.encoder_made.emit(encoder)
