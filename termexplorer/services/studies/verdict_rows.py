"""Rows of a table of verdicts, each read as a verdict, or told why it is none."""

import json
from collections.abc import Mapping, Sequence

from termexplorer.errors import UserError
from termexplorer.importers.text.dates import convert_to_utc, find_date_fault
from termexplorer.services.files.json_fields import Fields
from termexplorer.services.pairs.sampling import LONGEST_TERM
from termexplorer.services.studies.content import LONGEST_NAME
from termexplorer.services.studies.rows import LONGEST_NOTE, SKIPPED, details_of, read_details
from termexplorer.services.verdicts.log import ANSWERS, Answer, Judge, VerdictSubject
from termexplorer.services.verdicts.mapping_answers import check_changed
from termexplorer.services.verdicts.people import read_orcid
from termexplorer.store.judging.studies import StudyHead, Turn
from termexplorer.texts import tr

Given = tuple[Judge, VerdictSubject, Answer]


class CuratorRows:
    """Reads curators' verdicts; every error is a ValueError that says what is wrong in words."""

    def read(self, cells: Mapping[str, str]) -> Given:
        """One row, by its titles in lower case."""
        fields = Fields(cells)
        judge = Judge(_read_name(fields), _read_orcid_cell(cells.get("orcid", "")))
        subject = VerdictSubject(
            fields.text("predicate", LONGEST_TERM, 1),
            fields.text("subject", LONGEST_TERM, 1),
            fields.text("object", LONGEST_TERM, 1),
            _read_cell(cells, "name", LONGEST_TERM),
        )
        if cells.get("showing", "1") not in ("", "1"):
            raise ValueError(tr("a suggestion is shown once; is it a study's verdict?"))
        answer = fields.text("answer", 100, 1)
        if answer not in ANSWERS:
            raise ValueError(
                tr("{answer!r} is no answer; {known} are", answer=answer, known=", ".join(ANSWERS))
            )
        shown_at, answered_at = (
            _read_moment(cells, title) for title in ("shown at", "answered at")
        )
        release = fields.hash("release hash") if cells.get("release hash") else ""
        details = _parse_details(cells.get("details", ""))
        check_changed(answer, details)
        return judge, subject, Answer(
            answer, _read_cell(cells, "note", LONGEST_NOTE), shown_at, answered_at, release, details
        )  # fmt: skip


class StudyRows:
    """Reads annotators' verdicts of a study; every error is a ValueError as well.

    Args:
        head: of the study.
        turns: all that each annotator is asked.
    """

    def __init__(self, head: StudyHead, turns: Mapping[str, Sequence[Turn]]) -> None:
        self._head = head
        self._turns = {
            name: {turn.about(head): turn for turn in own_turns}
            for name, own_turns in turns.items()
        }

    def read(self, cells: Mapping[str, str]) -> Given:
        """One row, by its titles in lower case; the terms may stand in either order."""
        fields = Fields(cells)
        name = _read_name(fields)
        if name not in self._turns:
            raise ValueError(
                tr(
                    "{name!r} does not judge in the study; {known} do",
                    name=name,
                    known=", ".join(self._turns),
                )
            )
        if cells.get("orcid"):
            raise ValueError(tr("annotators of a study have no ORCID there"))
        question = fields.text("predicate", LONGEST_TERM)
        if question not in ("", self._head.question):
            raise ValueError(tr("{question!r} is not what the study asks", question=question))
        first, second = sorted(fields.text(side, LONGEST_TERM, 1) for side in ("subject", "object"))
        showing = int(cell) if (cell := cells.get("showing") or "1").isdecimal() else 0
        about = VerdictSubject(
            self._head.question, first, second, study=self._head.key, showing=showing
        )
        turn = self._turns[name].get(about)
        if turn is None:
            raise ValueError(
                tr(
                    "{name} is not asked about {first!r} and {second!r} there",
                    name=name,
                    first=first,
                    second=second,
                )
            )
        answer = fields.text("answer", 100, 1)
        answers = [choice.answer for choice in self._head.answers]
        if answer not in (*answers, SKIPPED):
            raise ValueError(
                tr(
                    "{answer!r} is no answer of the study; {known} are",
                    answer=answer,
                    known=", ".join(answers),
                )
            )
        at = fields.moment("answered at")
        shown_at = fields.moment("shown at") if cells.get("shown at") else at
        cell = cells.get("details", "")
        details = (
            read_details(Fields(_parse_details(cell)), turn)
            if cell
            else details_of(turn, 0, 0, False)
        )
        given_answer = Answer(
            answer, _read_cell(cells, "note", LONGEST_NOTE), shown_at, at, details=details
        )
        return Judge(name), about, given_answer


def _read_name(fields: Fields) -> str:
    name = " ".join(fields.text("annotator", LONGEST_NAME).split())
    if not name:
        raise ValueError(tr("nobody is named as the judge"))
    return name


def _read_orcid_cell(text: str) -> str:
    try:
        return read_orcid(text)
    except UserError as error:
        raise ValueError(str(error)) from error


def _read_cell(cells: Mapping[str, str], title: str, most: int) -> str:
    return Fields({title: cells.get(title, "")}).text(title, most)


def _read_moment(cells: Mapping[str, str], title: str) -> str:
    """A moment or a day, as files of others have them; or nothing."""
    text = cells.get(title, "")
    if fault := find_date_fault(text) if text else "":
        raise ValueError(f"{title}: {fault}")
    return convert_to_utc(text) if text else ""


def _parse_details(text: str) -> dict[str, object]:
    try:
        details = json.loads(text or "{}")
    except (ValueError, RecursionError):
        raise ValueError(tr("its details are no JSON; they are cut off or changed")) from None
    if not isinstance(details, dict):
        raise ValueError(tr("its details are no JSON object"))
    return details
