"""Sets of mappings from SSSOM files, kept for review, with the verdicts that are in them."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.importers.sssom.sssom import OpenSssom
from termexplorer.services.curate.foreign_mappings import FILE_HEADER, file_cells, foreign_verdicts
from termexplorer.services.curate.known_lists import find_known_list
from termexplorer.services.curate.mapping_formats import open_mappings
from termexplorer.services.curate.record_ids import RECORD_ID, RECORD_IDS, RecordIds
from termexplorer.services.curate.review_slots import read_row
from termexplorer.services.curate.sssom_sets import RowDigest, columns_of, facts_of, hash_row
from termexplorer.services.curate.unknown_codes import find_unknown_codes
from termexplorer.services.verdicts.log import Answer, Judge, now
from termexplorer.store.judging.log_batches import append_in_batches
from termexplorer.store.judging.suggestion_spool import SuggestionSpool
from termexplorer.store.judging.suggestions import (
    ListHead,
    Suggestion,
    keep_in_batches,
    kept_lists,
)
from termexplorer.store.judging.verdict_spool import VerdictSpool
from termexplorer.store.kept_messages import plain_message
from termexplorer.texts import tr
from termexplorer.workers.process.limited import call_limited
from termexplorer.workspace import Workspace

__all__ = ["ImportedMappings", "import_sssom", "import_sssom_apart"]

Said = tuple[Judge, Answer]


@dataclass(frozen=True, slots=True)
class ImportedMappings:
    """What came of a file.

    Attributes:
        list_id: of the list that it is kept as, or that it was exported from.
        suggestions: how many mappings it has, one that several judged counted once.
        verdicts: how many are in it.
        new_verdicts: how many of these were not in the log yet.
        older_verdicts: how many were left out, as their judge said something later on the same.
        was_there: whether the list was kept already, when the same file was imported before, or
            the file was exported from it.
        doubled: rows that are the same as one before them in every cell, and so are merged with it.
        unknown_ids: different ids of subjects and objects that no ontology here has; their mappings
            are kept.
        first_unknown_ids: the first of them.
        part_of: the list that has some of the mappings, but not all; None if there is none.
        new_suggestions: how many that list does not have; 0 without one.
    """

    list_id: int
    suggestions: int
    verdicts: int
    new_verdicts: int
    older_verdicts: int
    was_there: bool = False
    doubled: int = 0
    unknown_ids: int = 0
    first_unknown_ids: Sequence[str] = ()
    part_of: int | None = None
    new_suggestions: int = 0


def import_sssom(workspace: Workspace, path: Path) -> ImportedMappings:
    """Keeps a file's mappings as a list, and adds what curators said of them to the log.

    The same file again is the same list, and adds nothing; a file that was exported from a list
    here only adds verdicts to it.

    Raises:
        UserError: it is in none of the forms of `MAPPING_FORMATS`; then nothing was kept.
    """
    with open_mappings(path) as opened, SuggestionSpool() as suggestions, VerdictSpool() as given:
        titles, facts = _read_titles(path, opened)
        content = _Content(path, opened, list(titles), suggestions, given)
        verdicts = content.read()
        head = _make_head(path, content, list(titles.values()) or list(FILE_HEADER), facts)
        existing_id = _find_same_list(workspace, head, content.whole_digest.finish())
        known = (
            None
            if existing_id
            else find_known_list(workspace, content.mapping_set.head, suggestions)
        )
        existing_id = known.list_id if known and not known.new else existing_id
        list_id = existing_id or keep_in_batches(workspace.store, head, suggestions)
        added = append_in_batches(workspace.store, given, skip_older=True)
        unknown = find_unknown_codes(workspace, suggestions.iterate_ids(), opened.head)
        return ImportedMappings(
            list_id,
            suggestions.count(),
            verdicts,
            added.new,
            added.older,
            existing_id is not None,
            content.doubled,
            unknown.count,
            unknown.first,
            known.list_id if known and known.new else None,
            known.new if known else 0,
        )


def import_sssom_apart(workspace: Workspace, path: Path) -> ImportedMappings:
    """Do as `import_sssom` in a child: a file may be larger than it seems, and a window goes on.

    Raises:
        UserError: it is no SSSOM/TSV, or there is too little memory for it.
    """
    return call_limited(_import_in_child, workspace.folder, path)


def _import_in_child(folder: Path, path: Path) -> ImportedMappings:
    with closing(Workspace(folder)) as workspace:
        return import_sssom(workspace, path)


class _Content:
    """What is read from a file: its suggestions, and what was said of each.

    Attributes:
        opened: the file.
        digest: of its rows, each once.
        whole_digest: of all its rows, as earlier versions kept it.
        doubled: how many rows are the same as one before them.
        has_ids: whether some of them have ids.
    """

    def __init__(
        self,
        path: Path,
        opened: OpenSssom,
        cells: Sequence[str],
        suggestions: SuggestionSpool,
        given: VerdictSpool,
    ) -> None:
        self.mapping_set = opened
        self.digest, self.whole_digest = RowDigest(), RowDigest()
        self.doubled = 0
        self.has_ids = False
        self._path, self._cells = path, cells
        self._suggestions, self._given = suggestions, given

    def read(self) -> int:
        """Read all rows into the spools, and return how many verdicts are in them.

        Raises:
            UserError: a row is not what the standard asks for, or not as it was written.
        """
        records, verdicts = RecordIds(), 0
        seen: set[int] = set()  # hashes of rows, as a set may have a million
        for line, row in self.mapping_set.rows:
            self.whole_digest.add(row)
            key = hash_row(row)
            if key in seen:
                self.doubled += 1
                continue
            seen.add(key)
            self.digest.add(row)
            self._take_ids(row)
            self.has_ids = self.has_ids or RECORD_ID in row
            suggested, verdict = self._read_row(line, row)
            suggested = records.without_made_id(suggested, verdict[0] if verdict else None)
            verdicts += self._take(suggested, verdict)
        return verdicts

    def _take_ids(self, row: Mapping[str, str]) -> None:
        for slot in ("subject_id", "object_id"):
            if identifier := row.get(slot):
                self._suggestions.add_id(identifier)

    def _read_row(self, line: int, row: Mapping[str, str]) -> tuple[Suggestion, Said | None]:
        try:
            return read_row(row, self._cells, self.mapping_set.head)
        except ValueError as error:
            raise UserError(
                tr(
                    "{path}, line {line}: {error}; export the file anew",
                    path=self._path,
                    line=line,
                    error=error,
                )
            ) from None

    def _take(self, suggested: Suggestion, verdict: Said | None) -> int:
        """Take a mapping with what was said of it, and return how many said something."""
        shown = suggested
        if not self._cells:
            shown = Suggestion(suggested.about, file_cells(suggested), suggested.slots)
        if verdict is None:
            verdicts = foreign_verdicts(suggested.slots, self.mapping_set.head)
            self._suggestions.add(suggested, shown, judged=bool(verdicts))
        else:
            verdicts = [verdict]
            self._suggestions.add_judged(suggested, shown, verdict[0])
        for judge, answer in verdicts:
            self._given.add((judge, suggested.about, answer))
        return len(verdicts)


def _read_titles(path: Path, opened: OpenSssom) -> tuple[dict[str, str], list[str]]:
    try:
        return columns_of(opened.head), facts_of(opened.head)
    except ValueError as error:
        raise UserError(
            tr("{path}: {error}; export the file anew", path=path, error=error)
        ) from None


def _make_head(
    path: Path, content: _Content, header: Sequence[str], facts: Sequence[str]
) -> ListHead:
    slots = content.mapping_set.head
    title = slots.get("mapping_set_title") or path.name
    parameters = {
        "rows": content.digest.finish(), "file": path.name, RECORD_IDS: content.has_ids,
    }  # fmt: skip
    messages = [plain_message(fact) for fact in facts]
    return ListHead(
        "imported", str(title), None, None, [], parameters, header, messages, slots, now()
    )


def _find_same_list(workspace: Workspace, head: ListHead, whole_digest: str) -> int | None:
    """Return the list that a file was kept as before; None if there is none."""
    digests = (head.parameters["rows"], whole_digest)
    with workspace.store.reading() as connection:
        imported_lists = (
            suggestion_list
            for suggestion_list in kept_lists(connection)
            if suggestion_list.head.kind == head.kind
        )
        same_ids = (
            suggestion_list.id
            for suggestion_list in imported_lists
            if suggestion_list.head.head == head.head
            and suggestion_list.head.parameters.get("rows") in digests
        )
        return next(same_ids, None)
