"""Which of several evaluations of one set stands in the matrix."""

from collections.abc import Iterable
from dataclasses import replace

from termexplorer.services.evaluate.evaluation import ON_PAIRS, Evaluated


def keep_once(evaluations: Iterable[Evaluated]) -> list[Evaluated]:
    """Return one evaluation of each set: that with most encoders, the newest of equal ones.

    Sets of pairs are evaluated on the pairs that all encoders of a call know, so that other
    encoders make another evaluation, whose figures are not comparable.

    Args:
        evaluations: the newest first, with the figures alone that are shown.
    """
    groups: list[list[Evaluated]] = []
    for each in evaluations:
        own = next((group for group in groups if _is_of_same_set(group[0], each)), None)
        if own is None:
            groups.append([each])
        else:
            own.append(each)
    return [_choose_fullest(group) for group in groups]


def _is_of_same_set(one: Evaluated, other: Evaluated) -> bool:
    if _setting_of(one) != _setting_of(other):
        return False
    if one.set_hash and other.set_hash:
        return one.set_hash == other.set_hash
    if one.data_hash == other.data_hash:
        return True
    is_on_pairs = one.task.partition(",")[0] in ON_PAIRS
    return is_on_pairs and one.items is not None and _look_of(one) == _look_of(other)


def _setting_of(evaluated: Evaluated) -> tuple[object, ...]:
    return evaluated.task, evaluated.metric, evaluated.level, evaluated.split_id


def _look_of(evaluated: Evaluated) -> tuple[object, ...]:
    """Return what tells a set of an evaluation by an earlier version."""
    return evaluated.title, evaluated.items


def _choose_fullest(group: list[Evaluated]) -> Evaluated:
    """Return that with most encoders, by the name that the user gave any of them."""
    fullest = max(group, key=lambda each: len(each.figures))
    named = next((each.name for each in group if each.name), "")
    return replace(fullest, name=fullest.name or named)
