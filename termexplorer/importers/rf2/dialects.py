"""Which languages and dialects a release has, and which of them an import takes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from termexplorer.errors import UserError
from termexplorer.importers.files.block import spelt
from termexplorer.importers.rf2.files import Rf2Release
from termexplorer.importers.rf2.ids import DIALECTS, FULLY_SPECIFIED
from termexplorer.importers.rf2.rows import Rf2Reader
from termexplorer.texts import tr

_NAMES = {refset: name for name, refset in DIALECTS.items()}
_ENGLISH = "en"
_TAG = re.compile(r"\s*\([^()]*\)$")


@dataclass(frozen=True, slots=True)
class Dialect:
    """A language reference set: what is preferred and acceptable somewhere.

    Attributes:
        refset: Its id.
        name: What people call it: `en-US`, or its fully specified name without the tag.
        language: Of the file it stands in, or "".
    """

    refset: int
    name: str
    language: str

    @property
    def label(self) -> str:
        """The name with the id."""
        return f"{self.name} ({self.refset})" if self.name != str(self.refset) else self.name


@dataclass(frozen=True, slots=True)
class Dialects:
    """What a release offers.

    Attributes:
        languages: Codes, sorted.
        dialects: Sorted by their ids.
    """

    languages: tuple[str, ...]
    dialects: tuple[Dialect, ...]

    def choose(self, language: str, dialect: str) -> tuple[str, Dialect]:
        """The language and dialect that are meant; "" takes what is usual.

        That is English and the US dialect, or else the first language (that of a dialect that was
        chosen) and the first of its dialects.

        Args:
            language: A code such as `en`.
            dialect: A name such as `en-US`, or the id of a language reference set.

        Raises:
            UserError: It is not in the release.
        """
        named_dialect = self._dialect(dialect.strip()) if dialect.strip() else None
        asked = language.strip().lower()
        if asked and asked not in self.languages:
            offered = ", ".join(self.languages)
            raise UserError(
                tr(
                    "no description is in the language {language!r}; there are {there}",
                    language=asked,
                    there=offered,
                )
            )
        usual = (
            named_dialect.language
            if named_dialect and named_dialect.language in self.languages
            else ""
        )
        chosen_language = (
            asked or usual or (_ENGLISH if _ENGLISH in self.languages else self.languages[0])
        )
        return chosen_language, named_dialect or self._usual(chosen_language)

    def _dialect(self, text: str) -> Dialect:
        for candidate in self.dialects:
            if text.lower() in (
                candidate.name.lower(),
                str(candidate.refset),
                candidate.label.lower(),
            ):
                return candidate
        offered = ", ".join(dialect.label for dialect in self.dialects)
        raise UserError(
            tr(
                "no dialect {dialect!r} in the release; there are {there}",
                dialect=text,
                there=offered,
            )
        )

    def _usual(self, language: str) -> Dialect:
        of_language = [dialect for dialect in self.dialects if dialect.language == language] or [
            *self.dialects
        ]
        american = DIALECTS["en-US"]
        return next(
            (dialect for dialect in of_language if dialect.refset == american), of_language[0]
        )


def survey(release: Rf2Release) -> Dialects:
    """Look through a release's descriptions and language reference sets.

    Raises:
        UserError: It has none, or a file is damaged.
    """
    reader = Rf2Reader(release)
    refsets: dict[int, str] = {}
    for member in release.of("language"):
        for block in reader.blocks(member):
            for refset in set(block.integers(4).tolist()) - {-1}:
                refsets.setdefault(refset, member.language)
    languages = {member.language for member in release.of("description")}
    if "" in languages:
        languages = set(_spelt_languages(reader))
    if not languages or not refsets:
        raise UserError(
            tr("{path} has no descriptions or no language reference set", path=release.path)
        )
    names = _refset_names(reader, set(refsets) - set(_NAMES)) | _NAMES
    dialects = [
        Dialect(identifier, names.get(identifier, str(identifier)), refsets[identifier])
        for identifier in refsets
    ]
    return Dialects(
        tuple(sorted(languages)), tuple(sorted(dialects, key=lambda dialect: dialect.refset))
    )


def _spelt_languages(reader: Rf2Reader) -> Iterator[str]:
    for member in reader.release.of("description"):
        for block in reader.blocks(member):
            yield from (spelt(value) for value in set(block.words(5).tolist()) if value > 0)


def _refset_names(reader: Rf2Reader, refsets: set[int]) -> dict[int, str]:
    """Names of reference sets, from their fully specified names in the release."""
    names: dict[int, str] = {}
    if not refsets:
        return names
    for member in reader.release.of("description"):
        for block in reader.blocks(member):
            concepts = block.integers(4)
            named = np.isin(concepts, list(refsets)) & (block.integers(6) == FULLY_SPECIFIED)
            for row in np.flatnonzero(named).tolist():
                names[int(concepts[row])] = _TAG.sub("", block.cell(row, 7))
    return names
