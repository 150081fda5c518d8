"""Asks before a trained encoder encodes a release that it was not trained on."""

from collections.abc import Collection, Iterable, Sequence

from PySide6.QtCore import QObject, Signal

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import EncoderInfo, list_encoders, trained_on_ontology
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.texts import mark, tr, translated
from termexplorer.views.explore.preparation import Lack, lacking
from termexplorer.views.widgets.notices import Notices
from termexplorer.workspace import Workspace

_NOT_ENCODED = mark("The chosen encoders have not encoded these names; add TF-IDF beside them")


class EncodingQuestion(QObject):
    """A notice with a button, once for each encoder and release until `forget`.

    Signals:
        confirmed: the `Lack`s that are to be made.
    """

    confirmed = Signal(object)

    def __init__(self, notices: Notices, parent: QObject) -> None:
        super().__init__(parent)
        self._notices = notices
        self._asked: set[tuple[int, int]] = set()

    def ask(self, lacks: Sequence[Lack]) -> None:
        """Ask whether vectors are to be made, unless all of them were asked for before."""
        pairs = {(encoder.id, ontology.id) for encoder, ontology in lacks}
        if pairs <= self._asked:
            return
        self._asked |= pairs
        text = tr(
            "{encoders}: names of {ontologies} are not encoded yet, which rankings need",
            ontologies=", ".join(dict.fromkeys(ontology.label for _, ontology in lacks)),
            encoders=", ".join(dict.fromkeys(encoder.label for encoder, _ in lacks)),
        )
        self._notices.tell(text, tr("Encode"), lambda: self.confirmed.emit(lacks))

    def forget(self) -> None:
        """Ask again: the user chose other encoders or another release."""
        self._asked.clear()


def lacks_to_confirm(workspace: Workspace, lacks: Iterable[Lack]) -> tuple[Lack, ...]:
    """Return those of trained encoders and of releases that these were not trained on.

    May be called in any thread. A joined or blended encoder counts as its parts do.
    """
    encoders = {encoder.id: encoder for encoder in list_encoders(workspace)}
    return tuple(
        (encoder, ontology)
        for encoder, ontology in lacks
        if _is_trained_elsewhere(encoder, encoders, trained_on_ontology(workspace, ontology.id))
    )


def encoders_that_may_rank(
    workspace: Workspace, encoder_ids: Iterable[int], ontology_ids: Collection[int]
) -> tuple[int, ...]:
    """Leave out encoders that would first encode what they were not told to encode yet.

    Raises:
        UserError: none is left.
    """
    lacks = unconfirmed_lacks(workspace, encoder_ids, ontology_ids)
    waiting = {encoder.id for encoder, _ in lacks}
    allowed = tuple(id_ for id_ in encoder_ids if id_ not in waiting)
    if not allowed:
        raise UserError(translated(_NOT_ENCODED))
    return allowed


def unconfirmed_lacks(
    workspace: Workspace, encoder_ids: Iterable[int], ontology_ids: Collection[int]
) -> tuple[Lack, ...]:
    """Return what some encoders would encode first of some releases, and were not told to yet.

    May be called in any thread.
    """
    encoders = [encoder for encoder in list_encoders(workspace) if encoder.id in set(encoder_ids)]
    trained = [encoder for encoder in encoders if encoder.kind == "trained" or encoder.part_ids]
    ontologies = [
        ontology for ontology in list_ontologies(workspace) if ontology.id in ontology_ids
    ]
    return lacks_to_confirm(workspace, lacking(workspace, trained, ontologies) if trained else ())


def _is_trained_elsewhere(
    encoder: EncoderInfo, encoders: dict[int, EncoderInfo], trained_here: Collection[int]
) -> bool:
    if encoder.kind == "trained":
        return encoder.id not in trained_here
    parts = [encoders[part_id] for part_id in encoder.part_ids if part_id in encoders]
    return any(_is_trained_elsewhere(part, encoders, trained_here) for part in parts)
