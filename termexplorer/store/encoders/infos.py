"""Queries about encoders: which there are, and what each is."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from termexplorer.errors import UserError
from termexplorer.store.database.raw_sql import ResultRows, SqlReader
from termexplorer.store.kept_messages import read_message, translate_message
from termexplorer.store.title_templates import LABEL
from termexplorer.texts import tr
from termexplorer.trainer.errors import Message

LEXICAL = 1  # the id of TF-IDF in every workspace
TFIDF = "tfidf"  # its method
TRANSFORMER = "transformer"  # the method of one that was opened, whatever its layers
WORD_MOVERS = "word_movers"  # of lexical encoders over word vectors, their one part


@dataclass(frozen=True, slots=True)
class EncoderInfo:
    """Anything that ranks names.

    Attributes:
        kind: lexical, untrained, trained or blended.
        method: of lexical ones one of `trainer.lexical.METHODS`, or word_movers; else fasttext,
            words, skipgrams, bigrams, transformer, matrix, joined, sparse, few-shot and so on.
        input_id: the encoder that lies beneath, or None.
        path: its folder, relative to the workspace; empty for one that has none of its own:
            lexical ones are fitted on each release, others are made of their parts.
        part_ids: the encoders that a joined or blended one is made of, or the word vectors that
            words are moved by.
    """

    id: int
    kind: str
    method: str
    title: Message
    input_id: int | None
    dimension: int
    path: str
    content_hash: str
    parameters: Mapping[str, Any]
    created_at: str
    part_ids: tuple[int, ...] = ()

    @property
    def label(self) -> str:
        """Title and number, as columns and lists show it in the language in use."""
        return f"{self.shown_title} #{self.id}"

    @property
    def shown_title(self) -> str:
        """Return its title in the language in use."""
        return translate_message(self.title)

    @property
    def kept_label(self) -> Message:
        """Return title and number as the workspace keeps them, for any language."""
        return Message(LABEL, title=self.title, id=self.id)

    @property
    def is_lexical(self) -> bool:
        """Whether it ranks by the words of names, fitted on the names that are ranked."""
        return self.kind == "lexical"

    @property
    def is_transformer(self) -> bool:
        """Whether it is a transformer itself, whose layers can be trained."""
        return self.method == TRANSFORMER

    @property
    def is_blended(self) -> bool:
        """Whether its similarities are a weighted sum of those of its parts."""
        return self.kind == "blended"

    @property
    def weights(self) -> tuple[float, ...]:
        """The weight of each part of a blended one in its similarities."""
        return (1.0, *(float(self.parameters["weight"]) for _ in self.part_ids[1:]))

    @property
    def has_vectors(self) -> bool:
        """Whether others can be trained on it or joined with it."""
        return not (self.is_lexical or self.is_blended)


def encoders(connection: SqlReader) -> list[EncoderInfo]:
    """All encoders by id."""
    return _with_parts(connection, connection.exec_driver_sql(f"{_INFO} ORDER BY id"))


def encoder(connection: SqlReader, encoder_id: int) -> EncoderInfo | None:
    """One encoder, or None."""
    rows = connection.exec_driver_sql(f"{_INFO} WHERE id = ?", (encoder_id,))
    return next(iter(_with_parts(connection, rows)), None)


_COLUMNS = [field.name for field in fields(EncoderInfo) if field.name != "part_ids"]
_INFO = f"SELECT {', '.join(_COLUMNS)} FROM encoder"


def _with_parts(connection: SqlReader, rows: ResultRows) -> list[EncoderInfo]:
    parts: dict[int, tuple[int, ...]] = {}
    query = "SELECT encoder_id, part_id FROM encoder_part ORDER BY place"
    for above, part in connection.exec_driver_sql(query):
        parts[above] = (*parts.get(above, ()), part)
    return [_make_info(dict(zip(_COLUMNS, row, strict=True)), parts) for row in rows]


def _make_info(row: dict[str, Any], parts: Mapping[int, tuple[int, ...]]) -> EncoderInfo:
    row["parameters"] = json.loads(row["parameters"])
    row["title"] = read_message(row["title"])
    return EncoderInfo(**row, part_ids=parts.get(row["id"], ()))


def prepared_beneath(connection: SqlReader, info: EncoderInfo) -> list[EncoderInfo]:
    """The encoders with files for each release: this one, or those that it is blended of.

    Lexical ones but TF-IDF have none: they are fitted in a second or two where they rank.
    """
    if info.is_blended:
        parts = [encoder(connection, part_id) for part_id in info.part_ids]
        return [part_id for part in parts if part for part_id in prepared_beneath(connection, part)]
    return [info] if info.has_vectors or info.method == TFIDF else []


def trained_on_release(connection: SqlReader, release_id: int) -> list[int]:
    """Ids of the encoders that were trained on a release, ascending."""
    query = """SELECT encoder_id FROM run
               WHERE release_id = ? AND encoder_id IS NOT NULL ORDER BY encoder_id"""
    return [id_ for (id_,) in connection.exec_driver_sql(query, (release_id,))]


def check_distinct(encoder_ids: Sequence[int]) -> None:
    """Refuses an encoder that is there twice.

    Raises:
        UserError: one is.
    """
    if len({*encoder_ids}) < len(encoder_ids):
        raise UserError(tr("an encoder is named twice; name each once"))
