"""Encoders as folders that the library sentence-transformers opens, with the same vectors.

Such a folder may hold no code of ours, so every step is one of that library's own modules. Not
expressible are joined representations, a user's matrix, vectors by skip-grams or of bigrams, and
encoders that read words or letters themselves (no module sees parts of a vector, or whole names, or
words in their order), and fastText's vectors of words that are not in the folder: they are left out
of a name's mean, as unknown words are.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.export.layers import Module, write_json
from termexplorer.trainer.export.modules import modules_of
from termexplorer.trainer.files.folders import room_beside
from termexplorer.trainer.files.synced import move_synced
from termexplorer.trainer.representations.base import Representation


def to_sentence_transformers(
    names: Representation, folder: str | Path, *, also: Sequence[str] = ()
) -> None:
    """Write a folder that ``SentenceTransformer(folder)`` opens, from version 3.2 on.

    Its vectors are those of ``names.encode``, up to rounding: from word vectors, fastText's for
    the words in the folder, a transformer, and from trained encoders over these. But a name
    without any token is no zero row after a transformer, and weighted means of words (``sif``),
    which are the shorter the less their words agree, are at unit length.

    Args:
        names: what to export.
        folder: a new one.
        also: names whose words are to be in the folder, besides those of fastText's vocabulary.

    Raises:
        ValueError: for a folder that is there already, or what the library cannot express.
    """
    folder = Path(folder)
    if folder.exists():
        raise TrainerError("{folder} is there already; name a new folder", folder=folder)
    modules = list(modules_of(names, also))
    with room_beside(folder) as room:
        part = room / folder.name
        part.mkdir()
        _write_modules(part, modules)
        move_synced(part, folder)


def _write_modules(folder: Path, modules: Sequence[Module]) -> None:
    entries = []
    for number, (kind, write) in enumerate(modules):
        module_folder = folder / f"{number}_{kind}"
        module_folder.mkdir()
        write(module_folder)
        entry = {"idx": number, "name": str(number), "path": module_folder.name}
        entries.append({**entry, "type": f"sentence_transformers.models.{kind}"})
    write_json(folder / "modules.json", entries)
    write_json(folder / "config_sentence_transformers.json", {"similarity_fn_name": "cosine"})
    steps = "".join(f"- `{entry['path']}`\n" for entry in entries)
    (folder / "README.md").write_text(_CARD.format(steps=steps), encoding="utf-8")


_CARD = """# An encoder of names, exported by termexplorer

```python
from sentence_transformers import SentenceTransformer

SentenceTransformer("this folder").encode(["viral pneumonia"])
```

A name goes through these steps:

{steps}
Its vector is that of `trainer.load`, with three exceptions: weighted means of words (SIF) are at
unit length here; words that are not in the folder are left out, where fastText would compose them;
and an empty name is zero there, but not here if a transformer reads it.
"""
