"""What can be chosen of OMOP vocabularies, with counts."""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from termexplorer.importers.choices import ImportChoice, Option
from termexplorer.importers.files.release_files import RoleReader
from termexplorer.importers.omop.concepts import STANDARDS, StagedConcepts
from termexplorer.importers.omop.files import SYNONYMS
from termexplorer.texts import mark, tr, translated

ENGLISH = 4180186  # concept id of the language
_LANGUAGE = 2  # column of synonyms
_STANDARDS = {"S": mark("standard"), "C": mark("classification"), "-": mark("neither")}


def count_languages(reader: RoleReader) -> Counter[int]:
    """How many synonyms there are in each language, by its concept id."""
    languages_counted: Counter[int] = Counter()
    for _, block in reader.of(SYNONYMS):
        languages, counts = np.unique(block.integers(_LANGUAGE), return_counts=True)
        languages_counted.update(dict(zip(languages.tolist(), counts.tolist(), strict=True)))
    languages_counted.pop(-1, None)
    return languages_counted


def choices(
    staged: StagedConcepts,
    titles: Mapping[str, str],
    languages: Mapping[int, int],
    labels: Mapping[int, str],
) -> tuple[ImportChoice, ...]:
    """What there is to choose.

    Args:
        staged: The concepts.
        titles: Names of vocabularies.
        languages: Synonyms in each.
        labels: Names of languages.
    """
    counts = dict(zip(staged.vocabularies, staged.counts, strict=True))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    vocabularies = tuple(Option(name, titles.get(name, name), count) for name, count in ordered)
    flags = np.bincount(staged.standard, minlength=len(STANDARDS)).tolist()
    standards = tuple(
        Option(flag, translated(_STANDARDS[flag]), count)
        for flag, count in zip(STANDARDS, flags, strict=True)
        if count
    )
    offered = (
        ImportChoice(
            "vocabularies",
            tr("Vocabularies"),
            vocabularies,
            tuple(option.value for option in vocabularies),
            counted=tr("concepts"),
            hint=tr("Mappings to the others become cross-references."),
        ),
        ImportChoice(
            "standard",
            tr("Standard concepts"),
            standards,
            tuple(option.value for option in standards),
            counted=tr("concepts"),
            hint=tr("Choose S for standard concepts alone."),
        ),
    )
    return (*offered, _language_choice(languages, labels)) if languages else offered


def _language_choice(counts: Mapping[int, int], labels: Mapping[int, str]) -> ImportChoice:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    options = tuple(
        Option(str(language), labels.get(language, str(language)), n) for language, n in ordered
    )
    usual = ENGLISH if ENGLISH in counts else ordered[0][0]
    title = tr("Languages of synonyms")
    return ImportChoice("languages", title, options, (str(usual),), counted=tr("synonyms"))
