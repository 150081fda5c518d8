"""Readies the process that children of these tests are forked from, which wait for them.

It has imported what they import, and done once what each would have to do first: looking up
compiled code, and relating tables to classes. Beside other work they go behind nothing, as a test
waits for each.
"""

from importlib import import_module
from pkgutil import walk_packages

import numpy as np
from sqlalchemy.orm import configure_mappers

import termexplorer.importers
import termexplorer.store
import termexplorer.trainer
import termexplorer.workers
from termexplorer.trainer.search.standing import count_above_and_tied
from termexplorer.workers.process import child

_IMPORTED = (
    "fastobo",
    "fasttext",
    "hnswlib",
    "multiprocessing.popen_forkserver",
    "scipy.optimize",
    "scipy.sparse",
    "sklearn.ensemble",
    "sklearn.feature_extraction.text",
    "torch._dynamo",  # an optimizer of PyTorch imports it with its first step
    "transformers.models.auto.modeling_auto",
    "transformers.models.auto.tokenization_auto",
    "transformers.models.bert.modeling_bert",
)


def _import_packages() -> None:
    for package in (
        termexplorer.importers, termexplorer.store, termexplorer.trainer, termexplorer.workers
    ):  # fmt: skip
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith(".env") and ".migrations." not in module.name:
                import_module(module.name)


def _look_up_compiled_code() -> None:
    for kind in (np.float32, np.float64):
        above, equal = np.empty((2, 1), np.int64)
        count_above_and_tied(
            np.zeros((1, 2), kind), np.array([0, 1]), np.zeros(1, kind), above, equal
        )


for name in _IMPORTED:
    import_module(name)
_import_packages()
configure_mappers()
_look_up_compiled_code()
child.go_behind = lambda: None
