"""Kept tables of suggestions, and how far their review is."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from termexplorer.errors import UserError
from termexplorer.mapping_terms import FORMER
from termexplorer.services.curate.suggestion_files import SuggestionSheet, kept_rows
from termexplorer.services.curate.suggestion_words import name_list
from termexplorer.services.verdicts.log import (
    ANSWERS,
    Judge,
    LoggedVerdict,
    VerdictSubject,
    now,
)
from termexplorer.services.verdicts.mapping_answers import turn_denied
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import suggestions as kept
from termexplorer.store.judging.suggestions import KeptList, KeptSearch, ListHead, Suggestion
from termexplorer.store.judging.verdicts import judged_in_list
from termexplorer.texts import tr, trn
from termexplorer.trainer.errors import Message
from termexplorer.workspace import Workspace

__all__ = [
    "BLIND",
    "CARRIED",
    "KeptList",
    "KeptSearch",
    "ListHead",
    "RemovedList",
    "Suggestion",
    "by_subject",
    "choose_counting",
    "count_judged",
    "counts",
    "describe_kept",
    "find_blind_person",
    "find_list",
    "find_person",
    "is_stale",
    "keep_suggestions",
    "kept_lists",
    "read_list",
    "read_verdicts",
    "remove_list",
    "restore_list",
]

BLIND = "blind"
"""Of the parameters of a part of a list: whether others' verdicts are hidden from its person."""
CARRIED = "carried"
"""The kind of lists of mappings that were carried over to a newer release."""


@dataclass(frozen=True, slots=True)
class RemovedList:
    """A list that is kept no more.

    Attributes:
        head: what it was about.
        suggestions: what was in it, in its order.
        verdicts: how many judgements there are of these; they stay in the log.
    """

    head: ListHead
    suggestions: tuple[Suggestion, ...]
    verdicts: int

    @property
    def told(self) -> str:
        """What became of it, for people."""
        if not self.verdicts:
            return tr(
                "Removed the list “{title}”; nobody had judged it", title=name_list(self.head)
            )
        return trn(
            "Removed the list “{title}”; {n:,} verdict on it stays in the log",
            "Removed the list “{title}”; {n:,} verdicts on it stay in the log",
            self.verdicts,
            title=name_list(self.head),
        )


def keep_suggestions(
    workspace: Workspace,
    kind: str,
    suggestions: SuggestionSheet,
    parameters: Mapping[str, Any],
    facts: Sequence[Message],
) -> KeptSearch:
    """Keep what a finder found for review, in place of what the same search found before.

    Args:
        workspace: where it is kept.
        kind: misplaced, deeper, names, duplicates or mappings.
        suggestions: what was found.
        parameters: what the finder was asked for, but for ontologies and encoders; JSON.
        facts: sentences on how good it is.
    """
    source, target = suggestions.source, suggestions.to
    title = f"{kind.capitalize()}: {' → '.join(dict.fromkeys((source.label, target.label)))}"
    level, root = parameters.get("level"), parameters.get("root")
    title += f", level {level}" if level else ""
    title += f" below {root}" if root else ""
    if suggestions.encoder_ids:
        title += f", by {' '.join(f'#{encoder_id}' for encoder_id in suggestions.encoder_ids)}"
    head = ListHead(
        kind, title, source.id, target.id, list(suggestions.encoder_ids), dict(parameters),
        list(suggestions.header), list(facts), {}, now(),
    )  # fmt: skip
    with workspace.store.writing() as connection:
        return kept.keep(connection, head, kept_rows(suggestions))


def describe_kept(kept_search: KeptSearch) -> str:
    """Return in which list suggestions are kept, and whether the same search had made it before."""
    count_text = trn("{n:,} suggestion", "{n:,} suggestions", kept_search.count)
    if kept_search.replaced is None:
        return tr("New list {id}: {found}", id=kept_search.list_id, found=count_text)
    return tr(
        "List {id} had the same settings: it now has {found} in place of {before:,}, "
        "{unchanged:,} of them as before",
        id=kept_search.list_id,
        found=count_text,
        before=kept_search.replaced,
        unchanged=kept_search.unchanged,
    )


def kept_lists(workspace: Workspace) -> list[KeptList]:
    """All that are kept, the newest first."""
    with workspace.store.reading() as connection:
        return kept.kept_lists(connection)


def find_list(workspace: Workspace, list_id: int) -> KeptList:
    """A table of suggestions.

    Raises:
        UserError: there is none of that id.
    """
    for suggestion_list in kept_lists(workspace):
        if suggestion_list.id == list_id:
            return suggestion_list
    raise UserError(
        tr("{id}: no such list of suggestions; `termexplorer suggestion list` has all", id=list_id)
    )


def read_list(workspace: Workspace, list_id: int) -> list[Suggestion]:
    """What is in a table, in its order."""
    with workspace.store.reading() as connection:
        return kept.suggested(connection, list_id)


def remove_list(workspace: Workspace, list_id: int) -> RemovedList:
    """Removes a table; the verdicts on it stay in the log. Returns it, for `restore_list`.

    Raises:
        UserError: there is none of that id.
    """
    head = find_list(workspace, list_id).head
    suggestions = tuple(read_list(workspace, list_id))
    with workspace.store.reading() as connection:
        verdicts_by_subject = by_subject(judged_in_list(connection, list_id))
    with workspace.store.writing() as connection:
        kept.forget(connection, list_id)
    return RemovedList(
        head,
        suggestions,
        sum(len(verdicts_by_subject.get(suggestion.about, ())) for suggestion in suggestions),
    )


def restore_list(workspace: Workspace, removed: RemovedList) -> int:
    """Keeps a table again, and returns its id, which may be another one.

    What the same finder found since, with the same parameters, stays in its place.
    """
    with workspace.store.writing() as connection:
        since = kept.same(connection, removed.head)
        if since:
            return since[0]
        return kept.keep(connection, removed.head, removed.suggestions).list_id


def count_judged(workspace: Workspace, list_id: int) -> int:
    """Return how many suggestions of a list somebody judged."""
    suggestion_list, suggestions = find_list(workspace, list_id), read_list(workspace, list_id)
    with workspace.store.reading() as connection:
        verdicts = read_verdicts(connection, suggestion_list, suggestions)
    return sum(bool(verdicts.get(suggestion.about)) for suggestion in suggestions)


def read_verdicts(
    connection: Connection, suggestion_list: KeptList, suggestions: Sequence[Suggestion]
) -> dict[VerdictSubject, list[LoggedVerdict]]:
    """Read what counts of all judges on the suggestions of a list, by what was judged.

    Of a part that is answered blind, it is what its person said alone.
    """
    verdicts = by_subject(judged_in_list(connection, suggestion_list.id))
    return choose_counting(suggestion_list, suggestions, verdicts)


def find_person(part: KeptList) -> Judge:
    """Return whose part of a list it is; somebody without a name of a whole list."""
    parameters = part.head.parameters
    return Judge(str(parameters.get("person", "")), str(parameters.get("orcid", "")))


def find_blind_person(suggestion_list: KeptList) -> Judge | None:
    """Return who answers a part of a list blind to others; None of any other list."""
    return find_person(suggestion_list) if suggestion_list.head.parameters.get(BLIND) else None


def choose_counting(
    suggestion_list: KeptList,
    suggestions: Iterable[Suggestion],
    verdicts: Mapping[VerdictSubject, Sequence[LoggedVerdict]],
) -> dict[VerdictSubject, list[LoggedVerdict]]:
    """Return the verdicts on suggestions that count in their list.

    Of a mapping that was carried over and is stale, that is what was said since; in a part that is
    answered blind, what its person said.
    """
    head, stale = suggestion_list.head, set()
    if head.kind == CARRIED:
        stale = {suggestion.about for suggestion in suggestions if is_stale(suggestion)}
    person = find_blind_person(suggestion_list)
    return {
        about: [
            verdict
            for verdict in given
            if (about not in stale or verdict.answer.answered_at >= head.made_at)
            and person in (None, verdict.judge)
        ]
        for about, given in verdicts.items()
    }


def is_stale(suggestion: Suggestion) -> bool:
    """Whether a suggestion is a mapping that a newer release made doubtful."""
    return any(slot.startswith(FORMER) for slot in suggestion.slots)


def by_subject(judged: Iterable[LoggedVerdict]) -> dict[VerdictSubject, list[LoggedVerdict]]:
    """What counts of all judges, by what was judged."""
    verdicts_by_subject: dict[VerdictSubject, list[LoggedVerdict]] = {}
    for verdict in judged:
        verdicts_by_subject.setdefault(verdict.subject, []).append(verdict)
    return verdicts_by_subject


def counts(
    suggestions: Iterable[Suggestion],
    judged: Mapping[VerdictSubject, Sequence[LoggedVerdict]],
    judge: Judge,
) -> dict[str, int]:
    """How many suggestions a judge gave each of `ANSWERS`; of denied mappings, to the denial."""
    mine = Counter(
        turn_denied(suggestion.slots, verdict.answer.answer)
        for suggestion in suggestions
        for verdict in judged.get(suggestion.about, ())
        if verdict.judge == judge
    )
    return {answer: mine[answer] for answer in ANSWERS}
