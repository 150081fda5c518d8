"""Cutting an OBO file into stanzas of numbered clauses; what the clauses say is for others."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.records import MAY_BE_CUT, Note, Skipped
from termexplorer.texts import tr

_HEADING = re.compile(r"\[([A-Za-z][\w ]*)\]\s*(?:!.*)?")
_CLAUSE = re.compile(r"([A-Za-z][\w-]*)\s*:\s?(.*)")


@dataclass(frozen=True, slots=True)
class Clause:
    """One `tag: value`, with its line; the value still holds comments and qualifiers."""

    line: int
    tag: str
    value: str


@dataclass(frozen=True, slots=True)
class Stanza:
    """`kind` is `Term`, `Typedef`, ..., or "" for the header, which comes first and once."""

    line: int
    kind: str
    clauses: list[Clause]


def cut(source: Source) -> Iterator[Stanza | Skipped | Note]:
    """Yield the header and every stanza, each line that belongs to neither, and an odd end.

    Raises:
        UserError: The file ends in the middle of a clause or right after a heading.
    """
    stanza = Stanza(1, "", [])
    for line, text in _join_lines(source):
        if heading := _HEADING.fullmatch(text):
            yield stanza
            stanza = Stanza(line, heading[1], [])
        elif clause := _CLAUSE.fullmatch(text):
            stanza.clauses.append(Clause(line, clause[1], clause[2].strip()))
        elif not source.complete:
            raise truncated(source, line)
        else:
            yield Skipped(line, tr("neither a clause nor a heading: {text!r}", text=text[:60]))
    if stanza.kind and stanza.line == source.line:
        raise truncated(source, stanza.line, tr("a stanza"))
    yield stanza
    if odd := _odd_end(source, stanza):
        yield Note(MAY_BE_CUT, 1, tr("{what}, as in a file that was cut", what=odd))


def truncated(source: Source, line: int, inside: str = "") -> UserError:
    """The error for a file that was cut in the middle of a line or stanza."""
    return UserError(
        tr(
            "{path}, line {line}: ends in the middle of {inside}; the file is truncated, fetch it "
            "again",
            path=source.path,
            line=line,
            inside=inside or tr("a line"),
        )
    )


def _odd_end(source: Source, last: Stanza) -> str:
    """What makes a file look as if it was cut within its last stanza, or ""."""
    if not source.complete:
        return tr("the last line has no line end")
    clauses = [(clause.line, clause.tag) for clause in last.clauses]
    if last.kind == "Term" and clauses == [(source.line, "id")]:
        return tr("the last line, {line}, is the id of a term without a name", line=source.line)
    return ""


def _join_lines(source: Source) -> Iterator[tuple[int, str]]:
    """Lines that hold something, those that end in a backslash joined with the next."""
    start, parts = 0, list[str]()
    for number, text in source.lines():
        start = start if parts else number
        parts.append(text)
        if _goes_on(text):
            parts[-1] = text[:-1]
            continue
        joined = "".join(parts).strip()
        parts.clear()
        if joined and not joined.startswith("!"):
            yield start, joined
    if joined := "".join(parts).strip():
        yield start, joined


def _goes_on(text: str) -> bool:
    """Whether an odd number of backslashes ends the line: the last one escapes the line end."""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1
