"""Follows JSON-LD as it is read, and refuses brackets in brackets without end."""

import re
from itertools import accumulate
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.texts import tr

_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\Z)', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"{}[]"))
_STEPS = {ord("{"): 1, ord("["): 1, ord("}"): -1, ord("]"): -1}
_DEEPEST = 200  # the parser of pyoxigraph crashes at some thousand
_LONGEST_TEXT = 1 << 20


class JsonGuard:
    """Is fed a JSON-LD file part by part, before anybody else reads the part."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._depth = 0
        self._open_text = b""
        self.line = 1

    def feed(self, data: bytes) -> bytes:
        """Take the next part, b"" being the end, and return it.

        Raises:
            UserError: Brackets are nested too deeply, or a text has no end within reason.
        """
        self.line += data.count(b"\n")
        signs = self._without_texts(self._open_text + data).translate(None, _NO_BRACKETS)
        depths = list(accumulate((_STEPS[sign] for sign in signs), initial=self._depth))
        self._depth = depths[-1]
        if max(depths) > _DEEPEST or len(self._open_text) > _LONGEST_TEXT:
            raise UserError(
                tr(
                    "{path}, near line {line}: {reason}",
                    path=self._path,
                    line=self.line,
                    reason=tr("nested too deeply"),
                )
            )
        return data

    def _without_texts(self, data: bytes) -> bytes:
        """Return the data without its texts, and keep one that is not closed yet."""
        self._open_text = b""

        def drop(match: re.Match[bytes]) -> bytes:
            if not _is_closed(match[0]):
                self._open_text = match[0]
            return b""

        return _TEXT.sub(drop, data)


def _is_closed(text: bytes) -> bool:
    if len(text) < 2 or not text.endswith(b'"'):
        return False
    backslashes = len(text) - 1 - len(text[:-1].rstrip(b"\\"))
    return backslashes % 2 == 0
