"""The file of names read into columns of numbers; their texts wait on the disk."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.importers.files.block import Block, Integers, spelt, word
from termexplorer.importers.files.release_files import ReleaseMember
from termexplorer.importers.files.terms import TermStore, are_texts
from termexplorer.importers.rrf.rows import RrfReader
from termexplorer.importers.text.numbers import Numbers
from termexplorer.texts import tr

CUI, LAT, TS, STT, ISPREF, AUI, SAB, TTY, CODE, STR, SUPPRESS = 0, 1, 2, 4, 6, 7, 11, 12, 13, 14, 16
NOT_SUPPRESSED = "N"
SUPPRESSED = (NOT_SUPPRESSED, "O", "E", "Y")
_WORDS = {word(letter): number for number, letter in enumerate(SUPPRESSED)} | {0: 0}
_P, _PF, _Y = word("P"), word("PF"), word("Y")
_COLUMNS: dict[str, type[np.signedinteger[Any]]] = {
    "cui": np.int64,
    "aui": np.int64,
    "kind": np.int32,
    "language": np.int16,
    "suppressed": np.int8,
    "marks": np.int8,
    "place": np.int64,
    "line": np.int32,
}


@dataclass(frozen=True, slots=True)
class Atoms:
    """Rows of names, (n,) each but for the lists.

    Attributes:
        cui: As `Block.ids` gives them, as `aui`, which is 0 where there is none.
        aui: See there.
        kind: Places in `kinds`.
        language: Places in `languages`.
        suppressed: Places in `SUPPRESSED`.
        marks: 4 for TS=P, 2 for STT=PF, 1 for ISPREF=Y, added.
        place: Of the text `SAB|TTY|CODE|STR`.
        line: Where each row stood.
        kinds: The source vocabulary and the sort of name (TTY) of each kind.
        languages: As the file names them, `ENG`.
    """

    cui: Integers
    aui: Integers
    kind: NDArray[np.int32]
    language: NDArray[np.int16]
    suppressed: NDArray[np.int8]
    marks: NDArray[np.int8]
    place: Integers
    line: NDArray[np.int32]
    kinds: list[tuple[str, str]]
    languages: list[str]

    def __len__(self) -> int:
        return len(self.cui)

    @property
    def sources(self) -> list[str]:
        """The vocabulary of each kind."""
        return [source for source, _ in self.kinds]


@dataclass(slots=True)
class _GatheredAtoms:
    columns: list[list[NDArray[Any]]] = field(default_factory=list)
    kinds: Numbers = field(default_factory=Numbers)
    languages: Numbers = field(default_factory=Numbers)

    def add(self, *columns: NDArray[Any]) -> None:
        self.columns.append(list(columns))

    def joined(self) -> Iterator[NDArray[Any]]:
        """One column after the other, so that only one is there twice at a time."""
        for at in range(len(_COLUMNS)):
            yield np.concatenate([block[at] for block in self.columns])
            for block in self.columns:
                block[at] = block[at][:0]


def stage(reader: RrfReader, terms: TermStore | None) -> Atoms:
    """Read a file of names.

    Args:
        reader: Of the release; it keeps what is left out.
        terms: Takes the texts; without it there is only what can be counted.

    Raises:
        UserError: The file is damaged or truncated.
    """
    gathered = _GatheredAtoms()
    gathered.add(*(np.empty(0, sort) for sort in _COLUMNS.values()))
    for member, block in reader.of("names"):
        _add_atoms(reader, member, block, gathered, terms)
    columns = dict(zip(_COLUMNS, gathered.joined(), strict=True))
    kinds = [
        (source, sort)
        for source, _, sort in (kind.partition("|") for kind in gathered.kinds.words())
    ]
    return _drop_repeated_atoms(
        reader, Atoms(**columns, kinds=kinds, languages=gathered.languages.words())
    )


def _add_atoms(
    reader: RrfReader,
    member: ReleaseMember,
    block: Block,
    gathered: _GatheredAtoms,
    terms: TermStore | None,
) -> None:
    cui, aui = block.ids(CUI), block.ids(AUI)
    suppressed = suppression(block, SUPPRESS)
    good = np.ones(len(block), bool)
    for column, bad, problem in (
        (CUI, cui <= 0, tr("no id")),
        (AUI, aui < 0, tr("no id")),
        (LAT, block.words(LAT) <= 0, tr("no language")),
        (SAB, block.empty(SAB), tr("no vocabulary")),
        (STR, block.empty(STR), tr("no name")),
        (SUPPRESS, suppressed < 0, tr("none of {values}", values=", ".join(SUPPRESSED))),
    ):
        reader.refuse(member, block, column, good & bad, problem)
        good &= ~bad
    texts = block.spans(SAB, STR, np.flatnonzero(good))
    sound = are_texts(texts)
    if not sound.all():
        odd = np.zeros_like(good)
        odd[np.flatnonzero(good)[~sound]] = True
        reader.refuse(member, block, STR, odd, tr("too long or not UTF-8"))
        good &= ~odd
        texts = [text for text, is_sound in zip(texts, sound.tolist(), strict=True) if is_sound]
    rows = np.flatnonzero(good)
    kinds = [gathered.kinds[kind] for kind in block.spans(SAB, TTY, rows)]
    places = np.zeros(len(rows), np.int64) if terms is None else terms.add(texts)
    gathered.add(
        cui[rows],
        aui[rows],
        np.array(kinds, np.int32),
        _number_words(block.words(LAT)[rows], gathered.languages),
        suppressed[rows],
        _name_marks(block)[rows],
        places,
        block.lines[rows].astype(np.int32),
    )


def suppression(block: Block, column: int) -> NDArray[np.int8]:
    """Places in `SUPPRESSED` of a column, (n,); -1 for what is none, and 0 for nothing."""
    codes = np.full(len(block), -1, np.int8)
    words = block.words(column)
    for value, number in _WORDS.items():
        codes[words == value] = number
    return codes


def _name_marks(block: Block) -> NDArray[np.int8]:
    marks = np.zeros(len(block), np.int8)
    for column, value, mark in ((TS, _P, 4), (STT, _PF, 2), (ISPREF, _Y, 1)):
        marks[block.words(column) == value] += mark
    return marks


def _number_words(words: Integers, numbers: Numbers) -> NDArray[np.int16]:
    spellings, at = np.unique(words, return_inverse=True)
    word_numbers = [numbers[spelt(spelling).upper().encode()] for spelling in spellings.tolist()]
    return np.array(word_numbers, np.int16)[at] if word_numbers else np.empty(0, np.int16)


def _drop_repeated_atoms(reader: RrfReader, atoms: Atoms) -> Atoms:
    """Only the first row of each atom."""
    order = np.argsort(atoms.aui, kind="stable")
    auis = atoms.aui[order]
    again = order[1:][(auis[1:] == auis[:-1]) & (auis[1:] > 0)]
    if not len(again):
        return atoms
    reason = tr("its atom (AUI) stands on a line before")
    for line in np.sort(atoms.line[again]).tolist():
        reader.skip(reader.release.members["names"], line, reason)
    keep = np.ones(len(atoms), bool)
    keep[again] = False
    return replace(atoms, **{name: getattr(atoms, name)[keep] for name in _COLUMNS})
