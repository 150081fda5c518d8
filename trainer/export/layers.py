"""Trained encoders as modules of the library sentence-transformers: dense layers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from torch import Tensor

from termexplorer.trainer.encoders.cca import CCA
from termexplorer.trainer.encoders.network import FeedForwardEncoder
from termexplorer.trainer.encoders.whitening import Whitening
from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.files.tensor_files import save_tensors

Module = tuple[str, Callable[[Path], None]]  # its class there, and what writes its folder

_RELU, _CLAMP = "torch.nn.modules.activation.ReLU", "torch.nn.modules.activation.Hardtanh"
_NOTHING = "torch.nn.modules.linear.Identity"


def layers_of(encoder: object) -> Iterator[Module]:
    """Yield what an encoder does to names at unit length, zero for zero.

    No layer has a bias: a constant 1, which is 0 for a zero row, goes along in its place.

    Raises:
        ValueError: for an encoder that cannot be expressed.
    """
    if isinstance(encoder, CCA):
        yield from _projection_modules(encoder)
    elif isinstance(encoder, Whitening):
        yield from less_mean(encoder.mean, encoder.matrix)
    elif isinstance(encoder, FeedForwardEncoder):
        if encoder.projection is not None:
            yield from layers_of(encoder.projection)
            yield unit_length()
        yield from _network_modules(encoder)
    else:
        raise TrainerError(impossible(encoder))


def impossible(layer: object) -> Message:
    """Say that something cannot be expressed."""
    return Message(
        "sentence-transformers has no modules for {kind}; word vectors, transformers and trained "
        "feed-forward encoders over these can be exported",
        kind=type(layer).__name__,
    )


def unit_length() -> Module:
    """Bring rows to unit length; zero rows stay zero."""
    return "Normalize", lambda folder: write_json(folder / "config.json", {})


def _projection_modules(cca: CCA) -> Iterator[Module]:
    yield from less_mean(cca.means[0], cca.matrices[0])


def less_mean(mean: Tensor, matrix: Tensor) -> Iterator[Module]:
    """Take a mean away and multiply; zero rows stay zero."""
    mean, matrix = mean.cpu(), matrix.cpu()
    yield from _constant_modules(len(mean))
    yield _dense_module(torch.cat((matrix.T, -(mean @ matrix)[:, None]), dim=1), _NOTHING)


def _network_modules(encoder: FeedForwardEncoder) -> Iterator[Module]:
    """Yield the hidden layer, past which ``relu(u)`` and ``relu(-u)`` carry u, and the output."""
    w1, b1, w2, b2 = (weight.detach().cpu() for weight in encoder.parameters())
    d = encoder.dimension
    eye, none = torch.eye(d), torch.zeros(d, d)
    hidden = torch.cat((w1, b1[:, None]), dim=1)  # (h, d + 1)
    past = torch.cat((torch.eye(d + 1), -torch.eye(d, d + 1)))  # u and the constant, and -u
    projected, carried = encoder.join(eye, none), encoder.join(none, eye)
    output = (projected @ w2.T, carried, projected @ b2[:, None], -carried)
    yield from _constant_modules(d)
    yield _dense_module(torch.cat((hidden, past)), _RELU)
    yield _dense_module(torch.cat(output, dim=1), _NOTHING)


def _constant_modules(dimension: int) -> Iterator[Module]:
    """Add the constant to u, in two layers: absolute values of a unit row sum up to at least 1."""
    signs = torch.cat((torch.eye(dimension), -torch.eye(dimension)))  # (2d, d)
    twice = torch.full((1, 2 * dimension), 2.0)
    yield _dense_module(signs, _RELU)
    yield _dense_module(torch.cat((signs.T, twice)), _CLAMP)  # (d + 1, 2d)


def _dense_module(weight: Tensor, activation: str) -> Module:
    config = {
        "in_features": weight.shape[1],
        "out_features": weight.shape[0],
        "bias": False,
        "activation_function": activation,
    }

    def write(folder: Path) -> None:
        write_json(folder / "config.json", config)
        save({"linear.weight": weight.contiguous()}, folder)

    return "Dense", write


def save(tensors: dict[str, Tensor], folder: Path) -> None:
    """Write weights to a module's folder."""
    save_tensors(tensors, folder / "model.safetensors")


def write_json(path: Path, content: object) -> None:
    """Write JSON that a reader can understand."""
    text = json.dumps(content, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
