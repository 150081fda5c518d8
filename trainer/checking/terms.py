"""The terms of an ontology, as they are checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.mapping.sides import PREFERRED, MappingSide

Int64s = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class OntologyTerm:
    """One term.

    Attributes:
        curie: its id.
        names: texts with their kinds, as `trainer.mapping.sides` has them; the label first.
        parents: ids of its is-a parents, whether there are such terms or not.
        definition: the text, or "".
        cross_references: ids in other ontologies.
        alternative_ids: ids that mean it too.
        replaced_by: ids of what takes its place, if it is withdrawn, or may do so.
        obsolete: whether it is withdrawn.
        line: where it stands in its file; 0 where that is not known.
    """

    curie: str
    names: tuple[tuple[str, int], ...]
    parents: tuple[str, ...] = ()
    definition: str = ""
    cross_references: tuple[str, ...] = ()
    alternative_ids: tuple[str, ...] = ()
    replaced_by: tuple[str, ...] = ()
    obsolete: bool = False
    line: int = 0

    @property
    def label(self) -> str:
        """Return the preferred name, or else the first; the id of a term without any."""
        preferred = (text for text, kind in self.names if kind == PREFERRED)
        return next(preferred, self.names[0][0] if self.names else self.curie)


@dataclass(frozen=True, eq=False)
class TermTable:
    """The n terms of an ontology that have a name, and some that are new.

    Attributes:
        terms: each with one name at least.
        new: (m,) int64, the rows of the new ones, rising.
    """

    terms: tuple[OntologyTerm, ...]
    new: Int64s

    @classmethod
    def build(cls, known: Iterable[OntologyTerm], new: Iterable[OntologyTerm]) -> TermTable:
        """Join known and new terms; those without a name are left out.

        Raises:
            ValueError: no known term has a name.
        """
        known_terms = [term for term in known if term.names]
        new_terms = [term for term in new if term.names]
        if not known_terms:
            raise TrainerError("no term that is known has a name; give another ontology")
        rows = np.arange(len(known_terms), len(known_terms) + len(new_terms), dtype=np.int64)
        return cls((*known_terms, *new_terms), rows)

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Return the row of each term by its id."""
        return {term.curie: row for row, term in enumerate(self.terms)}

    @cached_property
    def parents(self) -> list[tuple[int, ...]]:
        """Return the rows of the live parents of each term."""
        return [
            tuple(
                self.row_of[curie]
                for curie in dict.fromkeys(term.parents)
                if curie in self.row_of and not self.terms[self.row_of[curie]].obsolete
            )
            for term in self.terms
        ]

    @cached_property
    def is_live(self) -> NDArray[np.bool_]:
        """Return which terms are not withdrawn, (n,)."""
        return np.array([not term.obsolete for term in self.terms], np.bool_)

    @cached_property
    def side(self) -> MappingSide:
        """Return names and links as arrays; the concepts have the numbers of the rows."""
        links = [(row, parent) for row, several in enumerate(self.parents) for parent in several]
        children, parents = np.array(links, np.int64).reshape(-1, 2).T
        return build_side([term.names for term in self.terms], children, parents)


def build_side(
    names: Sequence[Sequence[tuple[str, int]]], children: Int64s, parents: Int64s
) -> MappingSide:
    """Return terms as a side of a mapping.

    Args:
        names: of each term, one at least, with their kinds.
        children: (e,) int64 terms, with ``parents`` the links.
        parents: (e,) int64.
    """
    return MappingSide(
        [text for several in names for text, _ in several],
        np.repeat(np.arange(len(names)), [len(several) for several in names]),
        np.array([kind for several in names for _, kind in several], np.int64),
        children,
        parents,
    )
