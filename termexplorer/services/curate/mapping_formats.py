"""The forms of files that mappings go out in and come in from, each with its writer and reader."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from termexplorer.exporters.mappings.concept_map import write_concept_map
from termexplorer.exporters.mappings.source_to_concept_map import write_source_to_concept_map
from termexplorer.exporters.mappings.usagi import write_usagi
from termexplorer.exporters.sssom import write_sssom
from termexplorer.importers.mappings.concept_map import read_concept_map
from termexplorer.importers.mappings.source_to_concept_map import read_source_to_concept_map
from termexplorer.importers.mappings.usagi import read_usagi
from termexplorer.importers.sssom.sssom import OpenSssom, open_sssom
from termexplorer.mapping_terms import MAPPING_SUFFIXES, OMOP, OMOP_COLUMNS, SLOT_TITLE
from termexplorer.services.files.mapping_tables import read_mapping_table
from termexplorer.services.files.written_tables import READ_ENDINGS
from termexplorer.store.judging.suggestions import KeptList
from termexplorer.store.releases import concepts
from termexplorer.store.releases.ontologies import ontologies, ontology
from termexplorer.texts import mark
from termexplorer.workspace import Workspace

__all__ = [
    "MAPPING_FORMATS",
    "MappingFormat",
    "find_mapping_format",
    "list_formats_for",
    "open_mappings",
    "write_mapping_set",
]

Head = Mapping[str, Any]
Rows = Sequence[Mapping[str, str]]
Reader = Callable[[Path], tuple[dict[str, Any], list[tuple[int, dict[str, str]]]]]


@dataclass(frozen=True, slots=True)
class MappingFormat:
    """A form of files of mappings.

    Attributes:
        title: what people call it.
        suffix: what names of its files end with.
        write: writes a head and rows in the words of SSSOM, and returns how many rows it wrote; it
            gets OMOP's ids of the objects, where `asks_concept_ids`.
        read: reads what it wrote and what others did; None of SSSOM, which is read row by row.
        asks_concept_ids: whether its objects are OMOP's ids.
        needs_concept_ids: whether it holds no object without one.
        loss: what it has no place for, as a sentence; "" for nothing.
    """

    title: str
    suffix: str
    write: Callable[[Path, Head, Rows, Mapping[str, str]], int]
    read: Reader | None = None
    asks_concept_ids: bool = False
    needs_concept_ids: bool = False
    loss: str = ""


def _write_sssom(path: Path, head: Head, rows: Rows, concept_ids: Mapping[str, str]) -> int:
    write_sssom(path, head, rows)
    return len(rows)


def _write_concept_map(path: Path, head: Head, rows: Rows, concept_ids: Mapping[str, str]) -> int:
    return write_concept_map(path, head, rows)


SSSOM = MappingFormat("SSSOM", MAPPING_SUFFIXES[0], _write_sssom)
CONCEPT_MAP = MappingFormat(
    "FHIR ConceptMap", MAPPING_SUFFIXES[1], _write_concept_map, read_concept_map
)
SOURCE_TO_CONCEPT_MAP = MappingFormat(
    "OMOP SOURCE_TO_CONCEPT_MAP",
    MAPPING_SUFFIXES[2],
    write_source_to_concept_map,
    read_source_to_concept_map,
    asks_concept_ids=True,
    needs_concept_ids=True,
    loss=mark("OMOP's table has no place for predicates, probabilities, comments and who said it"),
)
USAGI = MappingFormat("Usagi", MAPPING_SUFFIXES[3], write_usagi, read_usagi, asks_concept_ids=True)
MAPPING_FORMATS = (SSSOM, CONCEPT_MAP, SOURCE_TO_CONCEPT_MAP, USAGI)


def find_mapping_format(path: Path) -> MappingFormat | None:
    """Return the form that a file's name says it has; None for none of these."""
    name = path.name.lower()
    return next((form for form in MAPPING_FORMATS if name.endswith(form.suffix)), None)


def list_formats_for(workspace: Workspace, kept_list: KeptList) -> list[MappingFormat]:
    """Return the forms that can hold a list; OMOP's table only concepts with an id of OMOP."""
    release_id = kept_list.head.object_release_id
    with workspace.store.looking() as connection:
        release = ontology(connection, release_id) if release_id else None
    may_have_ids = release is None or release.format == "omop"
    return [form for form in MAPPING_FORMATS if may_have_ids or not form.needs_concept_ids]


def write_mapping_set(
    workspace: Workspace, path: Path, mapping_format: MappingFormat, head: Head, rows: Rows
) -> int:
    """Write a set of mappings, and return how many rows it has.

    Raises:
        UserError: the place cannot be written to, or the form cannot hold a mapping.
    """
    concept_ids: Mapping[str, str] = {}
    if mapping_format.asks_concept_ids:
        concept_ids = _find_concept_ids(workspace, {row.get("object_id", "") for row in rows})
    return mapping_format.write(path, head, rows, concept_ids)


@contextmanager
def open_mappings(path: Path) -> Iterator[OpenSssom]:
    """Open a set of mappings in whichever form its name or first line tells, else as SSSOM.

    Raises:
        UserError: there is no such file, or it is not what its form asks for.
    """
    mapping_format = find_mapping_format(path)
    read = mapping_format.read if mapping_format else _guess_reader(path)
    if read is None:
        with open_sssom(path) as opened:
            yield opened
        return
    head, rows = read(path)
    yield OpenSssom(head, iter(rows))


def _guess_reader(path: Path) -> Reader | None:
    """Return what reads a file whose name does not say what it is; None of SSSOM."""
    ending = path.suffix.lower()
    try:
        with path.open(encoding="utf-8-sig") as file:
            start = file.readline(1 << 16).strip()
    except (OSError, ValueError):
        start = ""
    if ending == ".json":
        return read_mapping_table if start.startswith("[") else read_concept_map
    titles = set(start.replace('"', "").split(","))
    if set(OMOP_COLUMNS[:6]) <= titles:
        return read_source_to_concept_map
    if {"sourceCode", "mappingStatus"} <= titles:
        return read_usagi
    if ending == ".tsv":
        return read_mapping_table if f"{SLOT_TITLE}subject_id" in start.split("\t") else None
    return read_mapping_table if ending in READ_ENDINGS else None


def _find_concept_ids(workspace: Workspace, curies: Iterable[str]) -> dict[str, str]:
    """Return the ids in OMOP of concepts: of CURIEs that are such, and of imported vocabularies."""
    start = f"{OMOP}:"
    ids = {curie: curie.removeprefix(start) for curie in curies if curie.startswith(start)}
    with workspace.store.looking() as connection:
        releases = [release.id for release in ontologies(connection) if release.format == "omop"]
        for curie in set(curies) - set(ids):
            refs = (concepts.find(connection, release_id, curie) for release_id in releases)
            ref = next(filter(None, refs), None)
            concept = concepts.concept(connection, ref.id) if ref else None
            known = concept.alternative_ids if concept else ()
            numbers = (other.removeprefix(start) for other in known if other.startswith(start))
            if found_id := next(numbers, ""):
                ids[curie] = found_id
    return ids
