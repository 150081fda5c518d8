"""The resume state of a run: one file of tensors and a JSON record that names it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.damage import damage_named
from termexplorer.trainer.files.folders import sha256
from termexplorer.trainer.files.synced import move_synced, sync_path
from termexplorer.trainer.files.tensor_files import save_tensors

RECORD = "state.json"


def write_state(folder: Path, tensors: dict[str, Tensor], record: dict[str, Any]) -> None:
    """Replace the state in ``folder``; a crash at any moment leaves the old one or the new one."""
    folder.mkdir(parents=True, exist_ok=True)
    older = set(folder.glob("*.safetensors"))
    number = 1 + max((int(path.stem) for path in older if path.stem.isdigit()), default=0)
    file = folder / f"{number}.safetensors"
    save_tensors(tensors, file)
    sync_path(file)
    text = json.dumps({**record, "file": file.name, "sha256": sha256(file)})
    part = folder / (RECORD + ".part")
    part.write_text(text, encoding="utf-8")
    move_synced(part, folder / RECORD)
    for path in older:
        path.unlink()


def read_state(folder: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return the tensors and the record of the state in ``folder``.

    Raises:
        ValueError: for a missing or damaged state.
    """
    from safetensors.torch import load_file

    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        file = folder / Path(str(record["file"])).name
        sound = sha256(file) == record["sha256"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise TrainerError(
            "{folder} holds no state to go on from; start the run anew", folder=folder
        ) from error
    if not sound:
        raise TrainerError("{file} has changed since it was written; start the run anew", file=file)
    with damage_named(file):
        return load_file(file), record
