"""A dictionary that mentions are normalised to: names of concepts, and ids that mean the same."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.text.names import LabelledNames
from termexplorer.trainer.text.tokenizer import tokenize


class Dictionary:
    """Finds concepts by their ids, and says which texts are names.

    Attributes:
        names: n names; the c classes are the ids of the concepts.
    """

    def __init__(self, names: LabelledNames, alternatives: Mapping[str, str] | None = None):
        """Index a dictionary.

        Args:
            names: names and concepts; a concept without a name is not found.
            alternatives: further ids, each with the id of its concept in ``names.classes``.

        Raises:
            ValueError: for an alternative id of a concept that is not there.
        """
        self.names = names
        self._texts = {as_compared(name) for name in names.names}
        named = set(np.unique(names.class_index).tolist())
        class_numbers = {concept: number for number, concept in enumerate(names.classes)}
        stands_for = {name: name for name in names.classes}
        stands_for |= {
            name: concept
            for name, concept in (alternatives or {}).items()
            if name not in class_numbers
        }
        self._whole: dict[str, int] = {}
        self._bare: dict[str, int] = {}  # -1 where concepts of several sources share what is bare
        for name, concept in stands_for.items():
            if concept not in class_numbers:
                raise TrainerError(
                    "{name} stands for {concept}, which the dictionary does not have",
                    name=name,
                    concept=concept,
                )
            if class_numbers[concept] in named:
                self._add(name.casefold(), class_numbers[concept])

    def _add(self, name: str, concept: int) -> None:
        self._whole.setdefault(name, concept)
        source, colon, bare = name.rpartition(":")
        if colon and source:
            known = self._bare.setdefault(bare, concept)
            self._bare[bare] = concept if known == concept else -1

    def concept(self, name: str) -> int:
        """Return the class that an id stands for, -1 if it is not here.

        Case does not count. A prefix may be missing on either side, ``MESH:D001943`` and
        ``D001943``, where no two concepts differ by nothing else.
        """
        whole = name.strip().casefold()
        if whole in self._whole:
            return self._whole[whole]
        bare = whole.rpartition(":")[2]
        return self._bare.get(whole, -1) if bare == whole else self._whole.get(bare, -1)

    def is_name(self, text: str) -> bool:
        """Say whether a text is a name, case and white space aside."""
        return as_compared(text) in self._texts


def as_compared(text: str) -> str:
    """Return a text as exact matches see it: its tokens with a space between."""
    return " ".join(tokenize(text))
