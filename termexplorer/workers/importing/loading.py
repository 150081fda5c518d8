"""From an importer's records to rows: ids given, links resolved, odd cases counted."""

import hashlib
from collections.abc import Callable, Iterable
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.importers.records import (
    MAY_BE_CUT,
    ConceptRecord,
    Header,
    IsARecord,
    Note,
    Record,
    Repeated,
    Skipped,
)
from termexplorer.store.database.engine import Store
from termexplorer.store.kept_messages import plain_message
from termexplorer.store.releases.batches import BatchWriter, RowBatch
from termexplorer.store.releases.concepts import DETAILS
from termexplorer.store.releases.loading import (
    ReleaseCounts,
    add_links,
    add_remarks,
    first_concept_id,
    mark_roots,
)
from termexplorer.store.releases.merging import packed
from termexplorer.store.releases.ontologies import Remark
from termexplorer.taxonomy.graph import Graph, on_cycle
from termexplorer.texts import tr
from termexplorer.trainer.errors import Message
from termexplorer.workers.importing.links import Integers, LinkCollector, parts
from termexplorer.workers.importing.merging import Merging
from termexplorer.workers.process import kept_texts

_BATCH_ROWS = 20_000  # half a second, in which no one else can write
_LINK_ROWS = 10_000
_DETAILS_OF = attrgetter(*DETAILS)


class Loader:
    """Loads one release, record by record."""

    def __init__(self, store: Store, release_id: int) -> None:
        self.header = Header(None, "", "", "", {})
        self.remarks: list[Remark] = []
        self._store = store
        self._release_id = release_id
        self._first_id = self._next_id = first_concept_id(store)
        self._ids: dict[str, int] = {}
        self._merging = Merging(store)
        self._obsolete: set[int] = set()
        self._live_names = 0
        self._links = LinkCollector(self._ids)
        self._batch = RowBatch()
        self._writer = BatchWriter(store, release_id)
        self._hash = hashlib.sha256()
        self._odd_end = ""
        self._lost_lines: set[int] = set()  # of rows that lost a cell
        self._lost_anywhere = 0  # rows that lost something, of files without lines
        self._dangling = self._live_links = 0

    def load(self, records: Iterable[Record], progress: Callable[[], None]) -> None:
        """Writes what comes, in short batches, calling `progress` after each."""
        with self._writer:
            for record in records:
                self._take(record)
                if len(self._batch) >= _BATCH_ROWS:
                    self._flush()
                    progress()
            self._flush()

    def finish(self, source: str) -> ReleaseCounts:
        """Resolves the links, marks the roots and keeps the report.

        Raises:
            UserError: there was no concept.
        """
        live = len(self._ids) - len(self._obsolete)
        if not live:
            raise UserError(
                tr("{source}: holds no concept; is it the right file and format?", source=source)
            )
        links = self._resolved_links()
        self._check_whole(source)
        roots = self._roots(links)
        for rows in parts(links, _LINK_ROWS):
            add_links(self._store, rows)
        for start in range(0, len(roots), _LINK_ROWS):
            mark_roots(self._store, roots[start : start + _LINK_ROWS])
        self.remarks += self._merging.finish()
        if not len(links):
            self._count(live, kept_texts.FLAT)
        add_remarks(self._store, self._release_id, self.remarks)
        return ReleaseCounts(
            concepts=live,
            names=self._live_names,
            is_a=self._live_links,
            obsolete=len(self._obsolete),
            skipped=self._count_lost_rows(),
        )

    def _count_lost_rows(self) -> int:
        """Count the rows left out in part or whole, each once however much it lost."""
        lines = [remark.line for remark in self.remarks if remark.skipped]
        rows = {line for line in lines if line} | self._lost_lines | self._merging.lost_lines
        return len(rows) + lines.count(0) + self._lost_anywhere

    def _check_whole(self, source: str) -> None:
        """Refuse what is cut: it ends oddly, and links lead to what is not there."""
        if self._odd_end and self._dangling:
            raise UserError(
                tr(
                    "{source}: {odd_end}, and {dangling:,} is-a links lead to concepts that are "
                    "not in it: it is truncated; fetch it again",
                    source=source,
                    odd_end=self._odd_end,
                    dangling=self._dangling,
                )
            )

    def content_hash(self) -> str:
        """SHA-256 over all concepts and links as they came."""
        return self._hash.hexdigest()

    def _take(self, record: Record) -> None:
        if isinstance(record, ConceptRecord):
            self._take_concept(record)
        elif isinstance(record, IsARecord):
            self._hash.update(repr((record.child, record.parent)).encode())
            self._links.add(record.child, record.parent, record.line)
        elif isinstance(record, Skipped):
            self.remarks.append(Remark(True, record.line, 1, plain_message(record.reason)))
        elif isinstance(record, Repeated):
            self._merging.say(record)
        elif isinstance(record, Note):
            self._odd_end = record.text if record.kind == MAY_BE_CUT else self._odd_end
            self._lost_lines.update(record.lost_lines)
            self.remarks.append(Remark(False, 0, record.count, plain_message(record.text)))
        else:
            self.header = record

    def _take_concept(self, record: ConceptRecord) -> None:
        self._hash.update(record.content_text().encode())
        concept_id = self._ids.get(record.curie)
        if concept_id is None:
            concept_id = self._add_concept(record)
        else:
            unwritten = self._batch.concepts and self._batch.concepts[0][0] <= concept_id
            if unwritten and not self._merging.knows(concept_id):
                self._flush()
            self._writer.settle()
            record = self._merge(concept_id, record)
        self._batch.names += [
            (concept_id, name.kind, name.scope, name.text) for name in record.names
        ]
        if concept_id not in self._obsolete:
            self._live_names += len(record.names)
        self._batch.identifiers += [
            (concept_id, "alternative", identifier) for identifier in record.alternative_ids
        ]
        for parent in record.parents:
            line = record.parent_lines.get(parent, record.line)
            self._links.add(concept_id, parent, line)

    def _merge(self, concept_id: int, record: ConceptRecord) -> ConceptRecord:
        parents = record.parents if self._merging.tells_one_by_one else ()
        new_parents = sum(not self._links.has(concept_id, parent) for parent in parents)
        new = self._merging.merge(concept_id, record, new_parents)
        if new.obsolete:
            self._obsolete.add(concept_id)
            self._live_names -= self._merging.count_names(concept_id) - len(new.names)
        return new

    def _add_concept(self, record: ConceptRecord) -> int:
        concept_id = self._ids[record.curie] = self._next_id
        self._next_id += 1
        if record.obsolete:
            self._obsolete.add(concept_id)
        self._batch.concepts.append(
            (
                concept_id,
                record.curie,
                record.code,
                record.kind,
                record.names[0].text if record.names else record.code,
                record.definition,
                record.obsolete,
                False,
                packed(dict(zip(DETAILS, _DETAILS_OF(record), strict=True))),
            )
        )
        self._batch.identifiers.append((concept_id, "code", record.code))
        return concept_id

    def _flush(self) -> None:
        if len(self._batch) or self._batch.identifiers:
            self._writer.add(self._batch)
            self._batch = RowBatch()

    def _count(self, count: int, text: str | kept_texts.CountTemplate, **values: str) -> None:
        if isinstance(text, str):
            message = Message(text, count=count, **values)
        else:
            message = text.fill(count=count, **values)
        self.remarks.append(Remark(False, 0, count, message))

    def _resolved_links(self) -> Integers:
        """Ids of child and parent, (n, 2)."""
        resolved = self._links.resolved()
        self._dangling = len(resolved.dangling)
        for link in resolved.dangling:
            reason = Message(
                kept_texts.NO_END, child=link.child, parent=link.parent, missing=link.missing
            )
            self.remarks.append(Remark(True, link.line, 1, reason))
        if loops := resolved.loops:
            places = ", ".join([*loops][:5])
            self._count(sum(loops.values()), kept_texts.LOOPS, places=places)
            self._lost_lines.update(filter(None, resolved.loop_lines))
            self._lost_anywhere += resolved.loop_lines.count(0)
        return resolved.pairs

    def _roots(self, links: Integers) -> list[int]:
        count = self._next_id - self._first_id
        live = np.ones(count, bool)
        live[[i - self._first_id for i in self._obsolete]] = False
        edges = links - self._first_id
        edges = edges[live[edges].all(axis=1)]
        self._live_links = len(edges)
        cut = on_cycle(Graph.build(count, edges[:, 0], edges[:, 1]))
        if cut.any():
            self._count(int(cut.sum()), kept_texts.CYCLES)
        live[edges[~cut, 0]] = False
        if len(links):
            self._tell_tops(live, edges, links - self._first_id)
        return [int(i) + self._first_id for i in np.flatnonzero(live)]

    def _tell_tops(self, top: NDArray[np.bool_], live_edges: Integers, edges: Integers) -> None:
        """Count the concepts at the top of the tree, (n,), by why nothing stands above them."""
        below, below_live = np.zeros_like(top), np.zeros_like(top)
        below[edges[:, 0]], below_live[live_edges[:, 0]] = True, True
        roots, of_obsolete = int((top & ~below).sum()), int((top & below & ~below_live).sum())
        on_cycles = int((top & below_live).sum())
        for count, least, text in (
            (roots, 2, kept_texts.ROOTS),
            (on_cycles, 1, kept_texts.CYCLE_TOPS),
            (of_obsolete, 1, kept_texts.OBSOLETE_TOPS),
        ):
            if count >= least:
                self._count(count, text)
