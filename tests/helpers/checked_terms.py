"""A small ontology of organs and their troubles, as terms and as OBO, to add to."""

from collections.abc import Sequence

from termexplorer.trainer.checking.terms import OntologyTerm
from termexplorer.trainer.mapping.sides import EXACT, PREFERRED

ORGANS = {
    "kidney": "renal", "liver": "hepatic", "heart": "cardiac", "lung": "pulmonary",
    "skin": "cutaneous", "stomach": "gastric",
}  # fmt: skip
TROUBLES = ("failure", "abscess", "cyst", "injury", "tumor", "infection", "stone", "necrosis")


def make_term(
    curie: str, *names: str, parents: Sequence[str] = (), definition: str = "", line: int = 0
) -> OntologyTerm:
    """Return a term; the first name is its label, the others are exact synonyms."""
    kinds = [EXACT if i else PREFERRED for i in range(len(names))]
    named = tuple(zip(names, kinds, strict=True))
    return OntologyTerm(curie, named, tuple(parents), definition, line=line)


def list_known_terms() -> list[OntologyTerm]:
    """Return a root, organs below it, and their troubles below these, each with a synonym."""
    terms = [make_term("T:0", "disease")]
    for number, organ in enumerate(ORGANS, 1):
        terms.append(make_term(f"T:{number}", f"{organ} disease", parents=["T:0"]))
    for number, (organ, adjective) in enumerate(ORGANS.items(), 1):
        for index, trouble in enumerate(TROUBLES):
            terms.append(
                make_term(
                    f"T:{number}{index:02}",
                    f"{organ} {trouble}",
                    f"{adjective} {trouble}",
                    parents=[f"T:{number}"],
                    definition=f"A {trouble} that is in the {organ} of a patient, number {index}.",
                )
            )
    return terms


def write_obo(terms: Sequence[OntologyTerm]) -> str:
    """Return terms as OBO."""
    parts = ["format-version: 1.2\nontology: t\n"]
    for term in terms:
        lines = ["[Term]", f"id: {term.curie}"]
        if term.names:
            lines.append(f"name: {term.label}")
        lines += [f'synonym: "{text}" EXACT []' for text, kind in term.names if kind == EXACT]
        lines += [f'def: "{term.definition}" []'] * bool(term.definition)
        lines += [f"alt_id: {curie}" for curie in term.alternative_ids]
        lines += [f"is_a: {parent}" for parent in term.parents]
        lines += ["is_obsolete: true"] * term.obsolete
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
