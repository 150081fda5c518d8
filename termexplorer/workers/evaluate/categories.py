"""Category separation: close categories are to be more similar than distant ones ([MTS] 5.3)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.texts import tr
from termexplorer.trainer.errors import Message
from termexplorer.trainer.metrics import OVERLAP, SEPARATION
from termexplorer.workers.data.level_choice import LevelChoice
from termexplorer.workers.data.level_data import level_labels
from termexplorer.workers.data.level_sets import data_hash
from termexplorer.workers.evaluate.task_data import Ints, TaskContext, TaskData
from termexplorer.workers.process import kept_texts

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.figures import TaskResult
    from termexplorer.trainer.text.names import LabelledNames

_MOST = 4000  # names; every one is compared with every other


def category_tasks(context: TaskContext) -> Iterator[TaskData]:
    """Each class of level 2, others below the same class of level 1, and all below another one.

    Raises:
        UserError: no ontology is named, or its second level has no classes.
    """
    from termexplorer.trainer.evaluation.bootstrap import mean_figures
    from termexplorer.trainer.evaluation.categories import category_separation

    request = context.request
    if request.ontology_id is None:
        raise UserError(tr("categories needs names with levels: say which with --ontology"))
    labels, above, total = _read_categories(context, request.ontology_id)

    def result(encoder_id: int) -> "TaskResult":
        scores = context.scores(encoder_id, labels.names)
        values = np.full(len(labels.names), np.nan)
        for category in np.unique(labels.class_index):
            is_own = labels.class_index == category
            near = (above == above[is_own][0]) & ~is_own
            places = [np.flatnonzero(mask) for mask in (is_own, near, above != above[is_own][0])]
            separation = category_separation(scores, *places, **context.options)
            values[is_own] = separation.items[OVERLAP]
        # the share that is in order comes first, so that more is better in every table
        return mean_figures({SEPARATION: 1 - values, OVERLAP: values}, request.seed)

    yield TaskData(
        task="categories",
        title=Message(
            kept_texts.OF_CATEGORIES,
            names=len(labels.names),
            classes=len(np.unique(labels.class_index)),
        ),
        data_hash=data_hash(labels, np.zeros(len(labels.names), np.uint8)),
        result=result,
        mentions=labels.names,
        notes=[Message(kept_texts.CATEGORIES, most=_MOST)] if total > len(labels.names) else [],
        ontology_id=request.ontology_id,
        not_counted=kept_texts.NO_NEIGHBOUR,
    )


def _read_categories(context: TaskContext, release_id: int) -> "tuple[LabelledNames, Ints, int]":
    """Names with their class on level 2, their class on level 1, (n,), and how many there were."""
    from termexplorer.trainer.text.names import LabelledNames

    plain = LevelChoice(shortcuts=False, dead_ends=False, below_depth=False)
    try:
        low, high = level_labels(context.store, release_id, [plain.on(level) for level in (2, 1)])
    except UserError as error:
        raise UserError(
            tr(
                "{why}; categories compares the classes of levels 1 and 2, so choose an ontology "
                "that has both",
                why=error.why,
            )
        ) from error
    both = np.flatnonzero((low.class_counts() == 1) & (high.class_counts() == 1))
    if not len(both):
        raise UserError(tr("no name is in one class of level 1 and one of level 2"))
    drawn = np.random.default_rng(context.request.seed).permutation(both)[:_MOST]
    drawn.sort()
    of_low, of_high = (_class_of(labels) for labels in (low, high))
    names = tuple(low.names[index] for index in drawn)
    labelled = LabelledNames(names, low.classes, np.arange(len(drawn)), of_low[drawn])
    return labelled, of_high[drawn], len(both)


def _class_of(labels: "LabelledNames") -> NDArray[np.int64]:
    """The last class of each name, -1 for none, (n,)."""
    class_of_name = np.full(len(labels.names), -1)
    class_of_name[labels.name_index] = labels.class_index
    return class_of_name
