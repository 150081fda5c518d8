"""Which rows of names make which concept: by CUI, or by the codes of one vocabulary."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from termexplorer.importers.files.block import Integers
from termexplorer.importers.files.grouped import Grouped
from termexplorer.importers.files.terms import TermStore
from termexplorer.importers.rrf.atoms import Atoms
from termexplorer.importers.text.prefixes import prefix_of
from termexplorer.importers.text.text import clean

ELSEWHERE, UNTOLD, ABSENT = -1, -2, -3  # there but not taken; no atom told; not there, or no id
NO_CODE = ("", "NOCODE")


@dataclass(frozen=True)
class Concepts:
    """The concepts that are taken, numbered from 0 in the order of their ids.

    Attributes:
        atoms: All rows of names.
        keys: CUIs, (count,), as numbers, or codes.
        concept: The number of the concept of each row, (n,); -1 where it is of none.
        taken: Which rows are names of it, (n,).
        of_source: Which rows are of the vocabulary whose codes are the concepts; all by CUI, (n,).
        by_code: Whether concepts are codes.
    """

    atoms: Atoms
    keys: Integers | list[str]
    concept: Integers
    taken: NDArray[np.bool_]
    of_source: NDArray[np.bool_]
    by_code: bool

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.keys)

    def sources(self) -> Counter[str]:
        """The vocabularies that names are taken of, with how many."""
        counts = np.bincount(self.atoms.kind[self.taken], minlength=len(self.atoms.kinds))
        by_source: Counter[str] = Counter()
        for source, count in zip(self.atoms.sources, counts.tolist(), strict=True):
            by_source[source] += count
        return +by_source

    def find(self, cui: Integers, aui: Integers) -> Integers:
        """The numbers of concepts, by code from the atom, else from the CUI or else the atom."""
        if self.by_code:
            return np.where(aui == 0, UNTOLD, self._of_atoms(aui))
        cuis, numbers = self._by_cui
        at = np.minimum(np.searchsorted(cuis, cui), max(len(cuis) - 1, 0))
        positions = np.where(cuis[at] == cui, numbers[at], ABSENT)
        untold = cui == 0
        if untold.any():
            positions[untold] = self._of_atoms(aui[untold])
        return positions

    def _of_atoms(self, aui: Integers) -> Integers:
        order, auis = self._by_aui
        at = np.minimum(np.searchsorted(auis, aui), max(len(auis) - 1, 0))
        is_known = (aui > 0) & (auis[at] == aui)
        return np.where(is_known, self.concept[order[at]], ABSENT)

    def of_cuis(self, cui: Integers) -> tuple[Integers, Integers]:
        """The place in `cui` and the concept, for each concept that each CUI is of."""
        cuis, concepts = self.cui_pairs
        first = np.searchsorted(cuis, cui)
        counts = np.searchsorted(cuis, cui, side="right") - first
        places = np.repeat(np.arange(len(cui)), counts)
        before = np.cumsum(counts) - counts
        return places, concepts[np.arange(len(places)) + np.repeat(first - before, counts)]

    @cached_property
    def cui_pairs(self) -> tuple[Integers, Integers]:
        """CUIs in rising order, and the concept of each; one CUI may be of several codes."""
        cui, concept = self.atoms.cui[self.taken], self.concept[self.taken]
        order = np.lexsort((concept, cui))
        cui, concept = cui[order], concept[order]
        new = np.ones(len(cui), bool)
        new[1:] = (cui[1:] != cui[:-1]) | (concept[1:] != concept[:-1])
        return cui[new], concept[new]

    def cuis_of_codes(self) -> Grouped:
        """The CUIs of each code; none where concepts are CUIs themselves."""
        nothing = np.empty(0, np.int64)
        cui, concept = self.cui_pairs if self.by_code else (nothing, nothing)
        order = np.argsort(concept, kind="stable")
        return Grouped.of_sorted(self.count, concept[order], cui[order])

    @cached_property
    def _by_cui(self) -> tuple[Integers, Integers]:
        cuis, first = np.unique(self.atoms.cui, return_index=True)
        return cuis, self.concept[first]

    @cached_property
    def _by_aui(self) -> tuple[Integers, Integers]:
        order = np.argsort(self.atoms.aui, kind="stable")
        return order, self.atoms.aui[order]


@dataclass(frozen=True, slots=True)
class TakenNames:
    """Which names are taken.

    Attributes:
        sources: Vocabularies.
        languages: As the file names them, the one to prefer first.
        suppressed: Places in `SUPPRESSED`.
    """

    sources: Collection[str]
    languages: tuple[str, ...]
    suppressed: Collection[int]


def taken_rows(atoms: Atoms, taken: TakenNames) -> NDArray[np.bool_]:
    """Which rows are taken, (n,)."""
    kinds = np.array([source in taken.sources for source in atoms.sources], bool)
    languages = np.array([language in taken.languages for language in atoms.languages], bool)
    suppressed = np.isin(atoms.suppressed, list(taken.suppressed))
    rows: NDArray[np.bool_] = kinds[atoms.kind] & languages[atoms.language] & suppressed
    return rows


def by_cui(atoms: Atoms, taken: NDArray[np.bool_]) -> Concepts:
    """Concepts by CUI: those that a row taken tells of."""
    cuis, inverse = np.unique(atoms.cui, return_inverse=True)
    is_taken = np.zeros(len(cuis), bool)
    is_taken[inverse[taken]] = True
    numbers = np.where(is_taken, np.cumsum(is_taken) - 1, -1)
    return Concepts(
        atoms, cuis[is_taken], numbers[inverse], taken, np.ones(len(atoms), bool), False
    )


def by_code(atoms: Atoms, taken: NDArray[np.bool_], source: str, terms: TermStore) -> Concepts:
    """Concepts by the codes of a vocabulary; its translations have the same codes."""
    prefix = prefix_of(source)
    of_source = np.array([prefix_of(atom_source) == prefix for atom_source in atoms.sources], bool)[
        atoms.kind
    ]
    rows = np.flatnonzero(of_source)
    codes = [clean(terms.at(address).split("|", 3)[2]) for address in atoms.place[rows].tolist()]
    named = {code for code, is_taken in zip(codes, taken[rows].tolist(), strict=True) if is_taken}
    keys = sorted(named.difference(NO_CODE))
    numbers = {code: number for number, code in enumerate(keys)}
    concept = np.full(len(atoms), -1, np.int64)
    concept[rows] = [numbers.get(code, -1) for code in codes]
    return Concepts(atoms, keys, concept, taken & (concept >= 0), of_source, True)


def uncoded(concepts: Concepts, taken: NDArray[np.bool_]) -> int:
    """How many rows of the vocabulary are taken but have no code."""
    return (
        int((taken & concepts.of_source & (concepts.concept < 0)).sum()) if concepts.by_code else 0
    )
