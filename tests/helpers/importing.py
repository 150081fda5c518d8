"""Shared by the importer tests: a file from text, everything it yields, sorted by sort."""

import gzip
from dataclasses import dataclass, field

from termexplorer.importers.formats import open_importer
from termexplorer.importers.records import ConceptRecord, Header, IsARecord, Note, Repeated, Skipped

_LISTS = {
    ConceptRecord: "concepts",
    IsARecord: "links",
    Repeated: "repeated",
    Skipped: "skipped",
    Note: "notes",
}


@dataclass
class Imported:
    header: Header | None = None
    concepts: list[ConceptRecord] = field(default_factory=list)
    links: list[IsARecord] = field(default_factory=list)
    repeated: list[Repeated] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    fraction: float = 0.0

    def take(self, record):
        if isinstance(record, Header):
            assert self.header is None
            self.header = record
        else:
            getattr(self, _LISTS[type(record)]).append(record)

    def note(self, kind):
        return next((note.count for note in self.notes if note.kind == kind), 0)


def write(folder, name, content):
    path = folder / name
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def read(format_name, path, **options):
    opened = open_importer(format_name, path, options)
    imported = Imported()
    for record in opened.records:
        imported.take(record)
    imported.fraction = opened.progress.fraction()
    return imported


def names(concept):
    return [name.text for name in concept.names]
