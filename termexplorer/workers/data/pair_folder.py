"""A folder of pair sets: what may be in it, what is written to it, and what is kept on the way."""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import tr

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from termexplorer.trainer.term_pairs.parts import PartFiles

MANIFEST = "pairs.json"
_PARTS = ".parts"


class PairFolder:
    """The folder of one request.

    Args:
        folder: it is made if it is not there.
        made_of: all that decides what is in the files.

    Raises:
        UserError: the folder holds something else.
    """

    def __init__(self, folder: Path, made_of: Mapping[str, object]) -> None:
        self._folder, self._made_of = folder, dict(made_of)
        text = json.dumps(self._made_of, sort_keys=True)
        self._key = hashlib.sha256(text.encode()).hexdigest()
        self._parts = folder / _PARTS / self._key[:16]
        if not self._may_be_used():
            raise UserError(
                tr(
                    "{folder} holds other files; choose an empty folder, or the one of the same "
                    "sets",
                    folder=folder,
                )
            )

    def _may_be_used(self) -> bool:
        if not self._folder.exists() or self._parts.exists():
            return True
        if not self._folder.is_dir():
            return False
        return self._known_key() == self._key or not any(self._folder.iterdir())

    def _known_key(self) -> object:
        try:
            return json.loads((self._folder / MANIFEST).read_text("utf-8"))["key"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Makes the folder, and tells what cannot be written to it.

        Raises:
            UserError: something cannot be written.
        """
        try:
            self._parts.mkdir(parents=True, exist_ok=True)
            yield
        except OSError as error:
            raise UserError(
                tr(
                    "{folder}: cannot be written to ({strerror})",
                    folder=self._folder,
                    strerror=tell_reason(error),
                )
            ) from error

    def parts(self, name: str) -> "PartFiles":
        """What was found already for a set."""
        from termexplorer.trainer.term_pairs.parts import PartFiles

        return PartFiles(self._parts / name)

    @contextmanager
    def file(self, name: str) -> Iterator[Path]:
        """Where the file of a set is written first; it appears whole or not at all."""
        fresh = self._parts / f"{name}.tsv"
        yield fresh
        fresh.replace(self._folder / fresh.name)

    def finish(self, names: Sequence[str], result: "DataclassInstance") -> None:
        """Writes down how the sets were made, and lets go what was kept on the way."""
        record = {"key": self._key, "files": [f"{name}.tsv" for name in names]}
        text = json.dumps(record | self._made_of | asdict(result), indent=2, allow_nan=False)
        fresh = self._parts / MANIFEST
        fresh.write_text(text + "\n", encoding="utf-8")
        fresh.replace(self._folder / MANIFEST)
        shutil.rmtree(self._folder / _PARTS)
