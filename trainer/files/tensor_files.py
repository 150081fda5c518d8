"""Tensors as safetensors files, which others may read as they may any file of ours."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from stat import S_IMODE

from torch import Tensor


def save_tensors(tensors: Mapping[str, Tensor], path: Path) -> None:
    """Write tensors to a file."""
    from safetensors.torch import save_file

    save_file({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}, path)
    _give_usual_mode(path)


def _give_usual_mode(path: Path) -> None:
    """Give a file the permissions of any new one; safetensors leaves its own to their owner."""
    fresh = path.with_name(f"{path.name}.mode")  # asking for the umask would change it meanwhile
    fresh.touch()
    try:
        path.chmod(S_IMODE(fresh.stat().st_mode))
    finally:
        fresh.unlink()


def give_usual_modes(folder: Path) -> None:
    """Give the usual permissions to what a library has written to a folder by safetensors."""
    for path in folder.glob("*.safetensors"):
        _give_usual_mode(path)
