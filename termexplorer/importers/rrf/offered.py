"""What can be chosen of a release, with counts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from termexplorer.importers.choices import ImportChoice, Option
from termexplorer.importers.rrf.atoms import NOT_SUPPRESSED, SUPPRESSED, Atoms
from termexplorer.importers.rrf.relations import LINKS, Counted
from termexplorer.importers.rrf.sources import SourceInfo
from termexplorer.texts import mark, tr, translated

BY_CUI = "CUI"
TYPES = "STY"
_ENGLISH = "ENG"
_TYPES_ABOVE = mark("semantic types, as concepts above the others")
_SUPPRESSED = {
    "N": mark("not suppressed"),
    "O": mark("obsolete"),
    "E": mark("suppressed by the editors"),
    "Y": mark("suppressed by its sort (TTY)"),
}


def choices(
    atoms: Atoms,
    relations: Counted,
    types: int,
    known: Mapping[str, SourceInfo],
) -> tuple[ImportChoice, ...]:
    """What there is to choose.

    Args:
        atoms: The rows of names.
        relations: What the relations are.
        types: How many rows of semantic types there are.
        known: What the release tells of its vocabularies.
    """
    names = _count_words(
        atoms.sources, np.bincount(atoms.kind, minlength=len(atoms.kinds)).tolist()
    )
    titles = {source: known[source].title if source in known else source for source in names}
    sources = _count_options(names, titles)
    offered = (
        ImportChoice(
            "concepts",
            tr("Concepts are"),
            (Option(BY_CUI, tr("concepts of the Metathesaurus, by CUI")), *sources),
            (BY_CUI,),
            several=False,
            counted=tr("names"),
            hint=tr(
                "By CUI, or the codes of one vocabulary and its translations; the codes of the "
                "others become cross-references."
            ),
        ),
        ImportChoice(
            "sources",
            tr("Vocabularies"),
            sources,
            tuple(option.value for option in sources),
            counted=tr("names"),
            hint=tr("Names and definitions of these; the codes of all become cross-references."),
        ),
        _language_choice(atoms),
        _suppression_choice(atoms),
    )
    return (*offered, *_hierarchy_choices(relations, types, titles))


def _language_choice(atoms: Atoms) -> ImportChoice:
    counts = np.bincount(atoms.language, minlength=len(atoms.languages)).tolist()
    options = _count_options(_count_words(atoms.languages, counts), {})
    values = [option.value for option in options]
    usual = _ENGLISH if _ENGLISH in values or not values else values[0]
    hint = tr("The first one gives the preferred names.")
    return ImportChoice(
        "languages", tr("Languages"), options, (usual,), counted=tr("names"), hint=hint
    )


def _suppression_choice(atoms: Atoms) -> ImportChoice:
    counts = np.bincount(atoms.suppressed, minlength=len(SUPPRESSED)).tolist()
    counted = {word: count for word, count in zip(SUPPRESSED, counts, strict=True) if count}
    titles = {state: translated(title) for state, title in _SUPPRESSED.items()}
    options = _count_options({NOT_SUPPRESSED: 0} | counted, titles)
    hint = tr("Concepts that have obsolete names alone come in as obsolete.")
    return ImportChoice(
        "suppressed",
        tr("Suppressed names"),
        options,
        (NOT_SUPPRESSED,),
        counted=tr("names"),
        hint=hint,
    )


def _hierarchy_choices(
    relations: Counted, types: int, titles: Mapping[str, str]
) -> Iterable[ImportChoice]:
    offered = {link: relations.links[link] for link in LINKS if relations.links[link]}
    if types:
        offered[TYPES] = types
    if offered:
        options = tuple(
            Option(link, translated(LINKS.get(link, _TYPES_ABOVE)), count)
            for link, count in offered.items()
        )
        hint = tr("What makes the hierarchy.")
        usual = (next(iter(offered)),)
        yield ImportChoice(
            "links", tr("Hierarchy from"), options, usual, counted=tr("rows"), hint=hint
        )
    if relations.sources:
        options = _count_options(relations.sources, titles)
        values = tuple(option.value for option in options)
        hint = tr("The vocabularies whose hierarchy is taken.")
        yield ImportChoice(
            "hierarchies", tr("Hierarchy of"), options, values, counted=tr("rows"), hint=hint
        )


def _count_words(words: Sequence[str], counts: Sequence[int]) -> Counter[str]:
    word_counts: Counter[str] = Counter()
    for word, count in zip(words, counts, strict=True):
        word_counts[word] += count
    return word_counts


def _count_options(counts: Mapping[str, int], titles: Mapping[str, str]) -> tuple[Option, ...]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Option(value, titles.get(value, value), count) for value, count in ordered)
