"""What other files tell of concepts: definitions and semantic types."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from termexplorer.importers.files.block import Integers
from termexplorer.importers.files.grouped import Grouped, distinct
from termexplorer.importers.files.terms import TermStore, is_text
from termexplorer.importers.rrf.atoms import suppression
from termexplorer.importers.rrf.concepts import ABSENT, Concepts
from termexplorer.importers.rrf.rows import RrfReader
from termexplorer.importers.text.numbers import Numbers
from termexplorer.texts import tr

_CUI, _AUI, _SAB, _DEF, _SUPPRESS = 0, 1, 4, 5, 6
_TUI, _STY = 1, 3


@dataclass(frozen=True, slots=True)
class SemanticType:
    """A semantic type: its id, where it stands in the tree of types, and its name."""

    id: str
    tree: str
    name: str


@dataclass(frozen=True, slots=True)
class Types:
    """The semantic types, and the places in them of each concept's."""

    types: list[SemanticType]
    grouped: Grouped


def definitions(
    reader: RrfReader,
    concepts: Concepts,
    terms: TermStore,
    sources: Collection[str],
    suppressed: Collection[int],
) -> Grouped:
    """The places of each concept's definitions, those of the first vocabularies first."""
    order = {source.encode(): number for number, source in enumerate(sources)}
    parts: list[tuple[Integers, ...]] = [(np.empty(0, np.int64),) * 4]
    for member, block in reader.of("definitions"):
        source_words = block.cells(_SAB, np.arange(len(block)))
        rank = np.array([order.get(word, -1) for word in source_words], np.int64)
        state = suppression(block, _SUPPRESS)
        reader.refuse(member, block, _SUPPRESS, state < 0, tr("no sort of suppression"))
        wanted = (rank >= 0) & np.isin(state, list(suppressed))
        block, rank = block.only(wanted), rank[wanted]
        cui, aui = block.ids(_CUI), block.ids(_AUI)
        concept = concepts.find(cui, aui)
        reader.refuse(
            member,
            block,
            _AUI if concepts.by_code else _CUI,
            concept == ABSENT,
            tr("not among the names"),
        )
        texts = block.cells(_DEF, np.arange(len(block)))
        sound = np.array([is_text(text) and bool(text.strip()) for text in texts], bool)
        reader.refuse(member, block, _DEF, ~sound, tr("empty, too long or not UTF-8"))
        kept_rows = np.flatnonzero(sound & (concept >= 0))
        places = terms.add([texts[row] for row in kept_rows.tolist()])
        parts.append((concept[kept_rows], rank[kept_rows], block.lines[kept_rows], places))
    concept, rank, line, addresses = (np.concatenate(column) for column in zip(*parts, strict=True))
    by = np.lexsort((line, rank, concept))
    return Grouped.of_sorted(concepts.count, concept[by], addresses[by])


def types(reader: RrfReader, concepts: Concepts) -> Types:
    """The semantic types of each concept, in the order of their ids."""
    numbers = Numbers()
    parts: list[tuple[Integers, Integers]] = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    for member, block in reader.of("types"):
        cui = block.ids(_CUI)
        reader.refuse(member, block, _CUI, cui <= 0, tr("no id"))
        type_words = block.spans(_TUI, _STY, np.arange(len(block)))
        type_numbers = np.array([numbers[word] for word in type_words], np.int64)
        places, concept = concepts.of_cuis(cui)
        parts.append((concept, type_numbers[places]))
    concept, type_numbers = (np.concatenate(column) for column in zip(*parts, strict=True))
    listed = [SemanticType(*word.split("|")) for word in numbers.words()]
    order = sorted(range(len(listed)), key=lambda number: listed[number].id)
    rank = np.empty(len(listed), np.int64)
    rank[order] = np.arange(len(listed))
    pairs = distinct(concept * max(len(listed), 1) + rank[type_numbers])
    concept, type_numbers = pairs // max(len(listed), 1), pairs % max(len(listed), 1)
    grouped = Grouped.of_sorted(concepts.count, concept, type_numbers)
    return Types([listed[number] for number in order], grouped)
