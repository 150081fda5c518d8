"""Two small ontologies of the same diseases, called otherwise, and encoders of their names."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from termexplorer.trainer.evaluation.scores import cosine_scores
from termexplorer.trainer.mapping.decide import NameSimilarity
from termexplorer.trainer.mapping.sides import EXACT, PREFERRED, MappingSide

ORGANS = {"kidney": "renal", "liver": "hepatic", "heart": "cardiac", "lung": "pulmonary"}
TROUBLES = ("failure", "abscess", "cyst", "injury", "tumor", "infection", "stone", "necrosis")
_SIZE = 64  # of the vectors


def make_side(
    names_of: Sequence[Sequence[str]], links: Sequence[tuple[int, int]] = ()
) -> MappingSide:
    """Concepts with their names, the preferred one first, and (child, parent) links."""
    kinds = [PREFERRED if not i else EXACT for names in names_of for i in range(len(names))]
    children, parents = np.array(links, np.int64).reshape(-1, 2).T
    return MappingSide(
        [name for names in names_of for name in names],
        np.repeat(np.arange(len(names_of)), [len(names) for names in names_of]),
        np.array(kinds, np.int64),
        children,
        parents,
    )


def make_diseases() -> tuple[MappingSide, MappingSide]:
    """One ontology says *kidney cyst*, the other *renal cyst*, often both; concept i is concept i.

    Concept 0 is the root, then come the organs, then their troubles, and last those of a kind: the
    acute ones, which the second ontology has not for the last organ.
    """
    ours, theirs, links = [["disease"]], [["disorder", "disease"]], []
    for organ, adjective in ORGANS.items():
        links.append((len(ours), 0))
        ours.append([f"{organ} disease"])
        theirs.append([f"{adjective} disease", f"{organ} disease"])
    for number, (organ, adjective) in enumerate(ORGANS.items(), start=1):
        for trouble in TROUBLES:
            links.append((len(ours), number))
            ours.append([f"{organ} {trouble}", f"{trouble} of {organ}"])
            synonyms = [f"{adjective} {trouble}", f"{organ} {trouble}"]
            theirs.append(synonyms if trouble in TROUBLES[:3] else synonyms[::-1])
    for number in range(5, 5 + len(ORGANS) * len(TROUBLES)):
        links.append((len(ours), number))
        ours.append([f"acute {ours[number][0]}"])
        theirs.append([f"acute {theirs[number][0]}", f"acute {theirs[number][1]}"])
    gone = len(theirs) - len(TROUBLES)
    theirs_links = [(child, parent) for child, parent in links if child < gone]
    return make_side(ours, links), make_side(theirs[:gone], theirs_links)


def encode_letters(names: Sequence[str]) -> np.ndarray:
    """(n, d) float32, counts of pairs of letters, hashed by their code points alone."""
    vectors = np.zeros((len(names), _SIZE), np.float32)
    for row, name in enumerate(names):
        text = f" {name.lower()} "
        for first, second in pairwise(text):
            vectors[row, (31 * ord(first) + ord(second)) % _SIZE] += 1
    return vectors


def compare_letters(left: Sequence[str], right: Sequence[str]) -> list[NameSimilarity]:
    """How similar the letters of names are."""
    ours, theirs = (encode_letters(names) for names in (left, right))
    units = [v / np.linalg.norm(v, axis=1, keepdims=True) for v in (ours, theirs)]

    def of_pairs(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        return np.einsum("nd,nd->n", units[0][rows], units[1][columns])

    return [NameSimilarity(cosine_scores(ours, theirs), of_pairs)]
