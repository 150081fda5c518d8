"""A list of suggestions as a study pack, for a curator who has nothing but termexplorer.

The list becomes a study whose pairs are the two concepts of each suggestion; what these are called
besides, and how they are defined, is its glossary. What comes back is taken for verdicts on the
suggestions (`suggestion_verdicts`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.exporters.kept_notes import Noted
from termexplorer.services.curate.suggestion_lists import find_list, read_list, read_verdicts
from termexplorer.services.curate.suggestion_words import named, question_on_sides
from termexplorer.services.pairs.filter import JUDGED
from termexplorer.services.pairs.repeats import find_repeats
from termexplorer.services.pairs.sampling import LONGEST_TERM
from termexplorer.services.studies.content import LONGEST_LINE, checked_content, pack_content
from termexplorer.services.studies.glossary import LONGEST_ENTRY, MOST_ENTRIES
from termexplorer.services.studies.packs import write_pack
from termexplorer.services.studies.presets import Scale, review_scale
from termexplorer.services.studies.suggestion_verdicts import planned, seat_name
from termexplorer.services.verdicts.log import ALSO, now
from termexplorer.services.verdicts.people import Judge
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import studies
from termexplorer.store.judging.studies import (
    AnswerChoice,
    Entry,
    LookUp,
    StudyHead,
    StudyPair,
    Turn,
)
from termexplorer.store.judging.suggestions import KeptList, Suggestion
from termexplorer.store.judging.verdicts import json_hash
from termexplorer.store.releases import concepts, ontologies
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = ["Packed", "pack_suggestions"]

_LATER = "later"
_WHICH = {
    "skos:exactMatch": "the same as",
    "skos:closeMatch": "nearly the same as",
    "skos:broadMatch": "narrower than",
    "skos:narrowMatch": "broader than",
    "skos:relatedMatch": "related to",
}


@dataclass(frozen=True, slots=True)
class Packed:
    """A list that went into a pack.

    Attributes:
        study_id: of the study that it is in the workspace.
        annotator: what the curator is called there.
        questions: how many suggestions they are asked about.
        left_out: how many others of the list they are not asked about, by reason.
    """

    study_id: int
    annotator: str
    questions: int
    left_out: Mapping[str, int] = field(default_factory=dict)


def pack_suggestions(
    workspace: Workspace, list_id: int, curator: Judge, path: Path, first: int | None = None
) -> Packed:
    """Writes a list of suggestions as a pack of those that a curator has not judged yet.

    The same list is the same study, whoever judges it, and whose pack was written once gets the
    same one again.

    Args:
        workspace: that has the list.
        list_id: of it.
        curator: who judges.
        path: the file.
        first: how many of the list, at most; all by default.

    Raises:
        UserError: no such list, nothing in it that the curator has not judged, more than a pack can
            hold, or a place that cannot be written to.
    """
    suggestion_list = find_list(workspace, list_id)
    rows = read_list(workspace, list_id)[:first]
    if 2 * len(rows) > MOST_ENTRIES:
        raise UserError(
            tr(
                "list {id} has {n:,} suggestions; a pack can hold {most:,}, so take the first ones",
                id=list_id,
                n=len(rows),
                most=MOST_ENTRIES // 2,
            )
        )
    with workspace.store.writing() as connection:
        head, rows, turns, left_out = _make_study(connection, suggestion_list, rows)
        study_id = _kept_study(connection, head, turns)
        name = seat_name(curator)
        if name not in {seat.annotator for seat in studies.seats_of(connection, study_id)}:
            open_turns = _open_turns(connection, suggestion_list, curator, rows, turns)
            if not open_turns:
                raise UserError(
                    tr("{judge} has judged all of list {id}", judge=curator.name, id=list_id)
                )
            pack_hash = json_hash(checked_content(head, name, open_turns))
            studies.add_seat(connection, study_id, name, pack_hash, open_turns)
    noted = Noted()
    for row in rows:
        noted.see((row.about.subject, row.about.object))
    questions = write_pack(workspace, study_id, name, path)
    noted.keep(path)
    if judged := len(turns) - questions:
        left_out[JUDGED] = judged
    return Packed(study_id, name, questions, left_out)


def _make_study(
    connection: Connection, suggestion_list: KeptList, rows: Sequence[Suggestion]
) -> tuple[StudyHead, list[Suggestion], list[Turn], dict[str, int]]:
    """The study that a list is, a question for each of its suggestions, and what is left out.

    Of suggestions that look the same the first is asked about, as answers are told apart by what
    was shown.
    """
    predicates = {row.about.question for row in rows}
    predicate = next(iter(predicates)) if len(predicates) == 1 else ""
    scale = review_scale()
    question = question_on_sides(suggestion_list, predicate) if predicate else scale.question
    texts = _Texts(connection, suggestion_list)
    shown = [(texts.subject(row), texts.object(row, not predicate)) for row in rows]
    left, right = [sides[0] for sides in shown], [sides[1] for sides in shown]
    reasons = find_repeats(left, right, [None] * len(shown), exact=True)
    asked = [index for index, reason in enumerate(reasons) if not reason]
    turns = [Turn(position, *shown[index], 1, False) for position, index in enumerate(asked)]
    rows = [rows[index] for index in asked]
    plan = planned(rows, turns, texts.release_hash)
    answers = _answers_of(suggestion_list, scale)
    head = StudyHead(
        "", f"Suggestions: {suggestion_list.head.title}"[:LONGEST_LINE], question,
        answers, scale.level, scale.guidelines, plan, now(), LookUp(glossary=texts.glossary),
    )  # fmt: skip
    key = json_hash([pack_content(head, "", turns), plan])
    return replace(head, key=key), rows, turns, dict(Counter(filter(None, reasons)))


def _answers_of(suggestion_list: KeptList, scale: Scale) -> tuple[AnswerChoice, ...]:
    """Return the answers of a review; of misplaced concepts also that they have two places."""
    if suggestion_list.head.kind != "misplaced":
        return tuple(scale.answers)
    first, *further = scale.answers
    return first, AnswerChoice(ALSO), *further


def _kept_study(connection: Connection, head: StudyHead, turns: Sequence[Turn]) -> int:
    for study in studies.studies(connection):
        if study.head.key == head.key:
            return study.id
    study_id = studies.add_study(connection, head)
    pairs = [replace(StudyPair.of((turn.left, turn.right)), set_name=head.title) for turn in turns]
    studies.add_pairs(connection, study_id, pairs)
    return study_id


def _open_turns(
    connection: Connection,
    suggestion_list: KeptList,
    curator: Judge,
    rows: Sequence[Suggestion],
    turns: Sequence[Turn],
) -> list[Turn]:
    """What a curator has not judged yet, or put off."""
    verdicts = read_verdicts(connection, suggestion_list, rows)
    answered = {
        row.about
        for row in rows
        for verdict in verdicts.get(row.about, ())
        if verdict.judge == curator and verdict.answer.answer != _LATER
    }
    open_turns = [turn for row, turn in zip(rows, turns, strict=True) if row.about not in answered]
    return [replace(turn, place=position) for position, turn in enumerate(open_turns)]


class _Texts:
    """What is told of concepts, in the list's releases or else in the newest that has them.

    Attributes:
        release_hash: of the release that the subjects are of; empty if they are of several.
    """

    def __init__(self, connection: Connection, suggestion_list: KeptList) -> None:
        self._connection = connection
        hash_by_id = {
            ontology.id: ontology.content_hash for ontology in ontologies.ontologies(connection)
        }
        newest = list(reversed(hash_by_id))
        head = suggestion_list.head
        self._releases = {
            side: newest if release is None else [release]
            for side, release in (("subject", head.release_id), ("object", head.object_release_id))
        }
        self.release_hash = "" if head.release_id is None else hash_by_id.get(head.release_id, "")
        self._entries: dict[str, Entry] = {}

    @property
    def glossary(self) -> tuple[Entry, ...]:
        """An entry for each concept that more is known of than its name."""
        return tuple(self._entries.values())

    def subject(self, suggestion: Suggestion) -> str:
        """The text at the left."""
        shown, term = self._shown(suggestion, "subject"), suggestion.about.term
        return f"“{term}”, a name of {shown}"[:LONGEST_TERM] if term else shown

    def object(self, suggestion: Suggestion, with_predicate: bool) -> str:
        """The text at the right, after what it is to the left one where that is not always so."""
        shown, predicate = self._shown(suggestion, "object"), suggestion.about.question
        return f"{_WHICH.get(predicate, predicate)}: {shown}" if with_predicate else shown

    def _shown(self, suggestion: Suggestion, side: str) -> str:
        curie = str(getattr(suggestion.about, side))
        concept = self._concept(side, curie)
        label = concept.label if concept else named(suggestion, side)
        shown = f"{label} [{curie}]" if label != curie else curie
        if (
            concept
            and shown not in self._entries
            and (description := " ".join(self._told(concept)))
        ):
            self._entries[shown] = Entry(shown, description[:LONGEST_ENTRY])
        return shown

    def _concept(self, side: str, curie: str) -> concepts.Concept | None:
        refs = (
            concepts.find(self._connection, release_id, curie)
            for release_id in self._releases[side]
        )
        ref = next(filter(None, refs), None)
        return concepts.concept(self._connection, ref.id) if ref else None

    def _told(self, concept: concepts.Concept) -> Iterator[str]:
        synonyms = dict.fromkeys(name.text for name in concept.names if name.text != concept.label)
        above = [parent.label for parent in concepts.parents(self._connection, concept.id)]
        if concept.definition:
            yield concept.definition
        for heading, texts in (("Also called", synonyms), ("Below", above)):
            if texts:
                yield f"{heading}: {'; '.join(texts)}."
