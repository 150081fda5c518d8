"""What is in a study pack: all that an annotator needs, and nothing that tells of the sets."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.files.json_fields import Fields
from termexplorer.services.files.plain_texts import check_text
from termexplorer.services.pairs.sampling import LONGEST_TERM
from termexplorer.services.studies.answer_lines import (
    FEWEST,
    LONGEST_ANSWER,
    LONGEST_MEANING,
    MOST,
    check_answers,
)
from termexplorer.services.studies.envelopes import check_parts
from termexplorer.services.studies.glossary import LONGEST_ENTRY, MOST_ENTRIES
from termexplorer.store.judging.studies import NOWHERE, AnswerChoice, Entry, LookUp, StudyHead, Turn
from termexplorer.texts import tr

LONGEST_NAME, LONGEST_LINE, LONGEST_TEXT = 200, 2_000, 200_000  # characters
MOST_TURNS = 100_000
LARGEST_PACK = 60 << 20  # bytes; a file may have a little more
_OWN = ("key", "hint")  # of answers that an author has written


@dataclass(frozen=True, slots=True)
class PackContent:
    """What a pack says.

    Attributes:
        head: of the study, without its plan.
        annotator: whose it is.
        turns: what is asked, in that order.
    """

    head: StudyHead
    annotator: str
    turns: tuple[Turn, ...]


def pack_content(head: StudyHead, annotator: str, turns: Sequence[Turn]) -> dict[str, Any]:
    """The content of an annotator's pack; JSON."""
    content: dict[str, Any] = {
        "study": head.key,
        "title": head.pack_title,
        "question": head.question,
        "level": head.level,
        "guidelines": head.guidelines,
        "answers": [_answer_object(answer) for answer in head.answers],
        "annotator": annotator,
        "practice": [_turn_object(turn) for turn in turns if turn.practice],
        "pairs": [_turn_object(turn) for turn in turns if not turn.practice],
    }
    if head.look_up != NOWHERE:  # packs without it are those of before
        content["look_up"] = asdict(head.look_up)
    return content


def read_content(fields: Fields, made_at: str) -> PackContent:
    """Reads the content of a pack.

    Raises:
        ValueError: with what is wrong in words.
    """
    head = StudyHead(
        fields.hash("study"),
        _checked_text(fields, "title", LONGEST_LINE),
        _checked_text(fields, "question", LONGEST_LINE),
        tuple(map(_read_choice, fields.objects("answers", MOST, FEWEST))),
        fields.text("level", 20),
        _checked_text(fields, "guidelines", LONGEST_TEXT, 0, lines=True),
        {},
        made_at,
        _look_up(fields),
    )
    check_answers(head.answers, head.level)
    annotator = _checked_text(fields, "annotator", LONGEST_NAME)
    if annotator != " ".join(annotator.split()):
        raise ValueError(tr("{name!r} is no name; blanks stand where none can", name=annotator))
    asked = [*_read_turns(fields, "practice", 0), *_read_turns(fields, "pairs", 1)]
    fields.end()
    answers = {"", *(answer.answer for answer in head.answers)}
    for known in (row[-1] for row in asked):
        if known not in answers:
            raise ValueError(tr("{answer!r} is no answer of the study", answer=known))
    return PackContent(head, annotator, tuple(_number_turns(asked)))


def checked_content(head: StudyHead, annotator: str, turns: Sequence[Turn]) -> dict[str, Any]:
    """Return the content of an annotator's pack, which reads as what it was made of.

    Whatever makes a study, changes one, or writes a pack takes it from here, so that nothing is
    sent out that could not be opened.

    Raises:
        UserError: it could not be opened, with why.
    """
    content = pack_content(head, annotator, turns)
    try:
        text = json.dumps(content, ensure_ascii=False, indent=1)
        check_parts(text)
        read = read_content(Fields(json.loads(text)), head.made_at)
        if len(text.encode()) > LARGEST_PACK:
            raise ValueError(
                tr(
                    "its pack would have more than {most} MB; have fewer pairs judged",
                    most=LARGEST_PACK >> 20,
                )
            )
        if read.turns != tuple(turns):
            raise ValueError(tr("a pair is asked otherwise than a pack can tell"))
    except ValueError as error:
        raise UserError(
            tr("{annotator} could not open this study: {error}", annotator=annotator, error=error)
        ) from error
    return content


def _checked_text(
    fields: Fields,
    name: str,
    most: int,
    least: int = 1,
    *,
    lines: bool = False,
    turning: bool = False,
) -> str:
    value = fields.text(name, most, least)
    check_text(fields.named(name), value, most, least, lines=lines, turning=turning)
    return value


def _answer_object(choice: AnswerChoice) -> dict[str, Any]:
    """An answer; packs without keys and hints of their own are those of before."""
    fields = asdict(choice)
    return {name: fields[name] for name in fields if fields[name] or name not in _OWN}


def _read_choice(fields: Fields) -> AnswerChoice:
    optional_fields = {
        name: _checked_text(fields, name, LONGEST_MEANING, 0) for name in _OWN if fields.has(name)
    }
    return AnswerChoice(
        _checked_text(fields, "answer", LONGEST_ANSWER),
        _checked_text(fields, "meaning", LONGEST_MEANING, 0),
        fields.number("value"),
        **optional_fields,
    )


def _look_up(fields: Fields) -> LookUp:
    if not fields.has("look_up"):
        return NOWHERE
    look_up_fields = Fields(fields.raw("look_up"), "look_up")
    web = look_up_fields.flag("web")
    sizes = (LONGEST_ENTRY, 1)
    entries = tuple(
        Entry(
            _checked_text(entry, "term", *sizes), _checked_text(entry, "text", *sizes, turning=True)
        )
        for entry in look_up_fields.objects("glossary", MOST_ENTRIES)
    )
    look_up_fields.end()
    return LookUp(web, entries)


def _turn_object(turn: Turn) -> Mapping[str, str]:
    """A question; packs that tell no right answers are those of before."""
    turn_fields = {"left": turn.left, "right": turn.right}
    return turn_fields | {"right_answer": turn.right_answer} if turn.right_answer else turn_fields


def _read_turns(fields: Fields, name: str, least: int) -> Iterator[tuple[bool, str, str, str]]:
    practice = name == "practice"
    for turn_fields in fields.objects(name, MOST_TURNS, least):
        left, right = (
            _checked_text(turn_fields, side, LONGEST_TERM, lines=True, turning=True)
            for side in ("left", "right")
        )
        has_right_answer = practice and turn_fields.has("right_answer")
        yield (
            practice,
            left,
            right,
            turn_fields.text("right_answer", LONGEST_ANSWER, 1) if has_right_answer else "",
        )


def _number_turns(asked: Sequence[tuple[bool, str, str, str]]) -> list[Turn]:
    """Turns with their places, and which time each pair is shown."""
    shown: dict[frozenset[str], int] = {}
    practised = {frozenset((left, right)) for practice, left, right, _ in asked if practice}
    turns = []
    for position, (practice, left, right, known) in enumerate(asked):
        terms = frozenset((left, right))
        shown[terms] = shown.get(terms, 0) + 1
        if len(terms) == 1 or shown[terms] > (1 if terms in practised else 2):
            raise ValueError(
                tr(
                    "pair {number}: it is asked too often, or twice the same term",
                    number=position + 1,
                )
            )
        turns.append(Turn(position, left, right, shown[terms], practice, known))
    return turns
