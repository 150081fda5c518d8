"""Sets of mappings from SSSOM files, kept for review, with the verdicts that are in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.importers.sssom.sssom import SssomSet, read_sssom
from termexplorer.services.curate.foreign_mappings import FILE_HEADER, file_cells, foreign_verdicts
from termexplorer.services.curate.record_ids import RECORD_ID, RECORD_IDS, RecordIds
from termexplorer.services.curate.review_slots import read_row
from termexplorer.services.curate.sssom_sets import columns_of, digest, facts_of
from termexplorer.services.verdicts.log import Answer, Judge, now
from termexplorer.store.judging import suggestions as kept
from termexplorer.store.judging import verdicts
from termexplorer.store.judging.suggestions import ListHead, Suggestion
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = ["ImportedMappings", "import_sssom"]

Said = tuple[Judge, Answer]


@dataclass(frozen=True, slots=True)
class ImportedMappings:
    """What came of a file.

    Attributes:
        list_id: of the list that it is kept as.
        suggestions: how many mappings it has, one that several judged counted once.
        verdicts: how many are in it.
        new_verdicts: how many of these were not in the log yet.
        older_verdicts: how many were left out, as their judge said something later on the same.
    """

    list_id: int
    suggestions: int
    verdicts: int
    new_verdicts: int
    older_verdicts: int


def import_sssom(workspace: Workspace, path: Path) -> ImportedMappings:
    """Keeps a file's mappings as a list, and adds what curators said of them to the log.

    The same file again is the same list, and adds nothing.

    Raises:
        UserError: it is no SSSOM/TSV; then nothing was kept.
    """
    found = read_sssom(path)
    titles, facts = _read_titles(path, found)
    content = _read_suggestions(path, found, list(titles))
    given = [(who, s.about, answer) for s, said in content for who, answer in said]
    suggestions = [each for each, _ in content]
    if not titles:
        suggestions = [Suggestion(s.about, file_cells(s), s.slots) for s in suggestions]
    head = _make_head(path, found, list(titles.values()) or list(FILE_HEADER), facts)
    with workspace.store.writing() as connection:
        there = (each.id for each in kept.kept_lists(connection) if _is_same_list(each.head, head))
        list_id = next(there, None) or kept.keep(connection, head, suggestions)
        added, older = verdicts.append_current(connection, given)
    return ImportedMappings(list_id, len(suggestions), len(given), added, older)


class _Content:
    """The suggestions of a file in its order, each with what was said of it."""

    def __init__(self) -> None:
        self.pairs: list[tuple[Suggestion, list[Said]]] = []
        self._newest: dict[str, tuple[list[Said], set[Judge]]] = {}  # of equal ones

    def add(self, suggested: Suggestion, said: list[Said]) -> None:
        """A mapping with what its authors elsewhere said, if it is theirs."""
        self.pairs.append((suggested, said))
        if said:
            self._newest[_suggestion_key(suggested)] = said, set()

    def add_judged(self, suggested: Suggestion, verdict: Said) -> None:
        """A verdict; those of several judges on one suggestion are put together."""
        said, judges = self._newest.get(_suggestion_key(suggested), ([], {verdict[0]}))
        if verdict[0] in judges:
            said, judges = [], set()
            self.pairs.append((suggested, said))
            self._newest[_suggestion_key(suggested)] = said, judges
        said.append(verdict)
        judges.add(verdict[0])


def _suggestion_key(suggested: Suggestion) -> str:
    return repr((suggested.about, suggested.cells, sorted(suggested.slots.items())))


def _read_suggestions(
    path: Path, found: SssomSet, cells: Sequence[str]
) -> list[tuple[Suggestion, list[Said]]]:
    content, records = _Content(), RecordIds()
    for line, row in zip(found.lines, found.rows, strict=True):
        try:
            suggested, verdict = read_row(row, cells, found.head)
        except ValueError as error:
            raise UserError(
                tr(
                    "{path}, line {line}: {error}; export the file anew",
                    path=path,
                    line=line,
                    error=error,
                )
            ) from None
        suggested = records.without_made_id(suggested, verdict[0] if verdict else None)
        if verdict is None:
            content.add(suggested, foreign_verdicts(suggested.slots, found.head))
        else:
            content.add_judged(suggested, verdict)
    return content.pairs


def _read_titles(path: Path, found: SssomSet) -> tuple[dict[str, str], list[str]]:
    try:
        return columns_of(found.head), facts_of(found.head)
    except ValueError as error:
        raise UserError(
            tr("{path}: {error}; export the file anew", path=path, error=error)
        ) from None


def _make_head(
    path: Path, found: SssomSet, header: Sequence[str], facts: Sequence[str]
) -> ListHead:
    title = found.head.get("mapping_set_title") or path.name
    has_ids = any(RECORD_ID in row for row in found.rows)
    told = {"rows": digest(found.rows), "file": path.name, RECORD_IDS: has_ids}
    return ListHead("imported", str(title), None, None, [], told, header, facts, found.head, now())


def _is_same_list(there: ListHead, head: ListHead) -> bool:
    return (there.kind, there.head, there.parameters.get("rows")) == (
        head.kind, head.head, head.parameters["rows"],
    )  # fmt: skip
