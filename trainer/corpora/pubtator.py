"""PubTator files: abstracts with mentions of concepts, as BC5CDR and MedMentions are given."""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.text.gzip_files import open_plain_or_gzip
from termexplorer.trainer.text.names import LabelledNames

_SEPARATORS = re.compile(r"[|;,+]")
_NO_CONCEPT = {"", "-", "-1", "none", "null"}


@dataclass(frozen=True)
class Mention:
    """A stretch of text that names one concept, several (a composite mention), or none.

    Attributes:
        start: first character in ``Document.text``.
        end: the character after the last one.
        text: what stands there.
        kind: its type, such as ``Disease``.
        concepts: distinct ids in their order.
        parts: for some composite mentions, the name of each of ``concepts`` spelled out.
    """

    start: int
    end: int
    text: str
    kind: str
    concepts: tuple[str, ...]
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Document:
    """A title, an abstract, and what is mentioned in them.

    Attributes:
        id: as the file gives it.
        title: one line.
        abstract: one line.
        mentions: in their order.
        relations: how many there are between concepts; they are not read.
    """

    id: str
    title: str
    abstract: str
    mentions: tuple[Mention, ...] = ()
    relations: int = 0

    @property
    def text(self) -> str:
        """Title and abstract with a space between; offsets count its characters."""
        return f"{self.title} {self.abstract}"


def read_pubtator(path: Path) -> Iterator[Document]:
    """Yield the documents of a PubTator file, plain or ``.gz``; relations are skipped.

    Several ids of one mention are parted by any of ``| ; , +``; ``-1``, ``-`` or nothing is none.

    Raises:
        ValueError: with file and line, for a file that cannot be read, is no PubTator file, ends
            within a document, or has offsets that do not fit its text.
    """
    return documents_in(_read_lines(path), path)


def documents_in(lines: Iterator[tuple[int, str]], path: Path) -> Iterator[Document]:
    """Yield the documents of numbered lines, as ``read_pubtator`` does.

    Args:
        lines: from 1, without their ends.
        path: what errors call the file.

    Raises:
        ValueError: with file and line, as there.
    """
    has_document = False
    for number, line in lines:
        if line.strip():
            has_document = True
            yield _read_document(path, number, line, lines)
    if not has_document:
        raise TrainerError(
            "{path} holds no document; give a PubTator file, plain or .gz", path=path
        )


def _read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield numbered lines without their ends."""
    number = 0
    try:
        with open_plain_or_gzip(path) as file:
            for number, line in enumerate(file, 1):
                yield number, _decode_line(path, number, line)
    except (OSError, EOFError, zlib.error) as error:
        where = Message(" after line {number}", number=number) if number else ""
        raise TrainerError(
            "{path} cannot be read{where}: {error}; give a PubTator file, plain or .gz",
            path=path,
            where=where,
            error=error,
        ) from error


def _decode_line(path: Path, number: int, line: bytes) -> str:
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise TrainerError(
            "{path}, line {number}: byte {start} is not UTF-8; give a UTF-8 text",
            path=path,
            number=number,
            start=error.start + 1,
        ) from error


def _read_document(
    path: Path, number: int, line: str, lines: Iterator[tuple[int, str]]
) -> Document:
    """Read one document, from its title up to an empty line or the end of the file."""
    name, title = _split_section(path, number, line, "t")
    number, line = next(lines, (number + 1, ""))
    other, abstract = _split_section(path, number, line, "a")
    if other != name:
        raise TrainerError(
            "{path}, line {number}: the title of {name} is followed by the abstract of {other}",
            path=path,
            number=number,
            name=name,
            other=other,
        )
    document = Document(name, title, abstract)
    mentions: list[Mention] = []
    relations = 0
    for number, line in lines:
        if not line.strip():
            break
        mention = _read_mention(
            Message("{path}, line {number}", path=path, number=number), line.split("\t"), document
        )
        relations += mention is None
        mentions += [mention] if mention else []
    return replace(document, mentions=tuple(mentions), relations=relations)


def _split_section(path: Path, number: int, line: str, letter: str) -> tuple[str, str]:
    name, bar, rest = line.partition(f"|{letter}|")
    if not bar or not name or "\t" in name or "|" in name:
        section = {"t": "title", "a": "abstract"}[letter]
        raise TrainerError(
            "{path}, line {number}: expected `ID|{letter}|{section}`; it is no "
            "PubTator file, or is cut off",
            path=path,
            number=number,
            letter=letter,
            section=section,
        )
    return name, rest


def _read_mention(where: str, fields: list[str], document: Document) -> Mention | None:
    """Read one annotation; none for a relation, which has no numbers for offsets."""
    if fields[0] != document.id:
        raise TrainerError(
            "{where}: expected an annotation of {id}, or an empty line before the next",
            where=where,
            id=document.id,
        )
    numbers = [field.isdecimal() for field in fields[1:3]]
    if len(fields) >= 4 and not any(numbers):
        return None
    if len(fields) < 5 or not all(numbers):
        raise TrainerError(
            "{where}: expected id, start, end, mention, type and concept, parted by tabs",
            where=where,
        )
    start, end, text, kind = int(fields[1]), int(fields[2]), fields[3], fields[4]
    covered_text = document.text[start:end]
    if covered_text != text or not text:
        raise TrainerError(
            "{where}: characters {start} to {end} of title, space and abstract are "
            "{there!r}, not {text!r}",
            where=where,
            start=start,
            end=end,
            there=covered_text,
            text=text,
        )
    ids, parts = _distinct_concepts(*[*fields[5:], "", ""][:2])
    return Mention(start, end, text, kind, ids, parts)


def _distinct_concepts(ids: str, parts: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the distinct ids, and the parts if there is one for each."""
    concepts = [name.strip() for name in _SEPARATORS.split(ids)]
    concepts = [name for name in concepts if name.lower() not in _NO_CONCEPT]
    distinct, texts = tuple(dict.fromkeys(concepts)), tuple(parts.split("|"))
    aligned = len(texts) == len(concepts) == len(distinct) > 1
    return distinct, texts if aligned else ()


def names_of_concepts(
    documents: Iterable[Document], kinds: Collection[str] | None = None
) -> LabelledNames:
    """Return the mentions as names of their concepts, as [CG] 4.2 makes synonym sets.

    Mentions equal but for case are one name, as first spelled. Of a composite mention each part
    that the file spells out is a name of its concept; without these it is left out.

    Args:
        documents: of ``read_pubtator``.
        kinds: the types of mentions to take; all by default.
    """
    names: dict[str, tuple[int, str]] = {}
    concepts: dict[str, int] = {}
    pairs: dict[tuple[int, int], None] = {}
    for document in documents:
        for mention in document.mentions:
            if kinds is not None and mention.kind not in kinds:
                continue
            texts = (mention.text,) if len(mention.concepts) == 1 else mention.parts
            for text, concept in zip(texts, mention.concepts, strict=False):
                name, _ = names.setdefault(text.casefold(), (len(names), text))
                pairs[name, concepts.setdefault(concept, len(concepts))] = None
    index = np.array(list(pairs), dtype=np.int64).reshape(-1, 2)
    spelled = tuple(text for _, text in names.values())
    return LabelledNames(spelled, tuple(concepts), index[:, 0].copy(), index[:, 1].copy())
