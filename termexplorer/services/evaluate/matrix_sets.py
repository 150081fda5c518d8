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
    for evaluation in evaluations:
        same_group = next(
            (group for group in groups if _is_of_same_set(group[0], evaluation)), None
        )
        if same_group is None:
            groups.append([evaluation])
        else:
            same_group.append(evaluation)
    return [_choose_fullest(group) for group in groups]


def _is_of_same_set(first: Evaluated, second: Evaluated) -> bool:
    if _setting_of(first) != _setting_of(second):
        return False
    if first.set_hash and second.set_hash:
        return first.set_hash == second.set_hash
    if first.data_hash == second.data_hash:
        return True
    is_on_pairs = first.task.partition(",")[0] in ON_PAIRS
    return is_on_pairs and first.items is not None and _look_of(first) == _look_of(second)


def _setting_of(evaluated: Evaluated) -> tuple[object, ...]:
    return evaluated.task, evaluated.metric, evaluated.level, evaluated.split_id


def _look_of(evaluated: Evaluated) -> tuple[object, ...]:
    """Return what tells a set of an evaluation by an earlier version."""
    return evaluated.title, evaluated.items


def _choose_fullest(group: list[Evaluated]) -> Evaluated:
    """Return that with most encoders, by the name that the user gave any of them."""
    fullest = max(group, key=lambda evaluation: len(evaluation.figures))
    named = next((evaluation.name for evaluation in group if evaluation.name), "")
    return replace(fullest, name=fullest.name or named)
