"""Similar and dissimilar pairs of terms, against what [MTS] says of them."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from termexplorer.trainer.term_pairs.concepts import (
    ConceptLinks,
    ConceptTerms,
    NegativeExclusions,
    Vocabulary,
    plain_term,
)
from termexplorer.trainer.term_pairs.kinds import EASY, HARD, PREFERRED, SOURCES, SYNONYMS
from termexplorer.trainer.term_pairs.making import groups
from termexplorer.trainer.term_pairs.nearest import NearestTerms
from termexplorer.trainer.term_pairs.negatives import Negatives, random_negatives
from termexplorer.trainer.term_pairs.parts import PartFiles
from termexplorer.trainer.term_pairs.positives import Positives, positives

Words = set[tuple[str, str]]

CONCEPTS = (
    ConceptTerms("A:1", "malaria", ("paludism", "Malaria", "marsh fever"), ("fever",)),
    ConceptTerms("A:2", "cold", ("common cold",)),
    ConceptTerms("A:3", "sacrum sprain", ("sacral sprain",)),
    ConceptTerms("A:4", "ague", live=False),
    ConceptTerms("A:5", "chill", live=False),
    ConceptTerms("A:6", "namespace concept"),
)
LINKS = ConceptLinks(
    {"replaced_by": [("A:4", "A:1"), ("A:5", "A:6"), ("A:4", "B:9")], "consider": [("A:4", "A:2")]},
    [("A:1", "A:6"), ("A:2", "A:6"), ("A:3", "A:2")],
)
LETTERS = st.text("abcd", min_size=1, max_size=5)


def words(vocabulary: Vocabulary, pairs: Positives | Negatives) -> list[tuple[str, str]]:
    sides = (pairs.left.tolist(), pairs.right.tolist())
    return [(vocabulary.terms[x], vocabulary.terms[y]) for x, y in zip(*sides, strict=True)]


def test_similar_pairs_come_from_names_and_associations() -> None:
    vocabulary = Vocabulary(CONCEPTS, LINKS)
    pairs_by_source = positives(vocabulary, LINKS, SOURCES)
    assert words(vocabulary, pairs_by_source[PREFERRED]) == [
        ("malaria", "paludism"), ("malaria", "marsh fever"), ("cold", "common cold"),
        ("sacrum sprain", "sacral sprain"),
    ]  # fmt: skip
    more = {("paludism", "marsh fever")}
    assert set(words(vocabulary, pairs_by_source[SYNONYMS])) == more | set(
        words(vocabulary, pairs_by_source[PREFERRED])
    )
    assert words(vocabulary, pairs_by_source["replaced_by"]) == [("ague", "malaria")]
    assert words(vocabulary, pairs_by_source["consider"]) == [("ague", "cold")]
    assert words(vocabulary, pairs_by_source["same_as"]) == []
    assert [CONCEPTS[x].id for x in pairs_by_source["consider"].right_concepts.tolist()] == ["A:2"]
    assert pairs_by_source["consider"].distances.tolist() == [4]


def test_pairs_are_easy_up_to_the_threshold() -> None:
    vocabulary = Vocabulary(CONCEPTS, LINKS)
    pairs_by_source = {
        (group.source, group.difficulty): words(vocabulary, group.pairs)
        for group in groups(positives(vocabulary, LINKS, [PREFERRED]), 5)
    }
    easy = [("malaria", "paludism"), ("sacrum sprain", "sacral sprain")]  # 5 edits and 2
    assert pairs_by_source[PREFERRED, EASY] == easy
    assert len(pairs_by_source[PREFERRED, HARD]) == 2
    assert len({group.seed(1) for group in groups(positives(vocabulary, LINKS, SOURCES))}) == 6


@pytest.mark.parametrize(
    ("text", "tag", "plain"),
    [
        ("Malaria (disorder)", "disorder", "Malaria"),
        ("Malaria (parasite)", "disorder", "Malaria (parasite)"),
        ("[D] Fever", "", "Fever"),
        ("Fever [D]", "", "Fever"),
        ("[D]Fever (finding)", "symptom", "Fever"),
        ("(disorder)", "disorder", "(disorder)"),
        ("Vitamin [D] lack", "", "Vitamin [D] lack"),
    ],
)
def test_marks_and_tags_are_no_part_of_a_term(text: str, tag: str, plain: str) -> None:
    assert plain_term(text, tag) == plain


def test_what_is_similar_directly_indirectly_and_by_is_a() -> None:
    vocabulary = Vocabulary(CONCEPTS, LINKS)

    def named(places: np.ndarray) -> set[str]:
        return {vocabulary.terms[index] for index in places.tolist()}

    malaria, cold = vocabulary.place("MALARIA"), vocabulary.place("cold")
    synonyms = {"malaria", "paludism", "marsh fever", "fever"}
    assert named(vocabulary.similar(malaria)) == synonyms | {"ague"}
    assert named(vocabulary.similar_indirectly(malaria)) == synonyms | {
        "ague",
        "cold",
        "common cold",
    }
    assert named(vocabulary.kept(cold, NegativeExclusions())) == set()
    assert named(vocabulary.kept(cold, NegativeExclusions(siblings=True))) == synonyms | {
        "cold",
        "common cold",
    }
    above = {"namespace concept", "sacrum sprain", "sacral sprain", "cold", "common cold"}
    assert named(vocabulary.kept(cold, NegativeExclusions(ancestors=True))) == above


@st.composite
def terminologies(draw: st.DrawFn) -> tuple[Vocabulary, ConceptLinks]:
    """Concepts that share terms, and associations between them."""
    count = draw(st.integers(3, 12))
    concepts = [
        ConceptTerms(
            f"A:{index}", draw(LETTERS), tuple(draw(st.lists(LETTERS, max_size=3))),
            live=draw(st.integers(0, 4)) > 0,
        )
        for index in range(count)
    ]  # fmt: skip
    ids = st.sampled_from([concept.id for concept in concepts])
    links = ConceptLinks({"same_as": draw(st.lists(st.tuples(ids, ids), max_size=4))})
    return Vocabulary(concepts, links), links


def terms_of(concept: ConceptTerms) -> set[str]:
    return {term.lower() for term in (concept.main, *concept.synonyms, *concept.near)}


def naive_similar(vocabulary: Vocabulary, links: ConceptLinks, term: str) -> set[str]:
    """The terms of the concepts of a term, and of those associated with them, in lower case."""
    own_concepts = {
        concept.id for concept in vocabulary.concepts if term.lower() in terms_of(concept)
    }
    near = set(own_concepts)
    for pair in (pair for pairs in links.associated.values() for pair in pairs):
        if own_concepts & set(pair):
            near |= set(pair)
    return {
        term for concept in vocabulary.concepts if concept.id in near for term in terms_of(concept)
    }


def refused(vocabulary: Vocabulary, links: ConceptLinks, term: str, *, nearest: bool) -> set[str]:
    direct = naive_similar(vocabulary, links, term)
    if not nearest:
        return direct
    return set().union(*(naive_similar(vocabulary, links, concept) for concept in direct))


@given(terminology=terminologies(), nearest=st.booleans(), seed=st.integers(0, 9))
def test_dissimilar_pairs_are_as_the_paper_has_them(
    terminology: tuple[Vocabulary, ConceptLinks], nearest: bool, seed: int
) -> None:
    vocabulary, links = terminology
    similar = positives(vocabulary, links, [SYNONYMS])[SYNONYMS]
    if nearest:
        negatives = NearestTerms(vocabulary, similar, NegativeExclusions()).negatives((seed,))
    else:
        negatives = random_negatives(vocabulary, similar, (seed,), NegativeExclusions())
    assert len(negatives.left) + negatives.missing == len(similar.left)
    of_set = {term.lower() for pair in words(vocabulary, similar) for term in pair}
    pairs = [(first.lower(), second.lower()) for first, second in words(vocabulary, negatives)]
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)  # none twice, either way round
    for first, second in pairs:
        assert second in of_set - refused(vocabulary, links, first, nearest=nearest)
    wanted = Counter(similar.left.tolist())
    given_ = Counter(negatives.left.tolist())
    for index, count in wanted.items():
        assert given_[index] <= count
        term = vocabulary.terms[index].lower()
        paired = {x for pair in pairs if term in pair for x in pair}
        left = of_set - refused(vocabulary, links, term, nearest=nearest) - paired
        assert given_[index] == count or not left
        if (
            nearest
            and left
            and (own_terms := [right for left_term, right in pairs if left_term == term])
        ):
            farthest = max(Levenshtein.distance(term, other) for other in own_terms)
            assert farthest <= min(Levenshtein.distance(term, candidate) for candidate in left)


def many() -> tuple[Vocabulary, Positives]:
    """Sixty concepts with two synonyms each."""
    rng = np.random.default_rng(5)
    parts = ["".join(rng.choice(list("aeiormnt"), 5)) for _ in range(20)]
    names = list(dict.fromkeys(f"{x} {y}" for x, y in combinations(parts, 2)))
    concepts = [
        ConceptTerms(f"A:{x}", names[3 * x], tuple(names[3 * x + 1 : 3 * x + 3])) for x in range(60)
    ]
    links = ConceptLinks({})
    vocabulary = Vocabulary(concepts, links)
    return vocabulary, positives(vocabulary, links, [SYNONYMS])[SYNONYMS]


def test_the_seed_decides_and_nothing_else() -> None:
    vocabulary, similar = many()
    search = NearestTerms(vocabulary, similar, NegativeExclusions())
    for make in (
        lambda seed: random_negatives(vocabulary, similar, (seed,), NegativeExclusions()),
        lambda seed: search.negatives((seed,)),
    ):
        assert words(vocabulary, make(1)) == words(vocabulary, make(1))
        assert words(vocabulary, make(1)) != words(vocabulary, make(2))


def test_a_search_that_was_stopped_goes_on(tmp_path: Path) -> None:
    vocabulary, similar = many()
    search = NearestTerms(vocabulary, similar, NegativeExclusions())
    whole = words(vocabulary, search.negatives((1,)))
    parts = PartFiles(tmp_path / "parts")
    search.negatives((1,), parts)
    (file,) = (tmp_path / "parts").iterdir()
    assert words(vocabulary, search.negatives((1,), parts)) == whole
    file.write_bytes(file.read_bytes()[:-40])  # a damaged one is made anew
    assert words(vocabulary, search.negatives((1,), parts)) == whole
    assert search.seconds() > 0
