"""What the ranking worker is asked and what it answers: encoders side by side."""

from dataclasses import dataclass
from enum import Enum

from termexplorer.texts import mark


class Task(Enum):
    """What is ranked."""

    NEIGHBOURS = "neighbours"
    HYPERNYMS = "hypernyms"


@dataclass(frozen=True, slots=True)
class Query:
    """What is ranked against.

    Attributes:
        text: a name, or anything typed.
        concept_id: the concept that it is a name of; None for a typed text.
    """

    text: str
    concept_id: int | None = None


@dataclass(frozen=True, slots=True)
class RankingScope:
    """Which names are ranked.

    Attributes:
        ontology_ids: the releases whose names are ranked.
        root_id: concept below which levels count, or None for all roots.
        level: for hypernyms the level whose concepts are ranked; for neighbours only names of
            concepts on that level are ranked; None: any (neighbours only).
        subtree_id: only names of this concept and of what lies below it; None: any. A class is
            the subtree of its concept.
        unseen: leaves out names that any of the chosen encoders was trained on.
    """

    ontology_ids: tuple[int, ...]
    root_id: int | None = None
    level: int | None = None
    subtree_id: int | None = None
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class RankingRequest:
    """What is asked: one query, one task, several encoders."""

    query: Query
    task: Task
    encoder_ids: tuple[int, ...]
    among: RankingScope
    top: int = 50


class Relation(Enum):
    """What a ranked name's concept is to the query's concept."""

    NONE = ""
    SYNONYM = mark("synonym")
    ANCESTOR = mark("ancestor")
    DESCENDANT = mark("descendant")
    SIBLING = mark("sibling")


@dataclass(frozen=True, slots=True)
class RankedName:
    """One row of a ranking.

    Attributes:
        rank: from 1, among all candidates.
        similarity: cosine, -1 to 1; of encoders without vectors their own score, which may be
            above 1.
        relation: to the query's concept.
        true: the right answer: a synonym (neighbours), a true ancestor on the level (hypernyms).
        ranks: its rank with each encoder, in the order of the columns.
    """

    rank: int
    name_id: int
    text: str
    concept_id: int
    curie: str
    code: str
    ontology_id: int
    similarity: float
    relation: Relation
    true: bool
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RankingColumn:
    """One encoder's ranking.

    Attributes:
        best_true_rank: the rank of the best true name among all candidates, as the list has it;
            None if none is true.
        candidates: how many names were ranked.
        note: something to know about it (how it was found, its recall), or empty.
        empty_query: the encoder knows no part of the query, so its ranking says nothing.
        tied: how many names are as similar as the best true one, itself among them; their order in
            the list says nothing.
        encoded: whether the encoder has encoded the names; else it ranks none of them yet.
        known: how much of the query the encoder knows by its words, 0 to 1; the rest is known by
            its spelling alone.
    """

    encoder_id: int
    title: str
    rows: tuple[RankedName, ...]
    best_true_rank: int | None
    candidates: int
    note: str
    empty_query: bool
    tied: int = 1
    encoded: bool = True
    known: float = 1.0


@dataclass(frozen=True, slots=True)
class Rankings:
    """The answer to a `RankingRequest`."""

    request: RankingRequest
    columns: tuple[RankingColumn, ...]


@dataclass(frozen=True, slots=True)
class TermsRequest:
    """The best concepts for each of many terms, by one encoder."""

    terms: tuple[str, ...]
    encoder_id: int
    among: RankingScope
    top: int = 1


@dataclass(frozen=True, slots=True)
class TermMatch:
    """One of the best concepts for a term, told by its most similar name; rank 0: none found."""

    term: str
    rank: int
    text: str
    curie: str
    code: str
    label: str
    concept_id: int
    ontology_id: int
    similarity: float
