"""Readies the process that children of these tests are forked from, which wait for them.

It has imported what they import, and done once what each would have to do first: looking up
compiled code.
"""

from importlib import import_module

import numpy as np

from trainer.evaluation.standing import standing

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
    "termexplorer.store.tables",
    "termexplorer.workers.evaluation",
    "termexplorer.workers.importing",
    "termexplorer.workers.loading",
    "termexplorer.workers.ranking",
    "termexplorer.workers.release_data",
    "termexplorer.workers.run_figures",
    "termexplorer.workers.training",
    "termexplorer.workers.vectors",
    "trainer.evaluation.rankings",
    "trainer.lexical.base",
    "trainer.objectives",
    "trainer.recipes",
    "trainer.representations.tfidf",
    "trainer.retrieval",
)


def _look_up_compiled_code() -> None:
    for kind in (np.float32, np.float64):
        above, equal = np.empty((2, 1), np.int64)
        standing(np.zeros((1, 2), kind), np.array([0, 1]), np.zeros(1, kind), above, equal)


for _each in _IMPORTED:
    import_module(_each)
_look_up_compiled_code()
