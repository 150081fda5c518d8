"""Records of one concept made one: the first counts, what it lacks is added, and it is said."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from termexplorer.importers.records import ConceptRecord, Repeated
from termexplorer.store.concepts import DETAILS, REPLACEMENTS
from termexplorer.store.engine import Store
from termexplorer.store.merging import Told, rename, tell, told
from termexplorer.store.ontologies import Remark

_ONE_BY_ONE = 20  # repeats that are told so; where there are more they are the rule of the file
_ROWS = 2_000  # of one short transaction
_IDS = ("alternative_ids", *DETAILS)


class Merging:
    """Merges records of one release that tell of a concept that is stored already."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._told: dict[int, Told] = {}
        self._changed: dict[int, Told] = {}
        self._first: list[Remark] = []
        self._count = self._lost = 0

    def knows(self, concept_id: int) -> bool:
        """Whether a record was merged with the concept before."""
        return concept_id in self._told

    def merge(self, concept_id: int, record: ConceptRecord) -> ConceptRecord:
        """Keeps what the concept lacks.

        Args:
            concept_id: Of the concept; unless it is known, all its rows must be written.
            record: Another record of it.

        Returns:
            What is new in the record; its names and alternative ids are still to be written.
        """
        if concept_id not in self._told:
            self._told[concept_id] = told(self._store, concept_id)
        there = self._told[concept_id]
        new = _new(there, record)
        lost = bool(there.definition) and record.definition not in ("", there.definition)
        self.say(Repeated(record.line, record.curie, lost), _what(new))
        there.kind = there.kind or new.kind
        there.definition = there.definition or new.definition
        there.names.update(name.text.casefold() for name in new.names)
        for key in _IDS:
            there.ids[key] += getattr(new, key)
        if new.kind or new.definition or any(getattr(new, key) for key in DETAILS):
            self._changed[concept_id] = there
        if new.names and new.names[0].kind == "preferred":
            there.label = new.names[0].text
            rename(self._store, concept_id, there.label)
            new = replace(new, names=new.names[1:])
        return new

    def say(self, repeat: Repeated, new: str = "") -> None:
        """Counts a repeat; `new` is what came of it."""
        self._count += 1
        self._lost += repeat.definition_lost
        if self._count <= _ONE_BY_ONE:
            text = f"{repeat.curie} stands again; merged" + (f", which adds {new}" if new else "")
            text += "; its other definition is left out" if repeat.definition_lost else ""
            self._first.append(Remark(False, repeat.line, 1, text))

    def finish(self) -> Iterator[Remark]:
        """Writes what was added, and yields what there is to say."""
        changed = iter(self._changed.items())
        while rows := list(islice(changed, _ROWS)):
            tell(self._store, rows)
        if not self._count:
            return
        text = f"{self._count:,} rows of a concept that was there before, merged with it"
        if self._count > _ONE_BY_ONE and self._first[0].line:
            lines = ", ".join(str(remark.line) for remark in self._first)
            text += f": lines {lines} and {self._count - _ONE_BY_ONE:,} more"
        yield Remark(False, 0, self._count, text)
        if self._lost:
            text = f"{self._lost:,} definitions of theirs left out: the concept had another"
            yield Remark(False, 0, self._lost, text)
        if self._count <= _ONE_BY_ONE:
            yield from self._first


def _new(there: Told, record: ConceptRecord) -> ConceptRecord:
    """The record without what is there; it has a preferred name only where none is there."""
    unnamed = there.label == record.curie
    names = [
        name if unnamed or name.kind != "preferred" else name._replace(kind="synonym")
        for name in record.names
        if name.text.casefold() not in there.names and name.text != record.curie
    ]
    ids: dict[str, Any] = {
        key: tuple(each for each in getattr(record, key) if each not in there.ids[key])
        for key in _IDS
    }
    return replace(
        record,
        kind="" if there.kind else record.kind,
        names=tuple(names),
        definition="" if there.definition else record.definition,
        **ids,
    )


def _what(new: ConceptRecord) -> str:
    """`2 names, 1 definition`; "" if there is nothing to count."""
    counts = {
        "name": len(new.names),
        "definition": int(bool(new.definition)),
        "other id": len(new.alternative_ids),
        "cross-reference": len(new.cross_references),
        "replacement": sum(len(getattr(new, key)) for key in REPLACEMENTS),
        "association": len(new.associations),
    }
    parts = (f"{n} {what}{'s' if n > 1 else ''}" for what, n in counts.items() if n)
    return ", ".join(parts)
