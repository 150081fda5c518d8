"""What the user looks at: shared by all pages, with the way back and forward."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Place:
    """A release, and a concept in it or None."""

    ontology_id: int | None = None
    concept_id: int | None = None


class ConceptSelection(QObject):
    """The current ontology and concept.

    Signals:
        ontology_changed: the id of the release on show, or None.
        concept_changed: the id of the concept on show, or None; after `ontology_changed`.
        history_changed: there is another way back or forward.
        level_changed: the `LevelPlace` that was chosen in the release on show.
    """

    ontology_changed = Signal(object)
    concept_changed = Signal(object)
    history_changed = Signal()
    level_changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._current = Place()
        self._back: list[Place] = []
        self._forward: list[Place] = []

    @property
    def place(self) -> Place:
        """Where the user is."""
        return self._current

    @property
    def ontology_id(self) -> int | None:
        """The release on show."""
        return self._current.ontology_id

    @property
    def concept_id(self) -> int | None:
        """The concept on show."""
        return self._current.concept_id

    @property
    def can_go_back(self) -> bool:
        """Whether something was looked at before."""
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        """Whether the user went back."""
        return bool(self._forward)

    def go(self, ontology_id: int | None, concept_id: int | None = None) -> None:
        """Shows a release and perhaps a concept of it, keeping the way back."""
        new_place = Place(ontology_id, concept_id)
        if new_place == self._current:
            return
        if self._current.ontology_id is not None:
            self._back = [*self._back, self._current][-_LONGEST:]
        self._forward.clear()
        self._show(new_place)

    def go_to_concept(self, concept_id: int) -> None:
        """Shows a concept of the release on show."""
        self.go(self.ontology_id, concept_id)

    @Slot()
    def back(self) -> None:
        """Goes to what was looked at before."""
        if self._back:
            self._forward.append(self._current)
            self._show(self._back.pop())

    @Slot()
    def forward(self) -> None:
        """Undoes `back`."""
        if self._forward:
            self._back.append(self._current)
            self._show(self._forward.pop())

    def _show(self, new_place: Place) -> None:
        before, self._current = self._current, new_place
        if new_place.ontology_id != before.ontology_id:
            self.ontology_changed.emit(new_place.ontology_id)
        if new_place != before:
            self.concept_changed.emit(new_place.concept_id)
        self.history_changed.emit()
