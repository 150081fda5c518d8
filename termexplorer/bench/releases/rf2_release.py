"""A made-up SNOMED CT release of any size, in RF2: valid ids, no content of SNOMED International.

What is inactive in the snapshot was active in an older row of the full release; some of what is
active had another state before.
"""

import random
import zipfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from termexplorer.bench.releases.rf2_words import NameGenerator
from termexplorer.importers.rf2.ids import (
    ACCEPTABLE,
    CORE_MODULE,
    DEFINITION,
    DIALECTS,
    FULLY_SPECIFIED,
    IS_A,
    PREFERRED,
    REPLACEMENTS,
    SYNONYM,
    check_digit,
)
from termexplorer.importers.rf2.rows import COLUMNS

_NAMESPACE = "1999999"
_PARTITIONS = {"concept": "10", "description": "11", "relationship": "12"}
_OLD, _NEW = "20200731", "20250101"
_INFERRED, _ATTRIBUTE, _SOME = 900000000000011006, 363698007, 900000000000451002
_PRIMITIVE, _CASE, _MODEL = 900000000000074008, 900000000000448009, 900000000000012004
_MODULE_REFSET = 900000000000534007
_MOST_WORDS = 60_000
_HUB_EVERY = 50  # each such concept is a child of one that has very many
FILES = {
    "concept": "Terminology/sct2_Concept_{}",
    "description": "Terminology/sct2_Description_{}-en",
    "definition": "Terminology/sct2_TextDefinition_{}-en",
    "relationship": "Terminology/sct2_Relationship_{}",
    "language": "Refset/Language/der2_cRefset_Language{}-en",
    "association": "Refset/Content/der2_cRefset_Association{}",
    "modules": "Refset/Metadata/der2_ssRefset_ModuleDependency{}",
}


@dataclass(frozen=True, slots=True)
class Rf2Size:
    """How large a release is.

    Attributes:
        concepts: Rows of concepts in the snapshot; one in ten is inactive.
        descriptions: Rows of descriptions, at least two for each concept.
        relationships: Rows of relationships, is-a links and others, at least two for each.
        definitions: One concept of so many has a text definition.
        seed: Of all that is drawn.
    """

    concepts: int = 350_000
    descriptions: int = 1_500_000
    relationships: int = 3_000_000
    definitions: int = 40
    seed: int = 0


def write_release(folder: Path, size: Rf2Size, types: Sequence[str] = ("Snapshot", "Full")) -> Path:
    """Write a release below a folder, which is returned.

    Args:
        folder: Where to; made where it is missing.
        size: How large.
        types: `Snapshot`, `Full` or both, which then tell the same.
    """
    with ExitStack() as stack:
        _Rf2Writer(folder, size, types, stack).write()
    return folder


def zip_release(folder: Path, path: Path) -> Path:
    """Pack a release, and return where to."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for file in sorted(folder.rglob("*.txt")):
            archive.write(file, file.relative_to(folder.parent))
    return path


def identifier(kind: str, number: int) -> int:
    """The id of a `concept`, `description` or `relationship`."""
    digits = f"{number + 10}{_NAMESPACE}{_PARTITIONS[kind]}"
    return int(digits + check_digit(digits))


class _Rf2Writer:
    def __init__(self, folder: Path, size: Rf2Size, types: Sequence[str], stack: ExitStack) -> None:
        self._size = size
        self._draw = random.Random(size.seed)  # noqa: S311 - content, no secret
        self._words = NameGenerator(self._draw, min(20 * size.concepts, _MOST_WORDS))
        self._counts = dict.fromkeys(_PARTITIONS, 0)
        self._files = {}
        for kind in types:
            for role, name in FILES.items():
                path = folder / kind / f"{name.format(kind)}_INT_{_NEW}.txt"
                path.parent.mkdir(parents=True, exist_ok=True)
                file = stack.enter_context(path.open("w", encoding="utf-8", newline=""))
                file.write("\t".join(COLUMNS[role]) + "\r\n")
                self._files[kind, role] = file

    def write(self) -> None:
        size = self._size
        self._state("modules", self._uuid(), True, _MODULE_REFSET, _MODEL, _NEW, _NEW)
        live: list[int] = []
        for number in range(size.concepts):
            concept = self._next("concept")
            active = number < 20 or self._draw.random() > 0.1
            self._state("concept", concept, active, _PRIMITIVE)
            self._describe(number, concept)
            self._relate(number, concept, live if active else [])
            if active:
                live.append(concept)
            else:
                self._associate(concept, live)

    def _describe(self, number: int, concept: int) -> None:
        name, tag = self._words.name(), self._words.tag(number)
        self._description(concept, FULLY_SPECIFIED, f"{name} ({tag})", preferred=True)
        self._description(concept, SYNONYM, name, preferred=True)
        for further in range(
            _share_of_rows(self._size.descriptions, self._size.concepts, number) - 2
        ):
            active = further == 0 or self._draw.random() > 0.3
            self._description(concept, SYNONYM, self._words.name(), active=active)
        if number % self._size.definitions == 0:
            text = self._words.definition()
            self._description(concept, DEFINITION, text, preferred=True, role="definition")

    def _description(
        self,
        concept: int,
        sort: int,
        term: str,
        *,
        active: bool = True,
        preferred: bool = False,
        role: str = "description",
    ) -> None:
        row_id = self._next("description")
        self._state(role, row_id, active, concept, "en", sort, term, _CASE)
        acceptability = PREFERRED if preferred else ACCEPTABLE
        for refset in DIALECTS.values():
            self._state("language", self._uuid(), active, refset, row_id, acceptability)

    def _relate(self, number: int, concept: int, live: Sequence[int]) -> None:
        count = _share_of_rows(self._size.relationships, self._size.concepts, number)
        parents = self._parents(number, live)
        for at in range(count):
            active = at < len(parents)
            if active or (at == len(parents) and live):
                target = parents[at] if active else self._draw.choice(live)
                self._relation(concept, target, IS_A, active=active)
            else:
                target = self._draw.choice(live) if live else concept
                self._relation(concept, target, _ATTRIBUTE, active=bool(live))

    def _parents(self, number: int, live: Sequence[int]) -> list[int]:
        """One parent or several, some levels up; none for what is inactive, and the root."""
        if not live:
            return []
        if number % _HUB_EVERY == 0:
            return [live[min(5, len(live) - 1)]]
        near = len(live) // 6
        few = {max(0, near - self._draw.randrange(50)) for _ in range(self._draw.choice((1, 2, 2)))}
        return [live[at] for at in sorted(few)]

    def _relation(self, source: int, target: int, sort: int, *, active: bool) -> None:
        row_id = self._next("relationship")
        self._state("relationship", row_id, active, source, target, 0, sort, _INFERRED, _SOME)

    def _associate(self, concept: int, live: Sequence[int]) -> None:
        refset = self._draw.choice(sorted(REPLACEMENTS))
        for target in sorted(set(self._draw.choices(live, k=self._draw.choice((1, 1, 2))))):
            self._state("association", self._uuid(), True, refset, concept, target)

    def _state(self, role: str, row_id: object, active: bool, *cells: object) -> None:
        """The row of a component, and in the full release often an older one in another state."""
        older = not active or self._draw.random() < 0.2
        self._put("Snapshot", role, row_id, _NEW, int(active), cells)
        if older:
            self._put("Full", role, row_id, _OLD, int(not active), cells)
        self._put("Full", role, row_id, _NEW, int(active), cells)

    def _put(
        self, kind: str, role: str, row_id: object, time: str, active: int, cells: Sequence[object]
    ) -> None:
        if file := self._files.get((kind, role)):
            cell_text = "\t".join(map(str, cells))
            file.write(f"{row_id}\t{time}\t{active}\t{CORE_MODULE}\t{cell_text}\r\n")

    def _next(self, kind: str) -> int:
        self._counts[kind] += 1
        return identifier(kind, self._counts[kind])

    def _uuid(self) -> str:
        text = f"{self._draw.getrandbits(128):032x}"
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _share_of_rows(total: int, concepts: int, number: int) -> int:
    """How many of all rows the concept of a number has."""
    return total * (number + 1) // concepts - total * number // concepts
