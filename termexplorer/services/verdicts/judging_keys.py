"""The keys of all that is judged: of the answers to suggestions and of studies, and of the tools.

Pages, adjudication, the help, and what an author may choose as the key of an answer follow these.
"""

from collections.abc import Sequence
from string import ascii_uppercase, digits

from termexplorer.services.verdicts.log import ANSWER_WORDS, ANSWERS, CHANGED
from termexplorer.services.verdicts.mapping_answers import predicate_keys
from termexplorer.store.judging.studies import AnswerChoice
from termexplorer.texts import translated

UNDO, UNDO_TOO, REDO = "Ctrl+Z", "Backspace", "Ctrl+Shift+Z"
NOTE = "N"  # of a suggestion
OTHER_TARGET = "/"  # of a mapping
CANDIDATE_KEYS = ("1", "2", "3", "4", "5")
COMMENT, LATER, GLOSSARY = "C", "L", "G"  # of a pair, as all that follow
WEB, WEB_SECOND = "W", "Shift+W"
ANNOTATIONS = "V"  # what annotators said, in an adjudication
GUIDELINES, GIVEN_ANSWERS, FULL_SCREEN, SAVE, BACK = "F1", "F2", "F11", "Ctrl+S", "Esc"
TAKEN_LETTERS = frozenset({COMMENT, LATER, GLOSSARY, WEB, ANNOTATIONS})
"""Letters that no answer of a study can have."""


def suggestion_title(answer: str) -> str:
    """Return what one of `ANSWERS` is called at the start of a text."""
    return translated(ANSWER_WORDS[answer]).capitalize()


def suggestion_keys() -> dict[str, str]:
    """Return the key of each of `ANSWERS` that has one: its first letter in the language in use."""
    pressed = [answer for answer in ANSWERS if answer != CHANGED]
    letters = {answer: suggestion_title(answer)[0].upper() for answer in pressed}
    sound = all(letter in ascii_uppercase for letter in letters.values())
    if not sound or len({*letters.values(), NOTE}) <= len(letters):
        return {answer: answer[0].upper() for answer in pressed}
    return letters


def mapping_keys() -> dict[str, str]:
    """Return the key of each predicate that a mapping may have, none of `suggestion_keys`."""
    return predicate_keys((*suggestion_keys().values(), NOTE))


def scale_keys(choices: Sequence[AnswerChoice]) -> dict[str, tuple[str, ...]]:
    """Return the keys of each answer of a study.

    They are its own, else its number, and its first letter where that tells. Where answers are
    numbers themselves, these are their keys, and no other number is one: 1 is never the key of "0".
    """
    chosen = {choice.key for choice in choices if choice.key}
    numbers = {choice.answer for choice in choices if choice.answer in set(digits)}
    letters = [choice.answer[0].upper() for choice in choices]
    keys: dict[str, tuple[str, ...]] = {}
    for number, (choice, letter) in enumerate(zip(choices, letters, strict=True), 1):
        usual = [] if numbers or number > 9 else [str(number)]
        if choice.answer in numbers:
            usual = [choice.answer]
        elif letter.isalpha() and letters.count(letter) == 1 and letter not in TAKEN_LETTERS:
            usual.append(letter)
        free = tuple(key for key in usual if key not in chosen)
        keys[choice.answer] = (choice.key,) if choice.key else free
    return keys
