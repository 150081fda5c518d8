"""Answers of a study as its author writes them, a line each.

`KEY: ANSWER = NUMBER (MEANING) [HINT]`, of which all but the answer may be left out. What stands in
square brackets is shown while practising.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isfinite

from termexplorer.services.files.plain_texts import check_text, fold_name
from termexplorer.services.studies.rows import SKIPPED
from termexplorer.services.verdicts.judging_keys import TAKEN_LETTERS
from termexplorer.store.judging.studies import AnswerChoice
from termexplorer.texts import mark, tr, translated

LEVELS = ("nominal", "ordinal", "interval")
LONGEST_ANSWER, LONGEST_MEANING = 100, 500  # characters; a hint is as long as a meaning
FEWEST, MOST = 2, 20

_LINE = re.compile(
    r"(?:(?P<key>\S)\s*:\s+)?(?P<answer>.+?)"
    r"(?:\s*=\s*(?P<value>\?|[-+]?\d+(?:\.\d+)?))?"
    r"(?:\s+\((?P<meaning>[^()]+)\))?(?:\s+\[(?P<hint>[^\[\]]+)\])?"
)
_UNSURE = "don't know"
_NO_RATING = "?"
_SIMILAR = 1.0  # the number of the similar one among answers that have no order
_NOT_RATED = frozenset({"", "na", "nan", "n/a", "null", "<na>"})  # in tables of ratings
_MOST_NUMBER = 1e9
_LONG_ANSWER = mark("{text!r}: the answer has more than {most} characters")
_LONG_MEANING = mark("{text!r}: the meaning has more than {most} characters")
_LONG_HINT = mark("{text!r}: the hint has more than {most} characters")
_SAME_ANSWER = mark("two answers have the answer {value!r}; they have to differ")
_SAME_KEY = mark("two answers have the key {value!r}; they have to differ")
_SAME_NUMBER = mark("two answers have the number {value!r}; they have to differ")


def read_answers(lines: Iterable[str], level: str, similar: str = "") -> tuple[AnswerChoice, ...]:
    """Reads answers; empty lines are passed over.

    On a scale of kinds (nominal) numbers tell nothing, so that every answer is a rating, but for
    "don't know" and what is `= ?`. On the others an answer is a rating if it has a number, or is
    one.

    Args:
        lines: an answer each.
        level: one of `LEVELS`.
        similar: the answer that means "similar"; "" for none.

    Raises:
        ValueError: with what is wrong with which line in words.
    """
    given = [_parse_line(line.strip()) for line in lines if line.strip()]
    if level != "nominal":
        answers = tuple(choice for choice, _ in given)
    else:
        rated = [choice.answer for choice, marked in given if not marked]
        values = _number_kinds(rated, similar)
        answers = tuple(replace(choice, value=values.get(choice.answer)) for choice, _ in given)
    check_answers(answers, level, similar)
    return answers


def write_answer(choice: AnswerChoice, level: str) -> str:
    """An answer as it is written."""
    parts = [f"{choice.key}: " if choice.key else "", choice.answer]
    if choice.value is None:
        parts.append(f" = {_NO_RATING}")
    elif level != "nominal" and _parse_number(choice.answer) != choice.value:
        parts.append(f" = {choice.value:g}")
    parts += [f" ({choice.meaning})"] if choice.meaning else []
    parts += [f" [{choice.hint}]"] if choice.hint else []
    return "".join(parts)


def similar_ones(answers: Sequence[AnswerChoice], level: str, similar: str) -> tuple[str, ...]:
    """The answers that mean "similar": one of several kinds, or one and all above it.

    Args:
        answers: that can be given.
        level: one of `LEVELS`.
        similar: the answer, or the lowest of them; "" for none, or where 1 tells it.
    """
    if level == "nominal":
        return tuple(answer.answer for answer in answers if answer.value == _SIMILAR)
    lowest = next((answer.value for answer in answers if answer.answer == similar), None)
    if lowest is None:
        return ()
    return tuple(e.answer for e in answers if e.value is not None and e.value >= lowest)


def name_no_rating(answers: Sequence[AnswerChoice]) -> str:
    """Return what a study calls an answer that is no rating; “don't know” where it has none."""
    return " / ".join(answer.answer for answer in answers if answer.value is None) or tr(
        "don't know"
    )


def check_answers(answers: Sequence[AnswerChoice], level: str, similar: str = "") -> None:
    """Tells what cannot be asked.

    Raises:
        ValueError: with what is wrong in words.
    """
    if level not in LEVELS:
        levels = ", ".join(LEVELS)
        raise ValueError(
            tr("there is no level {level!r}; take one of {levels}", level=level, levels=levels)
        )
    rated = [choice for choice in answers if choice.value is not None]
    if not FEWEST <= len(answers) <= MOST:
        raise ValueError(
            tr(
                "{answers} answers are asked for; {fewest} to {most} can be given",
                answers=len(answers),
                fewest=FEWEST,
                most=MOST,
            )
        )
    if len(rated) < FEWEST:
        raise ValueError(
            tr("fewer than two answers are ratings; give them numbers, such as “mild = 1”")
        )
    for answer in answers:
        _check_choice(answer)
    _check_different([fold_name(choice.answer) for choice in answers], _SAME_ANSWER)
    _check_different([choice.key.upper() for choice in answers if choice.key], _SAME_KEY)
    if level != "nominal":
        _check_different([f"{choice.value:g}" for choice in rated], _SAME_NUMBER)
    if similar and similar not in [choice.answer for choice in rated]:
        raise ValueError(tr("{similar!r} is no answer that could mean similar", similar=similar))


def _parse_line(line: str) -> tuple[AnswerChoice, bool]:
    """An answer, and whether it is marked as no rating."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(
            tr("{line!r} is no answer; write it as “s: same = 1 (meaning) [hint]”", line=line[:40])
        )
    key, answer, value, meaning, hint = (part or "" for part in match.groups())
    marked = value == _NO_RATING or (not value and answer.casefold() == _UNSURE)
    number = None if marked else _parse_number(value or answer)
    return AnswerChoice(answer, meaning.strip(), number, key.upper(), hint.strip()), marked


def _number_kinds(rated: Sequence[str], similar: str) -> dict[str, float]:
    """A number for each kind: 1 for the similar one, others for the others."""
    other_answers = [answer for answer in rated if answer != similar]
    numbers = {answer: float(at + (at > 0)) for at, answer in enumerate(other_answers)}
    return {answer: numbers.get(answer, _SIMILAR) for answer in rated}


def _check_choice(choice: AnswerChoice) -> None:
    sizes = (
        (_LONG_ANSWER, choice.answer, LONGEST_ANSWER),
        (_LONG_MEANING, choice.meaning, LONGEST_MEANING),
        (_LONG_HINT, choice.hint, LONGEST_MEANING),
    )
    for long, text, most in sizes:
        if len(text) > most:
            raise ValueError(translated(long, text=text[:40], most=most))
        check_text(tr("the answer {answer!r}", answer=choice.answer[:40]), text, most, 0)
    if not choice.answer.strip():
        raise ValueError(tr("an answer is empty; give a word"))
    word = choice.answer.casefold()
    if word == SKIPPED or (choice.value is not None and word in {*_NOT_RATED, _UNSURE}):
        raise ValueError(
            tr("{answer!r} stands for no rating; use another word, or “= ?”", answer=choice.answer)
        )
    key = choice.key.upper()
    if key and not (len(key) == 1 and key.isascii() and key.isalnum() and key not in TAKEN_LETTERS):
        taken = ", ".join(sorted(TAKEN_LETTERS))
        raise ValueError(
            tr(
                "{key!r} cannot be a key; take a letter but {taken}, or a digit",
                key=choice.key,
                taken=taken,
            )
        )
    if choice.value is not None and not abs(choice.value) <= _MOST_NUMBER:
        raise ValueError(tr("{value:g} is no number that can be counted with", value=choice.value))


def _check_different(values: Sequence[str], same: str) -> None:
    for at, value in enumerate(values):
        if value in values[:at]:
            raise ValueError(translated(same, value=value))


def _parse_number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) else None
