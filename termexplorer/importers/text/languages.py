"""Names in several languages: which are taken, and which of a concept's is the preferred one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from termexplorer.importers.choices import ImportChoice, Option
from termexplorer.importers.records import NameRecord, Note
from termexplorer.importers.text.notes import counted
from termexplorer.importers.text.text import NameCleaner
from termexplorer.texts import mark_plural, tr

LANGUAGES = "languages"
NO_LANGUAGE = "none"
_USUAL = "en"


@dataclass(frozen=True, slots=True)
class Spoken:
    """A name with its language, a code in lower case or ""."""

    name: NameRecord
    language: str


def language_choice(counts: Mapping[str, int]) -> tuple[ImportChoice, ...]:
    """The choice of languages; () where there is but one.

    Args:
        counts: Language, a code or "", -> how many names.
    """
    if len(counts) < 2:
        return ()
    order = sorted(counts, key=lambda language: (-counts[language], language))
    return (
        ImportChoice(
            key=LANGUAGES,
            title=tr("Languages"),
            options=tuple(_language_option(language, counts[language]) for language in order),
            usual=tuple(language or NO_LANGUAGE for language in _usual_order(order)),
            counted=tr("names"),
            hint=tr("A concept's preferred name is in the first of them that it has."),
        ),
    )


def _language_option(language: str, count: int) -> Option:
    label = language or tr("without a language")
    return Option(language or NO_LANGUAGE, label, count)


def _usual_order(order: Sequence[str]) -> list[str]:
    """English, or else the most frequent one; then what has no language."""
    english = [
        language for language in order if language == _USUAL or language.startswith(f"{_USUAL}-")
    ]
    known = [language for language in order if language]
    return [*(english or known[:1]), *(language for language in order if not language)]


class Namer:
    """Picks the names of concepts by language, and counts what it leaves out.

    Args:
        languages: The chosen ones, in order; empty takes all alike.
        cleaner: Of the file's names.
    """

    def __init__(self, languages: Iterable[str], cleaner: NameCleaner) -> None:
        codes = ("" if language == NO_LANGUAGE else language for language in languages)
        self._rank = {language: rank for rank, language in enumerate(codes)}
        self._cleaner = cleaner
        self._left_out = 0
        self._foreign = 0

    @property
    def first(self) -> str:
        """The language that comes first; "" where all are alike."""
        return next(iter(self._rank), "")

    def takes(self, language: str) -> bool:
        """Whether a language is among the chosen ones."""
        return not self._rank or language in self._rank

    def names(self, spoken: Sequence[Spoken]) -> tuple[NameRecord, ...]:
        """A concept's names; where it has none in a chosen language, its preferred one in another.

        Args:
            spoken: As they stand in the file, the ones to prefer first.
        """
        taken = [spoken_name for spoken_name in spoken if self.takes(spoken_name.language)]
        self._left_out += len(spoken) - len(taken)
        if not taken and spoken:
            taken = [next(self._preferred(spoken))]
            self._foreign += 1
            self._left_out -= 1
        if not taken:
            return ()
        first = min(self._preferred(taken), key=self._order)
        other_names = (
            _as_synonym(spoken_name.name) for spoken_name in taken if spoken_name is not first
        )
        return self._cleaner.distinct(
            [first.name._replace(kind="preferred", scope=""), *other_names]
        )

    def text(self, texts: Sequence[tuple[str, str]]) -> str:
        """One of several (text, language): in the first chosen language, else the first."""
        taken = [spoken_text for spoken_text in texts if self.takes(spoken_text[1])] or texts
        return min(
            taken, key=lambda spoken_text: self._rank.get(spoken_text[1], 0), default=("", "")
        )[0]

    def notes(self) -> Iterator[Note]:
        """Say what was left out, and what stands in."""
        text = mark_plural(
            "{n:,} name in another language than chosen is left out",
            "{n:,} names in other languages than chosen are left out",
        )
        yield from counted("other languages", self._left_out, text)
        text = mark_plural(
            "{n:,} concept has no name in a chosen language and goes by one in another",
            "{n:,} concepts have no name in a chosen language and go by one in another",
        )
        yield from counted("foreign names", self._foreign, text)
        yield from self._cleaner.notes()

    def _order(self, spoken: Spoken) -> int:
        return self._rank.get(spoken.language, 0)

    def _preferred(self, spoken: Sequence[Spoken]) -> Iterator[Spoken]:
        preferred = [spoken_name for spoken_name in spoken if spoken_name.name.kind == "preferred"]
        return iter(preferred or [s for s in spoken if may_stand_as_preferred(s.name)] or spoken)


def may_stand_as_preferred(name: NameRecord) -> bool:
    """Return whether a name means the concept itself, so that it can stand for a preferred one."""
    return name.scope in ("", "EXACT")


def _as_synonym(name: NameRecord) -> NameRecord:
    """A preferred name beside another is a synonym that means the same."""
    is_other = name.kind == "preferred"
    return name._replace(kind="synonym", scope="EXACT") if is_other else name
