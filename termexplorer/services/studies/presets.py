"""What a study can ask, and protocols: `study_presets.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar

from termexplorer.errors import UserError
from termexplorer.resources import FOLDER
from termexplorer.store.judging.studies import AnswerChoice
from termexplorer.texts import tr, translated

__all__ = [
    "AnswerChoice",
    "Scale",
    "StudyProtocol",
    "find_protocol",
    "find_scale",
    "offered_scales",
    "protocols",
    "review_scale",
    "scales",
]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Scale:
    """What is asked of each pair.

    Attributes:
        question: in words.
        level: of measurement: nominal, ordinal or interval.
        guidelines: to be read before.
        answers: that can be given, as they are shown.
        similar: the one that means "similar" where labels are held against answers, or the lowest
            that does on a scale with an order; empty for none.
    """

    question: str
    level: str
    guidelines: str
    answers: tuple[AnswerChoice, ...]
    similar: str = ""


@dataclass(frozen=True, slots=True)
class StudyProtocol:
    """How much is asked.

    Attributes:
        meaning: for people.
        each: how many positives, and as many negatives, are drawn from each set.
        practice: pairs before.
        repeat: share of an annotator's pairs that are shown again.
    """

    meaning: str
    each: int
    practice: int
    repeat: float


def scales() -> Mapping[str, Scale]:
    """All scales; the first is the usual one."""
    return {name: _scale_of_values(values) for name, values in _read_presets()["scales"].items()}


def offered_scales() -> Mapping[str, Scale]:
    """Return all scales as a window offers them for a new study, in its language."""
    return {name: _translate_scale(scale) for name, scale in scales().items()}


def _translate_scale(scale: Scale) -> Scale:
    answers = (
        replace(answer, answer=translated(answer.answer), meaning=translated(answer.meaning))
        for answer in scale.answers
    )
    return Scale(
        translated(scale.question),
        scale.level,
        translated(scale.guidelines),
        tuple(answers),
        translated(scale.similar),
    )


def review_scale() -> Scale:
    """What is asked of suggestions; its answers are those of a review, in any language."""
    scale = _scale_of_values(_read_presets()["review"])
    question, guidelines = translated(scale.question), translated(scale.guidelines)
    return replace(scale, question=question, guidelines=guidelines)


def protocols() -> Mapping[str, StudyProtocol]:
    """All protocols; the first is the usual one."""
    return {name: StudyProtocol(**values) for name, values in _read_presets()["protocols"].items()}


def find_scale(name: str) -> Scale:
    """The scale of a name.

    Raises:
        UserError: there is none.
    """
    return _find_named(tr("scale", sense="study"), scales(), name)


def find_protocol(name: str) -> StudyProtocol:
    """The protocol of a name.

    Raises:
        UserError: there is none.
    """
    return _find_named(tr("protocol", sense="study"), protocols(), name)


def _scale_of_values(values: Mapping[str, Any]) -> Scale:
    return Scale(
        values["question"],
        values["level"],
        values["guidelines"].strip(),
        tuple(AnswerChoice(**fields) for fields in values["answers"]),
        values.get("similar", ""),
    )


def _find_named(kind: str, among: Mapping[str, _T], name: str) -> _T:
    if name not in among:
        raise UserError(
            tr(
                "there is no {what} {name!r}; there are {known}",
                what=kind,
                name=name,
                known=", ".join(among),
            )
        )
    return among[name]


@cache
def _read_presets() -> dict[str, Any]:
    file = FOLDER / "study_presets.toml"
    return tomllib.loads(file.read_text("utf-8"))
