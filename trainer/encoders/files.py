"""The folder of a saved encoder: its weights as safetensors, the rest as JSON, with hashes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.folders import read_meta, replacing
from termexplorer.trainer.files.tensor_files import save_tensors

WEIGHTS = "weights.safetensors"


def write_weights(folder: Path, meta: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> None:
    """Write an encoder; ``meta`` has its ``kind``."""
    with replacing(folder, meta) as part:
        save_tensors(tensors, part / WEIGHTS)


@contextmanager
def weights_of(
    folder: Path, kind: str, device: str, *, verify: bool
) -> Iterator[tuple[dict[str, Any], dict[str, Tensor]]]:
    """Yield the JSON and the weights of a saved encoder, to make one of.

    Raises:
        ValueError: for one of another kind, a missing or changed file, or when the body finds
            that something is missing.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    meta = read_meta(folder, verify=verify)
    if meta.get("kind") != kind:
        raise TrainerError(
            "{folder} holds a {meta!r} encoder, not {kind!r}",
            folder=folder,
            meta=meta.get("kind"),
            kind=kind,
        )
    try:
        weights = load_file(folder / WEIGHTS, device=device)
        for name, tensor in weights.items():
            if tensor.is_floating_point() and not bool(tensor.isfinite().all()):
                raise TrainerError(
                    "{file}: {name} is not all finite numbers", file=folder / WEIGHTS, name=name
                )
        yield meta, weights
    except (SafetensorError, KeyError, TypeError, RuntimeError) as error:
        raise TrainerError(
            "{file} is damaged; make the encoder anew", file=folder / WEIGHTS
        ) from error
