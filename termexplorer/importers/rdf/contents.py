"""What a file holds that can be chosen: classes or concepts, languages, schemes, prefixes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from termexplorer.importers.choices import ImportChoice, Option
from termexplorer.importers.rdf.staging import Staging
from termexplorer.importers.rdf.vocabulary import CLASS, CONCEPT, THING
from termexplorer.importers.text.curies import Curies
from termexplorer.importers.text.languages import LANGUAGES, language_choice
from termexplorer.importers.text.text import clean
from termexplorer.texts import mark, tr, translated

KIND, SCHEMES, PREFIXES = "kind", "schemes", "prefixes"
NO_SCHEME = "none"
_TITLES = {CLASS: mark("OWL classes"), CONCEPT: mark("SKOS concepts")}


def place_of(iri: str, curies: Curies) -> str:
    """What the ids of one terminology have in common: a CURIE's prefix, else the IRI's place."""
    short = curies.shorten(iri)
    if short != iri:
        return short.partition(":")[0]
    return iri[: len(iri) - len(local_part(iri))]


def local_part(iri: str) -> str:
    """What follows the last `#` or `/` of an IRI; all of it where nothing does."""
    return iri.rstrip("#/").replace("#", "/").rpartition("/")[2] or iri


def choices_in(staging: Staging, curies: Curies) -> tuple[ImportChoice, ...]:
    """The choices that are worth asking: those with several options."""
    kinds = _count_kinds(staging)
    choices = [_kind_choice(kinds)] if len(kinds) > 1 else []
    choices += language_choice(_count_languages(staging))
    if CONCEPT in kinds:
        choices += _scheme_choice(staging)
    if CLASS in kinds:
        choices += _prefix_choice(staging, curies)
    return tuple(choices)


@dataclass(frozen=True, slots=True)
class ChosenContents:
    """What was chosen.

    Attributes:
        kind: `CLASS` or `CONCEPT`; "" where the file has neither.
        languages: In order; all where empty.
        schemes: IRIs, the one with most concepts first, and `NO_SCHEME`; all where None.
        prefixes: See `place_of`; all where None.
    """

    kind: str
    languages: tuple[str, ...]
    schemes: tuple[str, ...] | None
    prefixes: frozenset[str] | None

    @classmethod
    def of(cls, staging: Staging, picked: Mapping[str, Sequence[str]]) -> "ChosenContents":
        """What was picked of the choices; the rest is all that there is."""
        kind = picked.get(KIND) or sorted(_count_kinds(staging)) or ("",)
        schemes = picked.get(SCHEMES)
        prefixes = picked.get(PREFIXES)
        return cls(
            kind=kind[0],
            languages=tuple(picked.get(LANGUAGES) or ()),
            schemes=None if schemes is None else tuple(schemes),
            prefixes=None if prefixes is None else frozenset(prefixes),
        )


def heads(staging: Staging) -> dict[str, int]:
    """The schemes that have top concepts -> how many concepts are in each, the largest first."""
    query = """SELECT scheme, count(*) FROM member
        WHERE scheme IN (SELECT subject FROM typed WHERE kind = 'scheme')
        AND scheme IN (SELECT value FROM row WHERE field = 'top')
        GROUP BY scheme ORDER BY 2 DESC, 1"""
    return _count_values(staging, query)


def _count_values(staging: Staging, query: str) -> dict[str, int]:
    return {value: int(count) for value, count in staging.rows(query)}


def _count_kinds(staging: Staging) -> dict[str, int]:
    return _count_values(staging, "SELECT kind, count(*) FROM concept GROUP BY kind")


def _kind_choice(kinds: Mapping[str, int]) -> ImportChoice:
    order = sorted(kinds, key=lambda kind: -kinds[kind])
    options = tuple(Option(kind, translated(_TITLES[kind]), kinds[kind]) for kind in order)
    title = tr("What the concepts are")
    return ImportChoice(KIND, title, options, (order[0],), several=False, counted=tr("concepts"))


def _count_languages(staging: Staging) -> dict[str, int]:
    query = """SELECT language, count(*) FROM row WHERE field IN (SELECT field FROM name_field)
        AND subject IN (SELECT subject FROM concept) GROUP BY language"""
    return _count_values(staging, query)


def _scheme_choice(staging: Staging) -> list[ImportChoice]:
    query = "SELECT scheme, count(*) FROM member GROUP BY scheme ORDER BY 2 DESC, 1"
    schemes = _count_values(staging, query)
    if len(schemes) < 2:
        return []
    labels = _scheme_labels(staging)
    options = [Option(iri, labels.get(iri, iri), count) for iri, count in schemes.items()]
    query = """SELECT count(*) FROM concept
        WHERE kind = 'concept' AND subject NOT IN (SELECT subject FROM member)"""
    if without_scheme := staging.number(query):
        options.append(Option(NO_SCHEME, tr("in no scheme"), without_scheme))
    return [_all_of(SCHEMES, tr("Concept schemes"), options)]


def _scheme_labels(staging: Staging) -> dict[str, str]:
    """A label of each scheme, an English one or one without a language if there is any."""
    query = """SELECT subject, value FROM row
        WHERE field IN ('pref', 'label', 'title')
        AND subject IN (SELECT subject FROM typed WHERE kind = 'scheme')
        ORDER BY language IN ('', 'en'), rowid DESC"""
    return {iri: clean(label) for iri, label in staging.rows(query)}


def _prefix_choice(staging: Staging, curies: Curies) -> list[ImportChoice]:
    rows = staging.rows("SELECT subject FROM concept WHERE kind = 'class' AND subject <> ?", THING)
    counts = Counter(place_of(iri, curies) for (iri,) in rows)
    if len(counts) < 2:
        return []
    options = [Option(prefix, prefix, count) for prefix, count in counts.most_common()]
    return [_all_of(PREFIXES, tr("Prefixes of the classes"), options)]


def _all_of(key: str, title: str, options: Sequence[Option]) -> ImportChoice:
    """A choice of which all is taken unless told otherwise."""
    usual = tuple(option.value for option in options)
    return ImportChoice(key, title, tuple(options), usual, counted=tr("concepts"))
