"""Sound vectors and encoders."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from termexplorer.bench.mutations.sound_file import (
    FileReading,
    SoundFile,
    make_file,
    make_rows,
    read_folder,
)
from termexplorer.bench.mutations.terminology_files import pack_gzip
from termexplorer.errors import UserError
from termexplorer.workers.process.child import trainer_errors

_ROWS, _WIDTH = 12, 8
_NAMES = ("Zq1q", "viral fever", "")


def make_vector_files(folder: Path) -> list[SoundFile]:
    """Return vectors as text, in word2vec's binary form, by fastText, and as a matrix."""
    import numpy as np

    numbers = np.random.default_rng(0).normal(size=(_ROWS, _WIDTH)).astype(np.float32)
    texts = make_rows(
        _ROWS, lambda n, name: f"{name} {' '.join(f'{x:.4f}' for x in numbers[n - 1])}\n"
    )
    read = _read_vectors(folder / "copy")
    text = make_file("toy.vec", read, texts, f"{_ROWS} {_WIDTH}\n")
    glove = make_file("glove.txt", read, texts)
    binary = f"{_ROWS} {_WIDTH}\n".encode() + b"".join(
        f"Zq{n + 1}q ".encode() + struct.pack(f"<{_WIDTH}f", *numbers[n]) + b"\n"
        for n in range(_ROWS)
    )
    np.save(folder / "matrix.npy", numbers)
    names = "".join(f"Zq{n}q\n" for n in range(1, _ROWS + 1)).encode()
    matrix = {"matrix.npy": (folder / "matrix.npy").read_bytes(), "names.txt": names}
    files = [
        text, pack_gzip(text), glove,
        SoundFile("toy.bin", {"toy.bin": binary}, read),
        SoundFile("matrix", matrix, read, is_folder=True),
    ]  # fmt: skip
    return [*files, SoundFile("model.bin", {"model.bin": _train_fasttext(folder)}, read)]


def _read_vectors(copy: Path) -> Callable[[Path], FileReading]:
    from termexplorer import trainer
    from termexplorer.trainer.files.folders import read_meta
    from termexplorer.trainer.representations.base import REPEATED

    def read(path: Path) -> FileReading:
        shutil.rmtree(copy, ignore_errors=True)
        with trainer_errors():
            if path.is_dir():
                trainer.convert(path / "matrix.npy", copy, names=path / "names.txt")
            else:
                trainer.convert(path, copy)
            trainer.load(copy).encode(_NAMES)  # type: ignore[union-attr]
            facts = {"repeated": int(read_meta(copy).get(REPEATED, 0))}
        words = copy / "words.txt"
        return FileReading(words.read_text("utf-8") if words.is_file() else "", facts)

    return read


def _train_fasttext(folder: Path) -> bytes:
    import fasttext

    corpus = folder / "corpus.txt"
    corpus.write_text("viral fever of the lung\nacute viral pneumonia\n" * 20, "utf-8")
    model = fasttext.train_unsupervised(
        str(corpus), dim=_WIDTH, minCount=1, epoch=1, thread=11, bucket=50, verbose=0
    )
    model.save_model(str(folder / "made.bin"))
    return (folder / "made.bin").read_bytes()


def make_encoder_files(folder: Path) -> list[SoundFile]:
    """Return folders that `trainer.load` opens; their hashes are mended most of the time."""
    from termexplorer import trainer
    from termexplorer.trainer.representations.tfidf import TfidfNames

    texts = {
        f"class {index}": [f"name {index} {number}" for number in range(8)] for index in range(3)
    }
    labels = trainer.labelled(texts)
    vectors = folder / "vectors"
    words = [
        f"{word} {' '.join('0.5' if n == at else '-0.25' for n in range(_WIDTH))}"
        for at, word in enumerate(("name", "class", *"01234567"))
    ]
    (folder / "toy.vec").write_text(f"{len(words)} {_WIDTH}\n" + "\n".join(words) + "\n", "utf-8")
    trainer.convert(folder / "toy.vec", vectors)
    data = trainer.Data(labels, trainer.few_shot_split(labels, shots=3, seed=0), vectors)
    folders = [vectors]
    recipes: tuple[Any, ...] = (
        trainer.FewShot.quick(),
        trainer.DeepAveraging.quick(),
        trainer.Whiten.quick(),
    )
    for recipe in recipes:
        run = folder / type(recipe).__name__
        for _report in trainer.train(
            replace(recipe, **_shorten_recipe(recipe)), data, state_dir=run
        ):
            pass
        folders.append(run)
    TfidfNames.fit(labels.names).save(folder / "tfidf")
    folders.append(folder / "tfidf")
    beside = {"vectors": read_folder(vectors)}
    return [
        SoundFile(
            encoder_folder.name,
            _read_below(encoder_folder, beside),
            _load_encoder,
            is_folder=True,
            mend=mend,
        )
        for encoder_folder in folders
        for mend in (None, mend_hashes, mend_hashes)
    ]


def _shorten_recipe(recipe: object) -> dict[str, int]:
    return {"maximum_epochs": 1} if hasattr(recipe, "maximum_epochs") else {}


def _read_below(folder: Path, beside: dict[str, dict[str, bytes]]) -> dict[str, bytes]:
    """Return the files of a folder, with the vectors that it refers to beside it."""
    reading = read_folder(folder)
    if folder.name in beside:
        return reading
    return reading | {
        f"../{name}/{file}": content
        for name, files in beside.items()
        for file, content in files.items()
    }


def _load_encoder(folder: Path) -> FileReading:
    from termexplorer import trainer

    try:
        with trainer_errors():
            opened = trainer.load(folder)
            if hasattr(opened, "encode"):
                opened.encode(_NAMES)
            else:
                opened.similarities(["name 1", ""])
    except MemoryError:
        raise UserError("not enough memory") from None
    return FileReading("")


def mend_hashes(folder: Path) -> None:
    """Make the hashes of folders fit what is in them now, where these are read as JSON still."""
    from termexplorer.trainer.files.folders import META, sha256

    for _ in range(2):  # what refers to another folder names the hash of that one's
        for meta in sorted(folder.parent.rglob(META)):
            with suppress(ValueError, RecursionError, TypeError, KeyError, AttributeError, OSError):
                content = json.loads(meta.read_bytes())
                content["files"] = {
                    name: sha256(meta.parent / Path(name).name) for name in content["files"]
                }
                _mend_references(content, meta.parent)
                meta.write_text(json.dumps(content), "utf-8")


def _mend_references(value: Any, folder: Path) -> None:
    from termexplorer.trainer.files.folders import META, sha256

    if isinstance(value, dict) and {"path", "sha256"} <= set(value):
        value["sha256"] = sha256(folder / value["path"] / META)
    for part in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        _mend_references(part, folder)
