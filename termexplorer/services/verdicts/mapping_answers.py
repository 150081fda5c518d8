"""What curators answer to a suggested mapping: its predicate, and the concept that it goes to."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from termexplorer.mapping_terms import BROAD, EXACT, NARROW, NO_TERM, RELATED
from termexplorer.services.verdicts.log import ALSO, CHANGED, Answer, LoggedVerdict, VerdictSubject
from termexplorer.texts import mark, tr, translated

__all__ = [
    "NONE_KEY", "PREDICATE_WORDS", "ChosenMapping", "answer_mapping", "check_changed",
    "choose_mapping", "find_chosen", "is_denied", "predicate_keys", "predicate_title",
    "repeat_answer", "turn_denied",
]  # fmt: skip

PREDICATE_WORDS = {
    EXACT: mark("exact"),
    BROAD: mark("broader"),
    NARROW: mark("narrower"),
    RELATED: mark("related"),
    NO_TERM: mark("no match"),
}
"""What a curator answers with one key each; `NO_TERM`: that nothing matches."""
NONE_KEY = "0"
_INSTEAD = "instead"  # of an answer's details
_TURNED = {"correct": "wrong", "wrong": "correct"}


@dataclass(frozen=True, slots=True)
class ChosenMapping:
    """What a curator says that a concept is.

    Attributes:
        predicate: a CURIE.
        object: CURIE of the other concept, or `NO_TERM`.
        object_label: its name; "" of `NO_TERM`, or where nobody knows.
    """

    predicate: str
    object: str
    object_label: str = ""


def choose_mapping(predicate: str, object_: str, label: str) -> ChosenMapping | None:
    """Return what one of `PREDICATE_WORDS` says of a concept; None of what says it of nothing."""
    if predicate == NO_TERM:
        return ChosenMapping(EXACT, NO_TERM)
    return ChosenMapping(predicate, object_, label) if object_ not in ("", NO_TERM) else None


def answer_mapping(about: VerdictSubject, chosen: ChosenMapping) -> tuple[str, dict[str, Any]]:
    """Return the answer to a suggestion that this choice is, and its details."""
    if (chosen.predicate, chosen.object) == (about.question, about.object):
        return "correct", {}
    return CHANGED, {_INSTEAD: asdict(chosen)}


def is_denied(slots: Mapping[str, str]) -> bool:
    """Return whether a mapping with these slots of SSSOM says that it is none."""
    return slots.get("predicate_modifier") == "Not"


def turn_denied(slots: Mapping[str, str], answer: str) -> str:
    """Return an answer to a denial as one to the mapping, or back; others as they are.

    The log has what is said of the mapping, whichever list it is in: that a denial of it is
    correct is kept as that the mapping is wrong.

    Args:
        slots: of the mapping as it is suggested.
        answer: one of `ANSWERS`.

    >>> turn_denied({"predicate_modifier": "Not"}, "correct"), turn_denied({}, "correct")
    ('wrong', 'correct')
    """
    return _TURNED.get(answer, answer) if is_denied(slots) else answer


def repeat_answer(verdict: LoggedVerdict) -> tuple[str, dict[str, Any]]:
    """Return an answer with what it changed, to be given once more, such as with a note."""
    chosen = find_chosen(verdict.subject, verdict.answer)
    if chosen is None or verdict.answer.answer != CHANGED:
        return verdict.answer.answer, {}
    return answer_mapping(verdict.subject, chosen)


def find_chosen(about: VerdictSubject, answer: Answer) -> ChosenMapping | None:
    """Return the mapping that an answer asserts; None where it asserts none.

    The label of what was suggested is left out.
    """
    if answer.answer in ("correct", ALSO):
        return ChosenMapping(about.question, about.object)
    return _read_instead(answer.details) if answer.answer == CHANGED else None


def check_changed(answer: str, details: Mapping[str, Any]) -> None:
    """Check that an answer that changes a mapping says what it is instead.

    Raises:
        ValueError: it does not.
    """
    if answer == CHANGED and _read_instead(details) is None:
        raise ValueError(
            tr(
                "the answer {answer!r} needs details such as {example}",
                answer=CHANGED,
                example='{"instead": {"predicate": "skos:broadMatch", "object": "HP:1"}}',
            )
        )


def _read_instead(details: Mapping[str, Any]) -> ChosenMapping | None:
    instead = details.get(_INSTEAD)
    if not isinstance(instead, Mapping):
        return None
    texts = [instead.get(key, "") for key in ("predicate", "object", "object_label")]
    if not all(isinstance(text, str) for text in texts) or not (texts[0] and texts[1]):
        return None
    return ChosenMapping(*texts)


def predicate_title(predicate: str) -> str:
    """Return what a predicate is called at the start of a text; one without words as it is."""
    words = PREDICATE_WORDS.get(predicate)
    if words is None:
        return predicate
    title = translated(words)
    return f"{title[:1].upper()}{title[1:]}"


def predicate_keys(taken: Iterable[str]) -> dict[str, str]:
    """Return the key of each predicate: a letter of its title that nothing else has.

    First letters go first; nothing matches by `NONE_KEY`, beside the numbers of candidates.

    Args:
        taken: the letters of other answers and tools.
    """
    free = set("ABCDEFGHIJKLMNOPQRSTUVWXYZ") - set(taken)
    titles = {p: predicate_title(p).upper() for p in PREDICATE_WORDS if p != NO_TERM}
    keys: dict[str, str] = {}
    for letters in (1, None):
        for predicate, title in titles.items():
            letter = next((sign for sign in title[:letters] if sign in free), "")
            if predicate not in keys and letter:
                keys[predicate] = letter
                free.discard(letter)
    return {p: keys[p] for p in titles} | {NO_TERM: NONE_KEY}
