"""Maps: vectors of names to places on a plane, by PCA, t-SNE or UMAP, and how true they are.

Each method is a frozen dataclass of its parameters with ``project``. All look at directions alone:
vectors are taken at unit length, so that nearness is nearness by cosine. ``quality`` tells how true
a map is. Heavy libraries are imported where they are used.
"""

from __future__ import annotations

from typing import Any

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.projection.base import MapQuality, MapStep, Projected, Watch
from termexplorer.trainer.projection.pca import Pca
from termexplorer.trainer.projection.tsne import Tsne
from termexplorer.trainer.projection.umap import Umap

__all__ = [
    "METHODS",
    "MapQuality",
    "MapStep",
    "Method",
    "Pca",
    "Projected",
    "Tsne",
    "Umap",
    "Watch",
    "method_of",
]

Method = Pca | Tsne | Umap
METHODS: dict[str, type[Method]] = {"pca": Pca, "tsne": Tsne, "umap": Umap}


def method_of(name: str, parameters: dict[str, Any]) -> Method:
    """Return a method with its parameters; those left out are as usual.

    Raises:
        ValueError: there is no such method or parameter, or its value cannot be.
    """
    kind = METHODS.get(name)
    if kind is None:
        raise TrainerError(
            "there is no method {name}; choose one of {methods}",
            name=name,
            methods=", ".join(METHODS),
        )
    fields = list(kind.__dataclass_fields__)
    for parameter in parameters:
        if parameter not in fields:
            has = f"takes {' and '.join(fields)}" if fields else "takes no parameters"
            raise TrainerError(
                "{name} has no parameter {parameter}; it {has}",
                name=name,
                parameter=parameter,
                has=has,
            )
    return kind(**parameters)
