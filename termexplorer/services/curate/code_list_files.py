"""Mapped lists of codes as rows: kept for review, and written with all that stood in them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from termexplorer.exporters.tables import Cell, number_titles
from termexplorer.mapping_terms import NO_TERM
from termexplorer.services.curate.code_lists import (
    DecidedList,
    MappedCode,
    decide_list,
    read_list_file,
)
from termexplorer.services.curate.decisions import (
    NONE,
    PREDICATES,
    DecidedMapping,
    DecisionOptions,
    justify_decision,
    list_slots,
)
from termexplorer.services.curate.mapping_formats import (
    find_mapping_format,
    write_mapping_set,
)
from termexplorer.services.curate.record_ids import RECORD_ID, RecordIds
from termexplorer.services.curate.review_slots import cell_slots, row_of
from termexplorer.services.curate.sssom_sets import Origin, own_head, whole_head
from termexplorer.services.curate.suggestion_files import SssomRow, confidence, make_suggestion
from termexplorer.services.curate.suggestion_lists import KeptSearch, ListHead, Suggestion
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.files.mapping_tables import write_mapping_table
from termexplorer.services.verdicts.log import now
from termexplorer.store.judging import suggestions as kept
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

__all__ = [
    "LIST_SEARCH",
    "ListMapping",
    "keep_decided_list",
    "list_suggestions",
    "map_list_file",
    "write_decided_lists",
]

LIST_SEARCH = "list"  # of a list's parameters: the file of codes that it was made of
_DECIDED = ("predicate", "other concept", "other name", "probability", "same name", "remark")


@dataclass(frozen=True, slots=True)
class ListMapping:
    """A list of codes that is to be mapped.

    Attributes:
        path: the file.
        columns: field of `LIST_FIELDS` -> number of its column, from 1, as text; 0 for none.
        to_ids: the ontologies that its codes are mapped to.
    """

    path: Path
    columns: Mapping[str, str]
    to_ids: tuple[int, ...]


def keep_decided_list(workspace: Workspace, decided: DecidedList) -> KeptSearch:
    """Keep what was decided for review, in place of what the same list had before."""
    encoder_ids = decided.options.encoder_ids
    codes = decided.codes
    encoders = " ".join(f"#{encoder_id}" for encoder_id in encoder_ids)
    title = f"Mappings: {codes.path.name} → {decided.to.label}, by {encoders}"
    parameters = {
        "decided": True, LIST_SEARCH: codes.path.name, "one_to_one": decided.options.one_to_one,
    }  # fmt: skip
    head = ListHead(
        "mappings", title, None, decided.to.id, list(encoder_ids), parameters,
        _make_header(decided), list(decided.facts), {}, now(),
    )  # fmt: skip
    with workspace.store.writing() as connection:
        return kept.keep(connection, head, list_suggestions(decided))


def map_list_file(
    workspace: Workspace,
    wanted: ListMapping,
    control: JobControl,
    on_message: Callable[[object], None],
) -> list[KeptSearch]:
    """Map a list to each ontology that is wanted, and keep what comes of it for review.

    Raises:
        UserError: the file cannot be read, or something is not there.
        Cancelled: it was cancelled.
    """
    codes = read_list_file(wanted.path, wanted.columns)
    searches = []
    for to_id in wanted.to_ids:
        to = find_ontology(workspace, str(to_id))
        decided = decide_list(workspace, codes, to, DecisionOptions(), control, on_message)
        searches.append(keep_decided_list(workspace, decided))
    return searches


def list_suggestions(decided: DecidedList) -> list[Suggestion]:
    """Return what is reviewed: a suggestion for each row that is mapped, the most frequent first.

    That nothing matches is one, too.
    """
    return [
        _make_suggestion(decided, mapped, mapped.decision)
        for mapped in decided.mapped
        if mapped.decision is not None
    ]


def write_decided_lists(workspace: Workspace, path: Path, decided: Sequence[DecidedList]) -> None:
    """Write a list that was mapped to one ontology or several, with all of its columns.

    Args:
        workspace: that has the ontologies.
        path: ends as one of `MAPPING_FORMATS` does, or is a plain table, which has a row of each
            row of the list for each ontology.
        decided: the same list, mapped to each of them.

    Raises:
        UserError: another ending, or the place cannot be written to.
    """
    head, rows = _make_set(workspace, decided)
    if mapping_format := find_mapping_format(path):
        write_mapping_set(workspace, path, mapping_format, head, rows)
        return
    codes = decided[0].codes
    numbered = () if "code" in codes.columns else ("code",)
    header = (*codes.header, *numbered, "mapped to", *_DECIDED)
    write_mapping_table(path, header, list(_list_rows(decided, rows)), head)


def _list_rows(
    decided: Sequence[DecidedList], mappings: Sequence[dict[str, str]]
) -> Iterator[tuple[list[Cell], dict[str, str]]]:
    """Yield a row of each row of the list for each ontology, and the mapping that it has."""
    left = iter(mappings)
    slots = [[next(left) if m.decision else {} for m in target.mapped] for target in decided]
    for number, of_targets in enumerate(zip(*(target.mapped for target in decided), strict=True)):
        for index, (target, mapped) in enumerate(zip(decided, of_targets, strict=True)):
            cells = _cells_of_decision(target, mapped)
            numbered = [] if "code" in target.codes.columns else [mapped.row.code]
            yield [*mapped.row.cells, *numbered, target.to.label, *cells], slots[index][number]


def _make_set(
    workspace: Workspace, decided: Sequence[DecidedList]
) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return the head of the set, and its mappings: all of the first ontology, then the next."""
    suggestions = [suggestion for target in decided for suggestion in list_suggestions(target)]
    header = _make_header(decided[0])
    slots = cell_slots(header, suggestions)
    records = RecordIds()
    rows = [
        {RECORD_ID: records.make_id(suggestion)} | row_of(suggestion, slots)
        for suggestion in suggestions
    ]
    origin = Origin(
        (None, *(target.to.id for target in decided)),
        decided[0].options.encoder_ids,
        dict(zip(slots, header, strict=True)),
        now(),
        source_label=decided[0].codes.path.name,
    )
    return whole_head(*own_head(workspace, origin, rows), rows), rows


def _make_header(decided: DecidedList) -> list[str]:
    """Return the titles of what is reviewed: the three fields, the decision, and all the rest."""
    codes = decided.codes
    further = [codes.header[index] for index in _list_further_columns(decided)]
    return number_titles([*codes.fields, *_DECIDED, *further])


def _list_further_columns(decided: DecidedList) -> list[int]:
    codes = decided.codes
    return [i for i in range(len(codes.header)) if i + 1 not in codes.columns.values()]


def _make_suggestion(
    decided: DecidedList, mapped: MappedCode, decision: DecidedMapping
) -> Suggestion:
    row = mapped.row
    is_none = decision.predicate == NONE
    fields: dict[str, Cell] = {
        "code": row.code,
        "name": row.name,
        "frequency": row.frequency,
        "known": row.known,
    }
    cells = [
        *(fields[field] for field in decided.codes.fields),
        *_cells_of_decision(decided, mapped),
        *(row.cells[index] for index in _list_further_columns(decided)),
    ]
    mapping = SssomRow(
        mapped.curie,
        row.name,
        PREDICATES[decision.predicate],
        NO_TERM if is_none else decision.object,
        "" if is_none else decided.labels[decision.object],
        justify_decision(decision),
        confidence(decision.probability),
        _remark_on(decided, mapped),
        further=list_slots(decision),
    )
    return make_suggestion(mapping, cells)


def _cells_of_decision(decided: DecidedList, mapped: MappedCode) -> list[Cell]:
    decision = mapped.decision
    if decision is None:
        missing = "no code" if not mapped.row.code else "no name"
        return ["", "", "", None, "", missing]
    is_none = decision.predicate == NONE
    return [
        decision.predicate,
        "" if is_none else decision.object,
        "" if is_none else decided.labels[decision.object],
        decision.probability,
        "yes" if decision.same_name else "no",
        _remark_on(decided, mapped),
    ]


def _remark_on(decided: DecidedList, mapped: MappedCode) -> str:
    """Return what was nearest to an unmatched code; and its other names in the list, after "="."""
    other_names = "; ".join(mapped.other_names)
    remarks = (
        _tell_nearest(decided, mapped),
        other_names and f"= {other_names}",
    )
    return "; ".join(filter(None, remarks))


def _tell_nearest(decided: DecidedList, mapped: MappedCode) -> str:
    """Return what is nearest to a code that nothing matches; "" for the others."""
    decision = mapped.decision
    if decision is None or decision.predicate != NONE:
        return ""
    if not decision.object:
        return "nothing like it was found"
    return f"nearest: {decision.object} {decided.labels[decision.object]}"
