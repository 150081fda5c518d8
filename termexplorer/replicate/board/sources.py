"""The open data of the board: ontologies, pairs, mentions and mappings, each read once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.replicate.builtin.data import (
    ONTOLOGIES,
    HeldOutNames,
    OntologyConcepts,
    OntologySource,
    label_names,
    read_concepts,
)
from termexplorer.taxonomy.cleaning import Taxonomy
from termexplorer.texts import tr
from termexplorer.trainer.corpora.dictionary import Dictionary
from termexplorer.trainer.corpora.pubtator import read_pubtator
from termexplorer.trainer.corpora.queries import MentionPreparation, Queries, prepare_queries
from termexplorer.trainer.data.splits import ZERO_SHOT, concept_split
from termexplorer.trainer.files.pairs import PairSet, read_pairs
from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy
from termexplorer.trainer.text.names import LabelledNames

Int64s = NDArray[np.int64]

BENCHMARKS = "benchmarks/fivez2021_benchmarks.json"
MENTIONS = "normalisation/bc5cdr_test.pubtator.txt.gz"
MENTIONS_TO_CHOOSE_BY = "normalisation/bc5cdr_dev.pubtator.txt.gz"
MAPPINGS = "mappings/doid_ncit.exact.tsv"
MEDIC = OntologySource(
    "medic", "ctd_medic_2012-07-06.tsv.gz", "dictionary", "CTD MEDIC, 2012-07-06", "cite CTD"
)
LEVEL = 2  # of DOID and HPO; level 1 is nearly one class


@dataclass(frozen=True, slots=True)
class BoardSizes:
    """How much of each task is measured.

    Attributes:
        mentions: names, or pairs of concepts, that are looked for; fewer where there are no more.
        concepts: of an ontology, whose synonyms are looked for among each other.
        dictionary: concepts that mentions and mapped concepts are looked for among.
        documents: whose mentions are looked for.
        seed: by which all of these are drawn.
    """

    mentions: int = 1_000
    concepts: int = 1_500
    dictionary: int = 12_000
    documents: int = 150
    seed: int = 0


QUICK = BoardSizes(mentions=150, concepts=200, dictionary=500, documents=10)


@dataclass(frozen=True, eq=False)
class MentionsOfClasses:
    """Names to look for, and names of classes among which those of the right ones are.

    Attributes:
        mentions: q names with the c classes that are right for each.
        candidates: n names.
        candidate_classes: (n,) the class that each of these is a name of.
    """

    mentions: LabelledNames
    candidates: tuple[str, ...]
    candidate_classes: Int64s


@dataclass(frozen=True, eq=False)
class BoardSources:
    """A folder of open data, and how much of it is measured.

    Attributes:
        folder: with `ontologies/`, `benchmarks/`, `normalisation/` and `mappings/`.
        sizes: how much.
    """

    folder: Path
    sizes: BoardSizes

    @cached_property
    def doid(self) -> HeldOutNames:
        """Names of DOID; those held out are the ones that the built-in encoder did not learn."""
        labels = label_names(self._read_ontology("doid"))
        return HeldOutNames(labels, concept_split(labels, 0.1, 1, 1, 0))

    @cached_property
    def pairs(self) -> Mapping[str, PairSet]:
        """Pairs of terms that people judged, by the name of their set in small letters."""
        return {pairs.name.lower(): pairs for pairs in read_pairs(self.find_file(BENCHMARKS))}

    def list_mentions(self, file: str) -> tuple[Queries, LabelledNames]:
        """Return mentions of diseases in texts, and names of MEDIC to look for them among.

        Those are of all concepts that are right for a mention, and of others at random.

        Args:
            file: in the folder.
        """
        names = label_names(self._read_source(MEDIC))
        documents = list(read_pubtator(self.find_file(file)))
        drawn = self.draw_some(np.arange(len(documents)), self.sizes.documents)
        chosen = [documents[index] for index in drawn.tolist()]
        kinds = MentionPreparation(kinds=frozenset({"Disease"}))
        gold = np.unique(prepare_queries(chosen, Dictionary(names), kinds).gold)
        fewer = self._with_others(names, gold[gold >= 0])
        return prepare_queries(chosen, Dictionary(fewer), kinds), fewer

    def list_synonyms(self, key: str) -> HeldOutNames:
        """Return names of some concepts with synonyms, one of each concept held out.

        Args:
            key: of an ontology of `ONTOLOGIES`, or that of MEDIC.
        """
        source = MEDIC if key == MEDIC.key else _find_source(key)
        labels = label_names(self._read_source(source))
        several = np.flatnonzero(np.bincount(labels.class_index) > 1)
        drawn = self.draw_some(several, self.sizes.concepts)
        fewer = _names_of_classes(labels, drawn)
        return HeldOutNames(fewer, concept_split(fewer, 0.0, 1, 0, 0))

    def list_hypernyms(self) -> MentionsOfClasses:
        """Return names of HPO with their classes of a level, and the names of these classes."""
        labels, classes = label_level(self._read_ontology("hp"))
        below = np.unique(labels.name_index)
        names = labels.only(self.draw_some(below, self.sizes.mentions))
        texts = [(name, number) for number, of in enumerate(classes) for name in of]
        return MentionsOfClasses(names, *_split_texts(texts))

    def list_mappings(self) -> MentionsOfClasses:
        """Return labels of concepts of DOID that nothing learned from, and names of NCIt."""
        target = label_names(self._read_ontology("ncit"))
        numbers = {curie: number for number, curie in enumerate(target.classes)}
        aside = self._hidden_concepts()
        rows = self.find_file(MAPPINGS).read_text("utf-8").splitlines()[1:]
        right: dict[str, list[int]] = {}
        for subject, label, _predicate, target_curie, *_ in (row.split("\t") for row in rows):
            if subject in aside and target_curie in numbers:
                right.setdefault(label, []).append(numbers[target_curie])
        chosen = self.draw_some(np.arange(len(right)), self.sizes.mentions)
        labels = [list(right)[index] for index in chosen.tolist()]
        gold = np.array([number for label in labels for number in right[label]], dtype=np.int64)
        fewer = self._with_others(target, np.unique(gold))
        mentions = _label_terms(labels, [right[label] for label in labels], target.classes)
        order = np.argsort(fewer.class_index, kind="stable")
        names = [fewer.names[index] for index in fewer.name_index[order].tolist()]
        return MentionsOfClasses(mentions, tuple(names), fewer.class_index[order])

    def list_parents(self) -> MentionsOfClasses:
        """Return labels of concepts that are hidden from DOID, and the names of all that are left.

        The concepts hidden are those that no encoder learned from as synonyms.
        """
        concepts = self._read_ontology("doid")
        curies = [curie for curie, concept in concepts.items() if concept.names]
        whole = build_hierarchy(concepts, curies)
        aside = self._hidden_concepts()
        hidden = np.flatnonzero([curie in aside for curie in curies])
        left, numbers = whole.without(hidden)
        links = whole.to_parents
        right = {
            int(concept): numbers[links.indices[slice(*links.indptr[concept : concept + 2])]]
            for concept in hidden
        }
        placed = np.array(
            [concept for concept, parents in right.items() if (parents >= 0).any()], dtype=np.int64
        )
        drawn = self.draw_some(placed, self.sizes.mentions)
        parents = [right[concept][right[concept] >= 0].tolist() for concept in drawn.tolist()]
        labels = [whole.labels[concept] for concept in drawn.tolist()]
        classes = tuple(left.labels[number] + f" {number}" for number in range(left.concepts))
        of_names = np.repeat(np.arange(left.concepts), np.diff(left.starts))
        return MentionsOfClasses(_label_terms(labels, parents, classes), left.names, of_names)

    def find_file(self, name: str) -> Path:
        """Return where a file of the folder is.

        Raises:
            UserError: it is not there.
        """
        path = self.folder / name
        if not path.is_file():
            raise UserError(
                tr("{path} is not there; give the folder that holds it with --data", path=path)
            )
        return path

    def read_level(self) -> tuple[LabelledNames, NDArray[np.uint8]]:
        """Return the names of DOID with their classes of a level, and the part of each."""
        labels, _ = label_level(self._read_ontology("doid"))
        part_of = dict(zip(self.doid.labels.names, self.doid.parts.tolist(), strict=True))
        known = np.array([name in part_of for name in labels.names])
        labels = labels.only(np.flatnonzero(known))
        return labels, np.array([part_of[name] for name in labels.names], dtype=np.uint8)

    def draw_some(self, numbers: Int64s, count: int) -> Int64s:
        """Draw some of the numbers, in their own order; all where there are no more."""
        if len(numbers) <= count:
            return numbers
        rng = np.random.default_rng(self.sizes.seed)
        return np.sort(rng.permutation(numbers)[:count])

    def _hidden_concepts(self) -> set[str]:
        labels, parts = self.doid.labels, self.doid.parts
        aside = labels.class_index[parts[labels.name_index] == ZERO_SHOT]
        return {labels.classes[number] for number in np.unique(aside).tolist()}

    def _read_ontology(self, key: str) -> OntologyConcepts:
        return self._read_source(_find_source(key))

    def _read_source(self, source: OntologySource) -> OntologyConcepts:
        known = self._concepts
        if source.key not in known:
            known[source.key] = read_concepts(self.folder, source)
        return known[source.key]

    @cached_property
    def _concepts(self) -> dict[str, OntologyConcepts]:
        return {}

    def _with_others(self, names: LabelledNames, classes: Int64s) -> LabelledNames:
        """Return the names of some classes, and of others at random up to the size wanted."""
        used = np.unique(names.class_index)
        more = self.draw_some(
            np.setdiff1d(used, classes), max(self.sizes.dictionary - len(classes), 0)
        )
        return _names_of_classes(names, np.union1d(classes, more))


def label_level(
    concepts: OntologyConcepts, level: int = LEVEL
) -> tuple[LabelledNames, list[tuple[str, ...]]]:
    """Return the names of concepts below the classes of a level, and the names of each class."""
    curies = [curie for curie, concept in concepts.items() if concept.names]
    hierarchy = build_hierarchy(concepts, curies)
    taxonomy = Taxonomy.build(len(curies), hierarchy.child, hierarchy.parent)
    classes = taxonomy.classes(level).tolist()
    of, numbers = (part.tolist() for part in taxonomy.memberships(level))
    texts: dict[str, int] = {}
    pairs: dict[tuple[int, int], None] = {}
    for concept, number in zip(of, numbers, strict=True):
        for name in _names_of_concept(concepts, curies[concept]):
            pairs[texts.setdefault(name, len(texts)), number] = None
    index = np.array(list(pairs), dtype=np.int64).reshape(-1, 2).T
    labels = tuple(curies[concept] for concept in classes)
    names = LabelledNames(tuple(texts), labels, index[0].copy(), index[1].copy())
    return names, [_names_of_concept(concepts, curie) for curie in labels]


def build_hierarchy(concepts: OntologyConcepts, curies: Sequence[str]) -> NamedHierarchy:
    """Return some concepts with their names, labels first, and their links."""
    numbers = {curie: number for number, curie in enumerate(curies)}
    return NamedHierarchy.build(
        [_names_of_concept(concepts, curie) for curie in curies],
        [
            [numbers[parent] for parent in sorted(concepts[curie].parents) if parent in numbers]
            for curie in curies
        ],
    )


def _names_of_concept(concepts: OntologyConcepts, curie: str) -> tuple[str, ...]:
    ordered = sorted(concepts[curie].names, key=lambda name: name[1] == "synonym")
    return tuple(dict.fromkeys(text for text, _, _ in ordered))


def _find_source(key: str) -> OntologySource:
    return next(source for source in ONTOLOGIES if source.key == key)


def _names_of_classes(labels: LabelledNames, classes: Int64s) -> LabelledNames:
    """Return the names of some classes with those of their classes."""
    among = np.isin(labels.class_index, classes)
    fewer = labels.only(np.unique(labels.name_index[among]))
    inside = np.isin(fewer.class_index, classes)
    return LabelledNames(
        fewer.names, fewer.classes, fewer.name_index[inside], fewer.class_index[inside]
    )


def _label_terms(
    terms: Sequence[str], right: Sequence[Sequence[int]], classes: tuple[str, ...]
) -> LabelledNames:
    """Return terms with the classes that are right for each; a term may be there twice."""
    pairs = [(term, number) for term, of in enumerate(right) for number in sorted(set(of))]
    index = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return LabelledNames(tuple(terms), classes, index[0].copy(), index[1].copy())


def _split_texts(texts: Sequence[tuple[str, int]]) -> tuple[tuple[str, ...], Int64s]:
    names = tuple(name for name, _ in texts)
    return names, np.array([number for _, number in texts], dtype=np.int64)
