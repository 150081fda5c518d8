"""MeSH's tree: the table `Tree Number, Desc Ui, Term`, and tree numbers made into is-a links.

A descriptor is below each descriptor that stands at one of its tree numbers without the last part;
the first parts (`A01`) are below the sixteen categories, whose ids are their letters.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.records import (
    ConceptRecord,
    Header,
    IsARecord,
    NameRecord,
    Note,
    Record,
    Skipped,
)
from termexplorer.importers.text.notes import counted
from termexplorer.importers.text.text import clean
from termexplorer.licences import licence_notes
from termexplorer.texts import mark_plural, tr, trn

PREFIX, KEY, TITLE = "MESH", "mesh", "MeSH"
LICENCE = licence_notes()[PREFIX]
PREFIXES = {PREFIX: "http://id.nlm.nih.gov/mesh/"}
_TITLES = "Tree Number\tDesc Ui\tTerm"
_CATEGORIES = {
    "A": "Anatomy",
    "B": "Organisms",
    "C": "Diseases",
    "D": "Chemicals and Drugs",
    "E": "Analytical, Diagnostic and Therapeutic Techniques, and Equipment",
    "F": "Psychiatry and Psychology",
    "G": "Phenomena and Processes",
    "H": "Disciplines and Occupations",
    "I": "Anthropology, Education, Sociology, and Social Phenomena",
    "J": "Technology, Industry, and Agriculture",
    "K": "Humanities",
    "L": "Information Science",
    "M": "Named Groups",
    "N": "Health Care",
    "V": "Publication Characteristics",
    "Z": "Geographicals",
}
_NUMBER = re.compile(r"[A-Z]\d\d(?:\.\d{3})*")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d{5})")  # of a year, or of a date without hyphens


def looks_like(lines: Sequence[str]) -> bool:
    """Whether lines of text begin with the table's titles."""
    return bool(lines) and lines[0] == _TITLES


def read(source: Source, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, each descriptor at its first row, then categories, links and notes.

    Args:
        source: The file.
        options: None are known.

    Raises:
        UserError: Damaged, no text, without the table's titles, or without a descriptor.
    """
    yield Header(KEY, TITLE, year_in(source.path.name), LICENCE, PREFIXES)
    terms: dict[str, str] = {}
    trees = Trees()
    for line, text in source.lines():
        if line == 1 and text != _TITLES:
            raise UserError(
                tr(
                    "{path}, line 1: no MeSH tree table, which begins {titles!r}",
                    path=source.path,
                    titles=_TITLES,
                )
            )
        if line > 1 and text.strip():
            yield from _read_row(line, text, terms, trees)
    if not terms:
        raise UserError(
            tr("{path} holds no row of a MeSH tree table; choose another file", path=source.path)
        )
    yield from trees.records()


def year_in(text: str) -> str:
    """The year of a release in the name of a file or DTD (`mesh_tree_2017.tsv`), or ""."""
    match = _YEAR.search(text)
    return match[0] if match else ""


def curie(identifier: str) -> str:
    """`MESH:D000001`."""
    return f"{PREFIX}:{identifier}"


def _read_row(
    line: int, text: str, terms: dict[str, str], trees: "Trees"
) -> Iterator[ConceptRecord | Skipped]:
    cells = [clean(cell) for cell in text.split("\t")]
    if len(cells) != 3 or not all(cells):
        text = clean(text)[:60]
        yield Skipped(line, tr("not a tree number, a descriptor and a term in {text!r}", text=text))
        return
    number, descriptor, term = cells
    if descriptor not in terms:
        terms[descriptor] = term
        names = (NameRecord(term, "preferred"),)
        yield ConceptRecord(curie(descriptor), descriptor, "descriptor", names, line=line)
    elif terms[descriptor] != term:
        yield Skipped(
            line,
            tr(
                "{descriptor} is called {name!r} above; {other!r} left out",
                descriptor=descriptor,
                name=terms[descriptor],
                other=term,
            ),
        )
    yield from trees.add(number, descriptor, line)


class Trees:
    """Tree numbers of descriptors, to be made into is-a links when all are known."""

    def __init__(self) -> None:
        self._at: dict[str, tuple[str, int]] = {}

    def add(self, number: str, descriptor: str, line: int) -> Iterator[Skipped]:
        """Note where a descriptor stands; what is wrong with it is yielded."""
        existing = self._at.get(number)
        if not _NUMBER.fullmatch(number):
            reason = tr(
                "{descriptor}: {number!r} is no tree number",
                descriptor=descriptor,
                number=number[:60],
            )
            yield Skipped(line, reason)
        elif existing:
            reason = tr(
                "{descriptor}: {other} stands at the tree number {number}",
                descriptor=descriptor,
                other=existing[0],
                number=number,
            )
            yield Skipped(line, reason)
        else:
            self._at[number] = descriptor, line

    def records(self) -> Iterator[ConceptRecord | IsARecord | Note]:
        """Yield the categories, the links, and what there is to say of them."""
        letters = Counter(number[0] for number in self._at)
        for letter in sorted(letters):
            names = (NameRecord(_CATEGORIES.get(letter, letter), "preferred"),)
            yield ConceptRecord(curie(letter), letter, "category", names)
        jumps = 0
        for number, (descriptor, line) in self._at.items():
            parent, near = self._above(number)
            jumps += not near
            yield IsARecord(curie(descriptor), curie(parent), line)
        categories = trn("{n:,} category", "{n:,} categories", len(letters))
        text = trn(
            "{n:,} tree number in {categories}",
            "{n:,} tree numbers in {categories}",
            len(self._at),
            categories=categories,
        )
        yield Note("tree numbers", len(self._at), text)
        text = mark_plural(
            "{n:,} tree number whose parent is not in the file is below the next one above "
            "it that is",
            "{n:,} tree numbers whose parent is not in the file are below the next one "
            "above it that is",
        )
        yield from counted("absent parents", jumps, text)

    def _above(self, number: str) -> tuple[str, bool]:
        """The descriptor above a tree number, or the category; whether it is the very next."""
        parts = number.split(".")
        for end in range(len(parts) - 1, 0, -1):
            if ancestor := self._at.get(".".join(parts[:end])):
                return ancestor[0], end == len(parts) - 1
        return number[0], len(parts) == 1
