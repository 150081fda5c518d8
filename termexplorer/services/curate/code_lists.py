"""Lists of local codes: read, mapped to ontologies by a decision, kept for review, and written."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from termexplorer.importers.tables.code_list import (
    LIST_FIELDS,
    CodeList,
    ListedCode,
    ListLayout,
    guess_list_layout,
    read_code_list,
)
from termexplorer.importers.text.prefixes import code_curie
from termexplorer.services.curate.decisions import (
    PREDICATES,
    DecisionOptions,
    describe_learning,
)
from termexplorer.services.curate.known_codes import (
    KnownAnswer,
    KnownCodes,
    describe_known,
    measure_known,
)
from termexplorer.services.curate.mappings import check_encoder_count
from termexplorer.services.encoders.built_in import suggest_encoders
from termexplorer.services.explore.concept_labels import concept_labels
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.trainer.errors import Message
from termexplorer.workers.curate.deciding import DecidedMapping
from termexplorer.workers.curate.deciding_lists import ListDecisionRequest, run_list_decision
from termexplorer.workers.process import kept_texts
from termexplorer.workers.process.limited import call_limited
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

__all__ = [
    "LIST_FIELDS",
    "CodeList",
    "DecidedList",
    "ListLayout",
    "MappedCode",
    "decide_list",
    "look_at_list",
    "read_list_file",
]

_MOST_TOLD = 5  # codes


@dataclass(frozen=True, slots=True)
class MappedCode:
    """A row of a list with what was decided for it.

    Attributes:
        row: as it stands in the list.
        curie: its code below the prefix of the list; "" if it has none.
        decision: None where the row has no code or no name.
        other_names: that the list has for the same code; all of them were decided as one.
    """

    row: ListedCode
    curie: str
    decision: DecidedMapping | None
    other_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DecidedList:
    """A list of codes that was mapped to one ontology.

    Attributes:
        codes: the list.
        to: the release that its codes are mapped to.
        options: with the encoders that were asked.
        mapped: a row for each of the list, the most frequent first.
        labels: of the concepts of the ontology, by CURIE.
        facts: sentences on how good the decisions are.
        known: how those rows came out whose concept is known; None where the list tells none.
    """

    codes: CodeList
    to: Ontology
    options: DecisionOptions
    mapped: tuple[MappedCode, ...]
    labels: Mapping[str, str]
    facts: tuple[Message, ...]
    known: KnownCodes | None

    def count_predicates(self) -> dict[str, int]:
        """Return how many rows were decided to be what."""
        decisions = (mapped.decision for mapped in self.mapped)
        counts = Counter(decision.predicate for decision in decisions if decision)
        return {predicate: counts[predicate] for predicate in PREDICATES}

    @property
    def unmapped(self) -> int:
        """How many rows have no code or no name."""
        return sum(mapped.decision is None for mapped in self.mapped)


def look_at_list(path: Path) -> ListLayout:
    """Tell which columns of a file hold the codes, the names and the frequencies, as far as it can.

    Raises:
        UserError: it cannot be read, or is no table.
    """
    return call_limited(_look_in_child, path)


def _look_in_child(path: Path) -> ListLayout:
    return guess_list_layout(path, whole=False)


def read_list_file(
    path: Path, columns: Mapping[str, str] | None = None, delimiter: str = "", sheet: str = ""
) -> CodeList:
    """Read a list of codes in a child, as a file may be larger than it seems.

    Args:
        path: CSV, TSV, XLSX or ODS.
        columns: field of `LIST_FIELDS` -> title or number of its column; guessed where not given.
        delimiter: between cells; "" to guess it.
        sheet: of a workbook.

    Raises:
        UserError: it cannot be read, or has no such columns.
    """
    return call_limited(_read_in_child, path, dict(columns or {}), delimiter, sheet)


def _read_in_child(path: Path, columns: dict[str, str], delimiter: str, sheet: str) -> CodeList:
    return read_code_list(path, guess_list_layout(path, columns, delimiter, sheet))


def decide_list(
    workspace: Workspace,
    codes: CodeList,
    to: Ontology,
    options: DecisionOptions,
    control: JobControl,
    on_message: Callable[[object], None],
) -> DecidedList:
    """Decide for each code what it is to the concepts of an ontology, and how probably.

    Raises:
        UserError: too many encoders, something that is not there, or too little to learn from.
        Cancelled: it was cancelled.
    """
    encoder_ids = options.encoder_ids or tuple(suggest_encoders(workspace))
    check_encoder_count(encoder_ids)
    curies = [_make_curie(codes, row) for row in codes.rows]
    names: dict[str, dict[str, None]] = {}  # of a code that comes again, all of them
    for row, curie in zip(codes.rows, curies, strict=True):
        if curie and row.name:
            names.setdefault(curie, {})[row.name] = None
    request = ListDecisionRequest(
        workspace.folder, tuple(names), tuple(map(tuple, names.values())), to.id, encoder_ids,
        options.one_to_one,
    )  # fmt: skip
    decided = supervise(run_list_decision, request, control, on_message)
    decisions = {mapping.subject: mapping for mapping in decided.mappings}
    mapped = [
        MappedCode(
            row,
            curie,
            decisions[curie] if curie and row.name else None,
            tuple(name for name in names.get(curie, ()) if row.name and name != row.name),
        )
        for row, curie in zip(codes.rows, curies, strict=True)
    ]
    labels = concept_labels(workspace, to)
    known = _measure_known(mapped, labels) if "known" in codes.columns else None
    facts = [*describe_learning(decided), *(describe_known(known) if known else ())]
    return DecidedList(
        codes,
        to,
        replace(options, encoder_ids=encoder_ids),
        tuple(_sort_by_frequency(mapped)),
        labels,
        (*facts, *_describe_rows(mapped), *_describe_fields(codes)),
        known,
    )


def _measure_known(mapped: Sequence[MappedCode], labels: Mapping[str, str]) -> KnownCodes:
    answers = (
        KnownAnswer(code.curie, code.row.known, code.decision) for code in mapped if code.decision
    )
    return measure_known(answers, labels)


def _sort_by_frequency(mapped: Sequence[MappedCode]) -> list[MappedCode]:
    """Return the most frequent first; of equals, and without a frequency, in the file's order."""
    unknown = -1.0  # behind all numbers
    return sorted(
        mapped, key=lambda code: -(unknown if code.row.frequency is None else code.row.frequency)
    )


def _make_curie(codes: CodeList, row: ListedCode) -> str:
    return code_curie(codes.prefix, row.code) if row.code else ""


def _describe_fields(codes: CodeList) -> list[Message]:
    """Return what is to be known of codes and frequencies."""
    facts = [] if "code" in codes.columns else [Message(kept_texts.NUMBERED_ROWS)]
    if codes.unread:
        line, text = codes.unread[0]
        facts.append(kept_texts.NO_FREQUENCY.fill(count=len(codes.unread), line=line, text=text))
    return facts


def _describe_rows(mapped: Sequence[MappedCode]) -> list[Message]:
    """Return what is to be known of rows that were not mapped, or not each by itself."""
    left_out = sum(code.decision is None for code in mapped)
    shared = list(dict.fromkeys(code.row.code for code in mapped if code.other_names))
    facts = [kept_texts.NOT_MAPPED.fill(count=left_out)] if left_out else []
    if shared:
        listed = ", ".join(shared[:_MOST_TOLD]) + (", …" if len(shared) > _MOST_TOLD else "")
        facts.append(kept_texts.SEVERAL_NAMES.fill(count=len(shared), codes=listed))
    return facts
