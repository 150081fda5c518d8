"""Follows Turtle as it is read, and refuses brackets in brackets without end."""

import re
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.texts import tr

# What may hold brackets that mean nothing. A text of several lines is not told from what stands
# around it; that its brackets are counted does no harm, as texts close most of theirs.
_NO_BRACKETS = re.compile(rb"""\"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|<[^<>\s]*>|#.*""")
_DEEPEST = 50_000
_LONGEST_PART = 1 << 20  # of a line


class TurtleGuard:
    """Is fed a Turtle or N-Triples file part by part, before anybody else reads the part."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._depth = 0
        self._rest = b""
        self.line = 1

    def feed(self, data: bytes) -> bytes:
        """Take the next part, b"" being the end, and return it.

        Raises:
            UserError: Brackets are nested too deeply.
        """
        self.line += data.count(b"\n")
        lines, end, rest = (self._rest + data).rpartition(b"\n")
        if data and len(rest) < _LONGEST_PART:
            self._rest = rest
        else:
            lines, end, self._rest = lines + end + rest, b"", b""
        if b"[" in lines or b"(" in lines:
            lines = _NO_BRACKETS.sub(b"", lines)
        opened = lines.count(b"[") + lines.count(b"(")
        self._depth += opened - lines.count(b"]") - lines.count(b")")
        self._depth = max(self._depth, 0)
        if self._depth > _DEEPEST:
            raise UserError(
                tr(
                    "{path}, near line {line}: {reason}",
                    path=self._path,
                    line=self.line,
                    reason=tr("nested too deeply"),
                )
            )
        return data
