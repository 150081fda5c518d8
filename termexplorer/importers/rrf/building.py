"""Concepts of a release, put together from its rows."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from termexplorer.importers.files.block import Integers, id_text
from termexplorer.importers.files.grouped import Grouped
from termexplorer.importers.files.terms import TermStore
from termexplorer.importers.records import ConceptRecord, NameRecord, Note
from termexplorer.importers.rrf.atoms import SUPPRESSED
from termexplorer.importers.rrf.concepts import NO_CODE, Concepts
from termexplorer.importers.rrf.told import SemanticType, Types
from termexplorer.importers.text.notes import counted
from termexplorer.importers.text.prefixes import code_curie
from termexplorer.importers.text.text import NameCleaner, clean
from termexplorer.texts import mark_plural, number, tr

TYPE_PREFIX = "STY"
_BLOCK = 4_096  # concepts whose rows are in memory as Python's own numbers
_NAME, _CODE, _SUPPRESSED_AT = 1, 2, 2  # bits of what a row is to its concept
_OBSOLETE = {SUPPRESSED.index("O")}
_OF_THE_RELEASE = ("MTH", "SRC")  # vocabularies without codes of their own
_FULLY_SPECIFIED = "FN"


@dataclass(frozen=True, slots=True)
class RrfParts:
    """What concepts are made of, each brought to them.

    Attributes:
        rows: Bits, place and line of what is a name or a code of each.
        parents: Numbers of concepts.
        definitions: Places of texts.
        cuis: Of codes, as numbers.
        types: Semantic types.
        under_types: Whether concepts are children of their semantic types.
    """

    rows: Grouped
    parents: Grouped
    definitions: Grouped
    cuis: Grouped
    types: Types
    under_types: bool


def rows_of_concepts(concepts: Concepts, order: Integers, suppressed: Sequence[int]) -> Grouped:
    """Names of each concept, the best first, then rows that only have codes of it.

    Args:
        concepts: Which rows are of which.
        order: As `order_of_names` gives it.
        suppressed: Places in `SUPPRESSED`; other rows give no codes.
    """
    atoms = concepts.atoms
    coded = np.array([source not in _OF_THE_RELEASE for source in atoms.sources], bool)
    coded = coded[atoms.kind] & np.isin(atoms.suppressed, list(suppressed))
    if concepts.by_code:
        refers = np.flatnonzero(coded & ~concepts.of_source)
        places, further = concepts.of_cuis(atoms.cui[refers])
        own_rows = np.flatnonzero(concepts.taken)
        row = np.concatenate((own_rows, refers[places]))
        concept = np.concatenate((concepts.concept[own_rows], further))
        bits = np.repeat([_NAME, _CODE], [len(own_rows), len(further)])
    else:
        row = np.flatnonzero((concepts.concept >= 0) & (concepts.taken | coded))
        concept = concepts.concept[row]
        bits = _NAME * concepts.taken[row] + _CODE * coded[row]
    bits = bits.astype(np.int8) | (atoms.suppressed[row] << _SUPPRESSED_AT)
    by = np.lexsort((atoms.aui[row], order[row], (bits & _NAME) == 0, concept))
    row, bits = row[by], bits[by]
    return Grouped.of_sorted(concepts.count, concept[by], bits, atoms.place[row], atoms.line[row])


class RrfBuilder:
    """Makes concepts, and counts what is worth a line in the report.

    Args:
        keys: CUIs as numbers, or codes.
        terms: Has the texts.
        vocabulary: Whose codes are the concepts, or the prefix of CUIs.

    Attributes:
        made: How many concepts were made so far.
    """

    def __init__(self, keys: Integers | list[str], terms: TermStore, vocabulary: str) -> None:
        self.concepts_made = 0
        self._terms = terms
        self._codes = keys if isinstance(keys, list) else None
        # parents share these texts
        self._curies = [code_curie(vocabulary, key) for key in self._codes or _spell_ids(keys)]
        self._cleaner = NameCleaner()
        self._kinds: Counter[str] = Counter()
        self._undefined = 0

    def concepts(self, parts: RrfParts) -> Iterator[ConceptRecord]:
        """Yield every concept, in the order of their ids."""
        groups = parts.rows, parts.parents, parts.definitions, parts.types.grouped, parts.cuis
        for first in range(0, len(self._curies), _BLOCK):
            end = min(first + _BLOCK, len(self._curies))
            columns = (column for group in groups for column in group.of(first, end))
            self._terms.forget()
            for concept_number, *rows in zip(range(first, end), *columns, strict=True):
                self.concepts_made += 1
                yield self._concept(concept_number, parts, rows)

    def types(self, types: Types) -> Iterator[ConceptRecord]:
        """Yield the semantic types as concepts, each below the next that is above it."""
        by_tree = {tree_type.tree: tree_type for tree_type in types.types}
        for semantic_type in types.types:
            tree, above = semantic_type.tree, None
            while tree and not above:
                tree = tree.rpartition(".")[0] if "." in tree else tree[:-1]
                above = by_tree.get(tree)
            yield ConceptRecord(
                curie=_type_curie(semantic_type),
                code=semantic_type.id,
                kind="semantic type",
                names=(NameRecord(clean(semantic_type.name) or semantic_type.id, "preferred"),),
                parents=(_type_curie(above),) if above else (),
            )

    def notes(self) -> Iterator[Note]:
        """What was counted."""
        if self._kinds:
            kind_text = ", ".join(f"{kind} {number(n)}" for kind, n in self._kinds.most_common(20))
            kind_text += (
                tr(" and {n} more", n=len(self._kinds) - 20) if len(self._kinds) > 20 else ""
            )
            text = tr("semantic types of concepts: {types}", types=kind_text)
            yield Note("semantic types", sum(self._kinds.values()), text)
        text = mark_plural(
            "{n:,} concept has several definitions; one is kept",
            "{n:,} concepts have several definitions; one is kept",
        )
        yield from counted("further definitions", self._undefined, text)
        yield from self._cleaner.notes()

    def _concept(self, number: int, parts: RrfParts, rows: list[list[int]]) -> ConceptRecord:
        bits, places, lines, parents, definitions, types, cuis = rows
        curie = self._curies[number]
        code = self._code(number, curie)
        names, references = self._names(bits, places)
        other_curies = dict.fromkeys(
            [*[code_curie("UMLS", id_text(cui)) for cui in cuis], *references]
        )
        other_curies.pop(curie, None)
        sorts = [parts.types.types[type_number] for type_number in types]
        above = [_type_curie(semantic_type) for semantic_type in sorts] if parts.under_types else []
        kind = "; ".join([semantic_type.name for semantic_type in sorts])
        for semantic_type in sorts:
            self._kinds[semantic_type.name] += 1
        self._undefined += len(definitions) > 1
        states = {flags >> _SUPPRESSED_AT for flags in bits if flags & _NAME}
        return ConceptRecord(
            curie=curie,
            code=code,
            kind=kind,
            names=names or (NameRecord(code, "preferred"),),
            parents=(*[self._curies[parent] for parent in parents], *above),
            definition=clean(self._terms.at(definitions[0])) if definitions else "",
            cross_references=tuple(other_curies),
            obsolete=states <= _OBSOLETE,
            line=lines[0],
        )

    def _names(
        self, bits: list[int], places: list[int]
    ) -> tuple[tuple[NameRecord, ...], list[str]]:
        """The names of a concept, the preferred one first, and its codes in vocabularies."""
        names: list[NameRecord] = []
        codes: list[str] = []
        text_at = self._terms.at
        for bit, address in zip(bits, places, strict=True):
            source, sort, code, text = text_at(address).split("|", 3)
            if bit & _NAME:
                kind = "fully specified" if sort == _FULLY_SPECIFIED else "synonym"
                names.append(NameRecord(text, kind if names else "preferred"))
            if bit & _CODE and code not in NO_CODE:
                codes.append(code_curie(source, clean(code)))
        return self._cleaner.distinct(names), codes

    def _code(self, number: int, curie: str) -> str:
        return self._codes[number] if self._codes else curie.rpartition(":")[2]


def _spell_ids(cuis: Integers | list[str]) -> Iterator[str]:
    return (id_text(int(cui)) for cui in cuis)


def _type_curie(sort: SemanticType) -> str:
    return f"{TYPE_PREFIX}:{sort.id}"
