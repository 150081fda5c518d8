"""Pairs that were rejected before another run, or another release, suggested them again."""

from collections.abc import Iterable

from termexplorer.services.verdicts.log import (
    CHANGED,
    LATER,
    LoggedVerdict,
    VerdictSubject,
)
from termexplorer.services.verdicts.mapping_answers import find_chosen

__all__ = ["find_rejections", "rejects"]

_Pair = tuple[str, str, str]


def find_rejections(
    suggested: Iterable[VerdictSubject], judged: Iterable[LoggedVerdict], made_at: str
) -> dict[VerdictSubject, LoggedVerdict]:
    """Return who rejected the pair of a suggestion last, before it was suggested.

    What counts is the last that anybody said of the pair, by whatever predicate it was suggested
    then; who is not sure says nothing, and who puts it off opens it again.

    Args:
        suggested: what is suggested.
        judged: what counts of these pairs.
        made_at: when it was suggested, ISO 8601 in UTC.
    """
    last: dict[_Pair, LoggedVerdict] = {}
    for verdict in judged:
        if verdict.answer.answer == "unsure":
            continue
        pair = _pair_of(verdict.subject)
        moment = verdict.answer.answered_at
        if pair not in last or last[pair].answer.answered_at <= moment:
            last[pair] = verdict
    pairs = ((about, last.get(_pair_of(about))) for about in suggested)
    return {
        about: verdict
        for about, verdict in pairs
        if verdict and rejects(verdict) and verdict.answer.answered_at < made_at
    }


def rejects(verdict: LoggedVerdict) -> bool:
    """Return whether a verdict says that a pair is none: wrong, another concept, or no match."""
    answer = verdict.answer
    if answer.answer in ("wrong", LATER):
        return answer.answer == "wrong"
    chosen = find_chosen(verdict.subject, answer)
    return answer.answer == CHANGED and bool(chosen and chosen.object != verdict.subject.object)


def _pair_of(about: VerdictSubject) -> _Pair:
    return str(about.subject), str(about.object), about.term
