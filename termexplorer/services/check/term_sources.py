"""Terms of a file that an importer reads, or of a release in the workspace, as they are checked."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from termexplorer.importers.formats import detect, open_importer
from termexplorer.importers.records import ConceptRecord, Header, IsARecord
from termexplorer.store.releases.checked_terms import StoredTerm, stored_terms
from termexplorer.store.releases.ontologies import Ontology
from termexplorer.trainer.checking.terms import OntologyTerm
from termexplorer.trainer.mapping.sides import EXACT, INEXACT, PREFERRED
from termexplorer.workspace import Workspace

_WITHDRAWN = "obsolete "  # with which labels of withdrawn terms begin in many ontologies


@dataclass(frozen=True, slots=True)
class TermSource:
    """Terms and where they are from.

    Attributes:
        title: for people.
        terms: in the order of the source.
        path: the file; None of a release in the workspace.
        release: None of a file.
    """

    title: str
    terms: tuple[OntologyTerm, ...]
    path: Path | None = None
    release: Ontology | None = None


@dataclass(slots=True)
class _GatheredTerm:
    """What the records of one concept say together."""

    names: dict[str, tuple[str, int]] = field(default_factory=dict)
    parents: dict[str, None] = field(default_factory=dict)
    references: dict[str, None] = field(default_factory=dict)
    alternative_ids: dict[str, None] = field(default_factory=dict)
    replaced_by: dict[str, None] = field(default_factory=dict)
    definition: str = ""
    obsolete: bool = False
    line: int = 0

    def add(self, record: ConceptRecord) -> None:
        self.obsolete = self.obsolete or record.obsolete
        self.definition = self.definition or record.definition
        self.line = self.line or record.line
        for name in record.names:
            self.names.setdefault(
                name.text.casefold(), (name.text, rate_kind(name.kind, name.scope))
            )
        self.parents |= dict.fromkeys(record.parents)
        self.references |= dict.fromkeys(record.cross_references)
        self.alternative_ids |= dict.fromkeys(record.alternative_ids)
        self.replaced_by |= dict.fromkeys((*record.replaced_by, *record.consider))

    def build(self, curie: str) -> OntologyTerm:
        return OntologyTerm(
            curie,
            strip_withdrawn(self.names.values(), self.obsolete),
            tuple(self.parents),
            self.definition,
            tuple(self.references),
            tuple(self.alternative_ids),
            tuple(self.replaced_by),
            self.obsolete,
            self.line,
        )


def read_term_file(path: Path) -> TermSource:
    """Read the terms of a file, in any format that can be imported.

    Raises:
        UserError: it cannot be read.
    """
    gathered: dict[str, _GatheredTerm] = {}
    links: list[IsARecord] = []
    title = path.name
    for record in open_importer(detect(path), path).records:
        if isinstance(record, ConceptRecord):
            gathered.setdefault(record.curie, _GatheredTerm()).add(record)
        elif isinstance(record, IsARecord):
            links.append(record)
        elif isinstance(record, Header) and record.version:
            title = f"{path.name} ({record.version})"
    for link in links:
        if link.child in gathered:
            gathered[link.child].parents[link.parent] = None
    return TermSource(title, tuple(term.build(curie) for curie, term in gathered.items()), path)


def read_release(workspace: Workspace, ontology: Ontology) -> TermSource:
    """Read the terms of a release in the workspace."""
    with workspace.store.reading() as connection:
        terms = tuple(map(_term_of_store, stored_terms(connection, ontology.id)))
    return TermSource(ontology.label, terms, release=ontology)


def rate_kind(kind: str, scope: str) -> int:
    """Return the kind of a name as `trainer.mapping.sides` has it."""
    if kind == "preferred":
        return PREFERRED
    return EXACT if scope in ("", "EXACT") else INEXACT


def strip_withdrawn(
    names: Iterable[tuple[str, int]], obsolete: bool
) -> tuple[tuple[str, int], ...]:
    """Return names without the word by which labels say that a term is withdrawn."""
    if not obsolete:
        return tuple(names)
    return tuple(
        (text[len(_WITHDRAWN) :] if text.lower().startswith(_WITHDRAWN) else text, kind)
        for text, kind in names
    )


def _term_of_store(term: StoredTerm) -> OntologyTerm:
    names = [(text, rate_kind(kind, scope)) for kind, scope, text in term.names]
    return OntologyTerm(
        term.curie,
        strip_withdrawn(names, term.obsolete),
        term.parents,
        term.definition,
        term.cross_references,
        term.alternative_ids,
        term.replaced_by,
        term.obsolete,
    )
