"""The chooser that blends an encoder with TF-IDF."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.encoders.made_encoders import fit_blend
from termexplorer.services.explore.ontologies import Ontology, find_ontology
from termexplorer.texts import mark, number, tr, translated
from termexplorer.views.train.open_vectors import LANE
from termexplorer.views.widgets.encoder_box import EncoderBox
from termexplorer.views.widgets.forms import choice, fields, offer, plain_column, quiet
from termexplorer.views.window.page import Shared

_WHAT = mark(
    "Adds TF-IDF of character n-grams to the similarities of an encoder, with the weight that "
    "finds synonyms best: several are tried on the validation names of an ontology."
)


class BlendEncoder(QWidget):
    """Asks which encoder is blended, and on whose names; a job finds the weight.

    Signals:
        begun: the job is under way.
    """

    begun = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._current: int | None = None
        self.encoder = EncoderBox(tr("Encoder to blend with TF-IDF"))
        self.ontology = choice(tr("Ontology whose validation names choose the weight"))
        self.ontology.setToolTip(self.ontology.accessibleName())
        self.blend = QPushButton(tr("Find the weight and blend"))
        self.blend.setToolTip(tr("In the background, with progress below"))
        column = plain_column(self)
        column.addWidget(quiet(translated(_WHAT)))
        column.addLayout(fields((tr("Encoder"), self.encoder), (tr("Names of"), self.ontology)))
        column.addWidget(self.blend)
        self.blend.clicked.connect(self._on_blend)

    def show_encoders(self, encoders: Sequence[EncoderInfo]) -> None:
        """Offers encoders that have vectors; at first the newest is chosen."""
        self.encoder.show_encoders(encoders)

    def show_ontologies(self, ontologies: Sequence[Ontology], current: int | None) -> None:
        """Offers ontologies; the current one is chosen, until another is chosen here."""
        offer(self.ontology, [(ontology.label, ontology.id) for ontology in ontologies], current)
        if current != self._current:
            self.ontology.setCurrentIndex(max(self.ontology.findData(current), 0))
            self._current = current

    @Slot()
    def _on_blend(self) -> None:
        workspace, encoder_id = self._shared.workspace, self.encoder.currentData()
        try:
            ontology = find_ontology(workspace, str(self.ontology.currentData()))
        except UserError as error:
            self._shared.notices.error(str(error))
            return
        work = partial(fit_blend, workspace, encoder_id, ontology, None)
        title = tr("Blending {encoder} with TF-IDF", encoder=self.encoder.currentText())
        job = self._shared.jobs.add(title, work, LANE, lost=True)
        job.succeeded.connect(self._on_blended)
        self.begun.emit()

    @Slot(object)
    def _on_blended(self, encoder: EncoderInfo) -> None:
        at = self.ontology.findData(encoder.parameters["ontology"])
        self._shared.notices.tell(blended_text(encoder, self.ontology.itemText(at)))


def blended_text(encoder: EncoderInfo, ontology: str) -> str:
    """What a blended encoder came to: the weight that was chosen, and on what."""
    return tr(
        "{encoder} is ready, for Explore and Evaluate: {found}",
        encoder=encoder.label,
        found=_weight_text(encoder.parameters, ontology),
    )


def _weight_text(facts: Mapping[str, Any], ontology: str) -> str:
    """Return the weight, its figure and those of the others, whichever is the highest."""
    tried = {float(weight): value for weight, value in facts["map_by_weight"].items()}
    weight = float(facts["weight"])
    own_value, other_values = tried.pop(weight), tried
    values = {
        "weight": number(weight, "g"), "own": own_value, "ontology": ontology,
        "names": facts["validation_names"],
    }  # fmt: skip
    highest = max(other_values.values(), default=own_value)
    if weight == 0 and highest <= own_value:
        return tr(
            "weight 0, for TF-IDF added nothing on {names:,} validation names of {ontology} "
            "(mAP {own:.3f}, with TF-IDF at most {other:.3f}; not tested)",
            other=highest,
            **values,
        )
    values["without"] = other_values.get(0.0, own_value)
    if highest < own_value:
        return tr(
            "weight {weight}, the best on {names:,} validation names of {ontology} "
            "(mAP {own:.3f}, without TF-IDF {without:.3f}; not tested)",
            **values,
        )
    values["others"] = ", ".join(
        number(other_weight, "g")
        for other_weight in other_values
        if other_values[other_weight] == highest
    )
    if highest == own_value:
        return tr(
            "weight {weight}, as good on {names:,} validation names of {ontology} as {others} "
            "(mAP {own:.3f}, without TF-IDF {without:.3f})",
            **values,
        )
    return tr(
        "weight {weight}, not the best on {names:,} validation names of {ontology}: that is "
        "{others} (mAP {own:.3f} against {highest:.3f}, without TF-IDF {without:.3f}; not tested)",
        highest=highest,
        **values,
    )
