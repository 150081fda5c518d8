"""Readies the process that children of these tests are forked from, which wait for them.

It has imported what they import, and done once what each would have to do first: looking up
compiled code.
"""

from importlib import import_module

import numpy as np

from termexplorer.trainer.search.standing import count_above_and_tied

_IMPORTED = (
    "fasttext",
    "hnswlib",
    "scipy.optimize",
    "scipy.sparse",
    "sklearn.ensemble",
    "sklearn.feature_extraction.text",
    "torch._dynamo",  # an optimizer of PyTorch imports it with its first step
    "transformers.models.auto.modeling_auto",
    "transformers.models.auto.tokenization_auto",
    "transformers.models.bert.modeling_bert",
    "termexplorer.importers.formats",
    "termexplorer.store.opening",
    "termexplorer.store.tables.releases",
    "termexplorer.workers.evaluate",
    "termexplorer.workers.importing.run",
    "termexplorer.workers.importing.loading",
    "termexplorer.workers.explore.ranking",
    "termexplorer.workers.ranking.release_data",
    "termexplorer.workers.train.run_figures",
    "termexplorer.workers.train.training",
    "termexplorer.workers.encoders.vectors",
    "termexplorer.trainer.evaluation.rankings",
    "termexplorer.trainer.representations.lexical_names",
    "termexplorer.trainer.tensors.objectives",
    "termexplorer.trainer.recipes",
    "termexplorer.trainer.representations.tfidf",
    "termexplorer.trainer.search.retrieval",
)


def _look_up_compiled_code() -> None:
    for kind in (np.float32, np.float64):
        above, equal = np.empty((2, 1), np.int64)
        count_above_and_tied(
            np.zeros((1, 2), kind), np.array([0, 1]), np.zeros(1, kind), above, equal
        )


for _each in _IMPORTED:
    import_module(_each)
_look_up_compiled_code()
