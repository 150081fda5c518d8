"""The file of concepts read into columns of numbers; their texts wait on the disk."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from termexplorer.importers.files.block import Integers, word
from termexplorer.importers.files.release_files import RoleReader
from termexplorer.importers.files.terms import LONGEST, TermStore, is_text
from termexplorer.importers.omop.files import CONCEPTS
from termexplorer.importers.text.numbers import Numbers
from termexplorer.texts import tr

ID, NAME, VOCABULARY, STANDARD, CODE, INVALID = 0, 1, 3, 5, 6, 9
STANDARDS = ("S", "C", "-")  # standard, classification, neither
_STANDARD = {word("S"): 0, word("C"): 1, 0: 2}


@dataclass(frozen=True)
class StagedConcepts:
    """Rows of concepts in the order of their ids, (n,) each but for the last.

    Attributes:
        ids: As OMOP gives them.
        vocabulary: Places in `vocabularies`.
        standard: Places in `STANDARDS`.
        valid: Whether each is no deleted or updated one.
        place: Of the text from name to code.
        line: Where each row stood.
        vocabularies: Their ids.
    """

    ids: Integers
    vocabulary: Integers
    standard: Integers
    valid: NDArray[np.bool_]
    place: Integers
    line: Integers
    vocabularies: list[str]

    def __len__(self) -> int:
        return len(self.ids)

    def find(self, ids: Integers) -> Integers:
        """The places of ids, (n,); -1 where there is no such concept."""
        at = np.minimum(np.searchsorted(self.ids, ids), max(len(self) - 1, 0))
        return np.where(self.ids[at] == ids, at, -1) if len(self) else np.full(len(ids), -1)

    @cached_property
    def counts(self) -> list[int]:
        """How many concepts each vocabulary has."""
        by_vocabulary: list[int] = np.bincount(
            self.vocabulary, minlength=len(self.vocabularies)
        ).tolist()
        return by_vocabulary


def stage(reader: RoleReader, terms: TermStore | None) -> StagedConcepts:
    """Read the file of concepts; without `terms` only what can be counted.

    Raises:
        UserError: The file has other columns, or is damaged or truncated.
    """
    names = Numbers()
    parts = [tuple(np.empty(0, np.int64) for _ in range(6))]
    for member, block in reader.of(CONCEPTS):
        ids = block.integers(ID)
        standard = np.full(len(block), -1, np.int64)
        words = block.words(STANDARD)
        for value, number in _STANDARD.items():
            standard[words == value] = number
        texts = block.spans(NAME, CODE, np.arange(len(block)))
        sound = np.array([is_text(text) for text in texts], bool)
        good = np.ones(len(block), bool)
        for column, bad, problem in (
            (ID, ids < 0, tr("no number")),
            (NAME, ~sound, tr("longer than {n:,} bytes or not UTF-8", n=LONGEST)),
            (VOCABULARY, block.empty(VOCABULARY), tr("no vocabulary")),
            (CODE, block.empty(CODE), tr("no code")),
            (STANDARD, standard < 0, tr("neither S nor C")),
        ):
            reader.refuse(member, block, column, good & bad, problem)
            good &= ~bad
        rows = np.flatnonzero(good)
        vocabulary_numbers = [names[cell] for cell in block.cells(VOCABULARY, rows)]
        sound_texts = [texts[row] for row in rows.tolist()]
        addresses = terms.add(sound_texts) if terms else np.zeros(len(rows), np.int64)
        valid = block.empty(INVALID)[rows].astype(np.int64)
        parts.append(
            (
                ids[rows],
                np.array(vocabulary_numbers, np.int64),
                standard[rows],
                valid,
                addresses,
                block.lines[rows],
            )
        )
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return _sort_concepts(reader, columns, names.words())


def _sort_concepts(reader: RoleReader, columns: list[Integers], names: list[str]) -> StagedConcepts:
    order = np.argsort(columns[0], kind="stable")
    ids = columns[0][order]
    first = np.ones(len(ids), bool)
    first[1:] = ids[1:] != ids[:-1]
    again = tr("its concept_id stands on a line before")
    for line in np.sort(columns[5][order[~first]]).tolist():
        reader.skip(reader.release.members[CONCEPTS], line, again)
    ids, vocabulary, standard, valid, addresses, line = (column[order[first]] for column in columns)
    return StagedConcepts(ids, vocabulary, standard, valid == 1, addresses, line, names)
