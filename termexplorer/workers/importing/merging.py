"""Records of one concept made one: the first counts, what it lacks is added, and it is said."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from termexplorer.importers.records import ConceptRecord, Repeated
from termexplorer.store.database.engine import Store
from termexplorer.store.kept_messages import join_messages
from termexplorer.store.releases.concepts import DETAILS, REPLACEMENTS
from termexplorer.store.releases.merging import Told, rename, tell, told
from termexplorer.store.releases.ontologies import Remark
from termexplorer.trainer.errors import Message
from termexplorer.workers.process import kept_texts

_ONE_BY_ONE = 20  # repeats that are told so; where there are more they are the rule of the file
_ROWS = 2_000  # of one short transaction
_AGAIN = {  # whether it adds something, and whether its definition is lost
    (False, False): kept_texts.AGAIN,
    (False, True): kept_texts.AGAIN_LOST,
    (True, False): kept_texts.AGAIN_MORE,
    (True, True): kept_texts.AGAIN_BOTH,
}
_IDS = ("alternative_ids", *DETAILS)


class Merging:
    """Merges records of one release that tell of a concept that is stored already."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._records: dict[int, Told] = {}
        self._changed: dict[int, Told] = {}
        self._first: list[Remark] = []
        self._count = self._lost = 0
        self.lost_lines: set[int] = set()  # of rows whose definition is left out

    def knows(self, concept_id: int) -> bool:
        """Whether a record was merged with the concept before."""
        return concept_id in self._records

    @property
    def tells_one_by_one(self) -> bool:
        """Whether the next repeat is told by itself."""
        return self._count < _ONE_BY_ONE

    def merge(self, concept_id: int, record: ConceptRecord, new_parents: int) -> ConceptRecord:
        """Keeps what the concept lacks.

        Args:
            concept_id: Of the concept; unless it is known, all its rows must be written.
            record: Another record of it.
            new_parents: How many of its parents the concept did not have, to be told.

        Returns:
            What is new in the record; its names and alternative ids are still to be written.
        """
        if concept_id not in self._records:
            self._records[concept_id] = told(self._store, concept_id)
        known = self._records[concept_id]
        new = _what_is_new(known, record)
        lost = bool(known.definition) and record.definition not in ("", known.definition)
        self._say(Repeated(record.line, record.curie, lost), _describe_new(new, new_parents))
        known.kind = known.kind or new.kind
        known.definition = known.definition or new.definition
        known.obsolete = known.obsolete or new.obsolete
        known.names.update(name.text.casefold() for name in new.names)
        for key in _IDS:
            known.ids[key] += getattr(new, key)
        if new.kind or new.definition or new.obsolete or any(getattr(new, key) for key in DETAILS):
            self._changed[concept_id] = known
        if new.names and new.names[0].kind == "preferred":
            known.label = new.names[0].text
            rename(self._store, concept_id, known.label)
            new = replace(new, names=new.names[1:])
        known.rows += len(new.names)
        return new

    def count_names(self, concept_id: int) -> int:
        """Return how many names a concept has that a record was merged with."""
        return self._records[concept_id].rows

    def say(self, repeat: Repeated) -> None:
        """Count a row whose concept has what it adds already."""
        added = {
            "names": repeat.new_names,
            "parents": repeat.new_parents,
            "definitions": int(repeat.new_definition),
        }
        self._say(repeat, _list_added(added))

    def _say(self, repeat: Repeated, new: Message) -> None:
        self._count += 1
        self._lost += repeat.definition_lost
        if repeat.definition_lost and repeat.line:
            self.lost_lines.add(repeat.line)
        if self._count <= _ONE_BY_ONE:
            added = {"new": new} if new else {}
            text = Message(_AGAIN[bool(new), repeat.definition_lost], curie=repeat.curie, **added)
            self._first.append(Remark(False, repeat.line, 1, text))

    def finish(self) -> Iterator[Remark]:
        """Writes what was added, and yields what there is to say."""
        changed = iter(self._changed.items())
        while rows := list(islice(changed, _ROWS)):
            tell(self._store, rows)
        if not self._count:
            return
        yield Remark(False, 0, self._count, self._merged())
        if self._lost:
            yield Remark(False, 0, self._lost, kept_texts.LOST.fill(count=self._lost))
        if self._count <= _ONE_BY_ONE:
            yield from self._first

    def _merged(self) -> Message:
        more = self._count - _ONE_BY_ONE
        if more <= 0 or not self._first[0].line:
            return kept_texts.MERGED.fill(count=self._count)
        lines = ", ".join(str(remark.line) for remark in self._first)
        return Message(kept_texts.MERGED_AT, count=self._count, lines=lines, more=more)


def _what_is_new(known: Told, record: ConceptRecord) -> ConceptRecord:
    """The record without what is there; it has a preferred name only where none is there."""
    unnamed = known.label == record.curie
    names = [
        name if unnamed or name.kind != "preferred" else name._replace(kind="synonym")
        for name in record.names
        if name.text.casefold() not in known.names and name.text != record.curie
    ]
    ids: dict[str, Any] = {
        key: tuple(value for value in getattr(record, key) if value not in known.ids[key])
        for key in _IDS
    }
    return replace(
        record,
        kind="" if known.kind else record.kind,
        names=tuple(names),
        definition="" if known.definition else record.definition,
        obsolete=record.obsolete and not known.obsolete,
        **ids,
    )


def _describe_new(new: ConceptRecord, parents: int) -> Message:
    """`2 names, 1 definition`; "" if there is nothing to count."""
    counts = {
        "names": len(new.names),
        "parents": parents,
        "definitions": int(bool(new.definition)),
        "ids": len(new.alternative_ids),
        "references": len(new.cross_references),
        "replacements": sum(len(getattr(new, key)) for key in REPLACEMENTS),
        "associations": len(new.associations),
        "obsolete": int(new.obsolete),
    }
    return _list_added(counts)


def _list_added(counts: Mapping[str, int]) -> Message:
    return join_messages(
        Message(kept_texts.ADDED[kind][n > 1], n=n) for kind, n in counts.items() if n
    )
