"""The command `encode`: vectors of names, from a file of names to a file of vectors."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from termexplorer.cli.name_lists import read_name_file
from termexplorer.cli.options import JsonOption, out_file
from termexplorer.cli.output import print_json, print_line
from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.trainer.representations.base import Float32s

_ENDINGS = (".npy", ".vec", ".parquet")


def encode_command(
    names: Annotated[Path, typer.Argument(metavar="FILE", help="Names, one a line.")],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="Vectors: .npy (a row a name), .vec (text, as word2vec has it, spaces of names as "
            "_), or .parquet (names and vectors).",
            callback=out_file(*_ENDINGS),
        ),
    ],
    json: JsonOption = False,
) -> None:
    """Encode names by the built-in encoder; no workspace is needed.

    Tells how much of the names it knows by their words; the rest it knows by spelling alone.
    """
    from termexplorer.trainer.built_in import builtin

    texts, encoder = read_name_file(names), builtin()
    vectors = encoder.encode(texts)
    shares = encoder.known_shares(texts)
    with atomic_write(out) as fresh:
        _WRITERS[out.suffix.lower()](fresh, texts, vectors)
    summary = {
        "names": len(texts),
        "dimension": encoder.dimension,
        "known": float(shares.mean()),
        "unknown": int((shares == 0).sum()),
        "file": str(out),
    }
    if json:
        print_json(summary)
        return
    print_line(f"{out}: {len(texts):,} names, {encoder.dimension} dimensions")
    print_line(
        f"known by their words: {summary['known']:.0%} on average; by spelling alone: "
        f"{summary['unknown']:,}"
    )


def _write_matrix(path: Path, names: Sequence[str], vectors: Float32s) -> None:
    with path.open("wb") as file:
        np.save(file, vectors, allow_pickle=False)


def _write_text(path: Path, names: Sequence[str], vectors: Float32s) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f"{len(names)} {vectors.shape[1]}\n")
        for name, vector in zip(names, vectors, strict=True):
            file.write(f"{'_'.join(name.split())} {' '.join(f'{x:.6g}' for x in vector)}\n")


def _write_parquet(path: Path, names: Sequence[str], vectors: Float32s) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise UserError(
            "Parquet needs pyarrow: `pip install termexplorer[parquet]`, or write .npy"
        ) from error
    flat = pyarrow.array(vectors.ravel())
    lists = pyarrow.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
    table = pyarrow.table({"name": pyarrow.array(list(names)), "vector": lists})
    pyarrow.parquet.write_table(table, path)


_WRITERS = {".npy": _write_matrix, ".vec": _write_text, ".parquet": _write_parquet}
