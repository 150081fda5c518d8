"""The concepts of a release as pairs of terms are made of them."""

from typing import TYPE_CHECKING

from termexplorer.store.releases.term_content import TermConcept, TermContent

if TYPE_CHECKING:
    from termexplorer.trainer.term_pairs.concepts import ConceptLinks, ConceptTerms

MODEL_COMPONENT = "SNOMEDCT:900000000000012004"  # concepts about SNOMED CT itself
_FULL = "fully specified"
_SAME = {"", "EXACT"}  # scopes of names that mean the same
_OBSOLETE = "obsolete "  # what labels of such concepts begin with in OBO


def concept_terms(content: TermContent) -> "tuple[list[ConceptTerms], ConceptLinks]":
    """Returns concepts with plain terms, and what links them, without those about SNOMED CT itself.

    The fully specified name stands for a concept, or else the preferred one. Names whose scope is
    not exact are no synonyms, but no negative pair is made of them either.
    """
    from termexplorer.trainer.term_pairs.concepts import ConceptLinks

    concepts = [entry for entry in content.concepts if MODEL_COMPONENT not in entry.modules]
    associated: dict[str, list[tuple[str, str]]] = {}
    for concept in concepts:
        for kind, became in concept.became.items():
            associated.setdefault(kind, []).extend((concept.curie, curie) for curie in became)
    return [_terms_of_concept(entry) for entry in concepts], ConceptLinks(associated, content.is_a)


def _terms_of_concept(concept: TermConcept) -> "ConceptTerms":
    from termexplorer.trainer.term_pairs.concepts import ConceptTerms, plain_term

    plain = [
        (kind, scope, plain_term(_without_mark(concept, text), concept.kind))
        for kind, scope, text in concept.names
    ]
    full = (text for kind, _, text in plain if kind == _FULL)
    label = plain_term(_without_mark(concept, concept.label), concept.kind)
    return ConceptTerms(
        concept.curie,
        next(full, label),
        tuple(dict.fromkeys(text for _, scope, text in plain if scope in _SAME)),
        tuple(dict.fromkeys(text for _, scope, text in plain if scope not in _SAME)),
        not concept.obsolete,
    )


def _without_mark(concept: TermConcept, text: str) -> str:
    marked = concept.obsolete and text.casefold().startswith(_OBSOLETE)
    return text[len(_OBSOLETE) :] if marked else text
