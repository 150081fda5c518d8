"""A made-up Metathesaurus of any size, in RRF: no content of the National Library of Medicine."""

import random
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from termexplorer.bench.releases.rf2_words import NameGenerator

_MOST_WORDS = 60_000
_HUB_EVERY = 50  # each such concept is a child of one that has very many
FILES = ("MRCONSO.RRF", "MRREL.RRF", "MRDEF.RRF", "MRSTY.RRF", "MRSAB.RRF", "MRRANK.RRF")
# The atoms that a concept has, in turn: vocabulary, language, sort of name.
_ATOMS = (
    ("SNOMEDCT_US", "ENG", "PT"),
    ("SNOMEDCT_US", "ENG", "FN"),
    ("MSH", "ENG", "MH"),
    ("ICD10CM", "ENG", "PT"),
    ("SNOMEDCT_US", "ENG", "SY"),
    ("MSH", "ENG", "EN"),
    ("MSHFRE", "FRE", "MH"),
)
_TYPES = ("Disease or Syndrome", "Finding", "Organism", "Body Part", "Substance", "Procedure")


@dataclass(frozen=True, slots=True)
class RrfSize:
    """How large a release is.

    Attributes:
        names: Rows of MRCONSO.
        names_each: Of a concept, on average.
        definitions: One concept of so many has a definition.
        seed: Of all that is drawn.
    """

    names: int = 5_000_000
    names_each: float = 4
    definitions: int = 20
    seed: int = 0

    @property
    def concepts(self) -> int:
        """How many concepts there are."""
        return max(round(self.names / self.names_each), 1)


def write_release(folder: Path, size: RrfSize) -> Path:
    """Write a release into a folder, which is made where it is missing, and returned."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        files = {
            name: stack.enter_context((folder / name).open("w", encoding="utf-8", newline=""))
            for name in FILES
        }
        _RrfWriter(size, files).write()
    return folder


class _RrfWriter:
    def __init__(self, size: RrfSize, files: Mapping[str, TextIO]) -> None:
        self._size = size
        self._files = files
        self._draw = random.Random(size.seed)  # noqa: S311 - content, no secret
        self._words = NameGenerator(self._draw, min(20 * size.concepts, _MOST_WORDS))
        self._atoms = self._relations = 0

    def write(self) -> None:
        size = self._size
        self._sources()
        main: list[int] = []  # the first atom of each concept
        for number in range(size.concepts):
            main.append(self._atoms + 1)
            names = size.names * (number + 1) // size.concepts
            self._concept(number, names - size.names * number // size.concepts)
            self._relate(number, main)

    def _sources(self) -> None:
        for rank, (source, language, sort) in enumerate(reversed(_ATOMS)):
            self._put("MRRANK.RRF", f"{rank:04d}", source, sort, "N")
            row = [*[""] * 3, source, f"{source}, made up", source, "2025", *[""] * 6, "0"]
            row += [*[""] * 5, language, "UTF-8", "Y", "Y", "", ""]
            self._put("MRSAB.RRF", *row)

    def _concept(self, number: int, names: int) -> None:
        cui, sort = f"C{number + 1:07d}", number // 5 % len(_TYPES)
        for at in range(names):
            self._atoms += 1
            source, language, tty = _ATOMS[(at + (at > 1) * (number % 5)) % len(_ATOMS)]
            suppressed = "O" if at > 1 and self._draw.random() < 0.1 else "N"
            mark = "Y" if at == 0 else "N"
            self._put(
                "MRCONSO.RRF", cui, language, "P" if at == 0 else "S", f"L{self._atoms:08d}", "PF",
                f"S{self._atoms:08d}", mark, f"A{self._atoms:08d}", "", "", "", source, tty,
                f"{number // 3 if source == 'ICD10CM' else number}", self._words.name(), "0",
                suppressed, "",
            )  # fmt: skip
        self._put("MRSTY.RRF", cui, f"T{sort:03d}", f"A{sort + 1}", _TYPES[sort], "AT1", "")
        if number % self._size.definitions == 0:
            atom = f"A{self._atoms:08d}"
            text = self._words.definition()
            self._put("MRDEF.RRF", cui, atom, f"AT{number:08d}", "", _ATOMS[0][0], text, "N", "")

    def _relate(self, number: int, main: list[int]) -> None:
        """One parent or several, some levels up; none for the root."""
        for parent in self._parents(number):
            self._relation(number, parent, main, "PAR", "inverse_isa")
            self._relation(parent, number, main, "CHD", "isa")
        for _ in range(2 if number else 0):
            self._relation(number, self._draw.randrange(number), main, "RO", "")

    def _parents(self, number: int) -> list[int]:
        if number == 0:
            return []
        if number % _HUB_EVERY == 0:
            return [min(5, number - 1)]
        near = number // 6
        few = self._draw.choice((1, 2, 2))
        return sorted({max(0, near - self._draw.randrange(50)) for _ in range(few)})

    def _relation(self, first: int, second: int, main: list[int], sort: str, more: str) -> None:
        self._relations += 1
        self._put(
            "MRREL.RRF", f"C{first + 1:07d}", f"A{main[first]:08d}", "AUI", sort,
            f"C{second + 1:07d}", f"A{main[second]:08d}", "AUI", more, f"R{self._relations:08d}",
            "", _ATOMS[0][0], _ATOMS[0][0], "", "", "N", "",
        )  # fmt: skip

    def _put(self, name: str, *cells: str) -> None:
        self._files[name].write("|".join(cells) + "|\n")
