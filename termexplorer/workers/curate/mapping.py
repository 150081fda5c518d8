"""Concepts of one ontology mapped to those of another, in a child."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.database.engine import Store
from termexplorer.workers.curate.finder import clip_similarity
from termexplorer.workers.data.concept_data import concept_names
from termexplorer.workers.data.references import references
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workers.evaluate.opening import opened
from termexplorer.workers.evaluate.scoring import scores_of
from termexplorer.workers.evaluate.steps import EvaluationSteps
from termexplorer.workers.process.child import Channel

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from termexplorer.trainer.evaluation.matching import Matches
    from termexplorer.trainer.text.names import LabelledNames

_KEPT = 10  # best candidates of each concept


@dataclass(frozen=True, slots=True)
class MappingRequest:
    """Which concepts are mapped to which.

    Attributes:
        workspace: its folder.
        ontology_id: the release whose concepts are mapped.
        to_id: the release that they are mapped to.
        encoder_ids: the first one suggests, the others agree or not.
        root: only this concept and those below it are mapped; all if it is empty.
        seed: of the bootstrap.
    """

    workspace: Path
    ontology_id: int
    to_id: int
    encoder_ids: tuple[int, ...]
    root: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class SuggestedMapping:
    """The best concept for one, by the first encoder.

    Attributes:
        subject: CURIE of the concept that is mapped.
        object: CURIE of the best one for it.
        similarity: of the most similar names of both.
        margin: how much less similar the second best is; NaN if there is no other.
        same_name: whether they have a name in common, letter case aside.
        agree: how many of the encoders find the same one best.
        known: whether a cross-reference of either says the same.
        references: CURIEs of the other ontology that cross-references name.
    """

    subject: str
    object: str
    similarity: float
    margin: float
    same_name: bool
    agree: int
    known: bool
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MappingFigure:
    """How well an encoder finds what cross-references say, which it has not seen."""

    encoder_id: int
    metric: str
    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Mapped:
    """What was found for the concepts.

    Attributes:
        suggestions: the most similar first.
        figures: of each encoder.
        without_evidence: how many concepts the first encoder finds nothing like.
    """

    suggestions: tuple[SuggestedMapping, ...]
    figures: tuple[MappingFigure, ...]
    without_evidence: int = 0


def run_mapping(request: MappingRequest, channel: Channel) -> Mapped:
    """Maps every live concept that has a name.

    Raises:
        UserError: an encoder or concept is not there, or it was stopped.
    """
    sides = (request.ontology_id, request.to_id)
    with opened(request.workspace, request.encoder_ids, channel, sides) as opening:
        store, encoders, steps = opening
        source_names, _ = concept_names(store, request.ontology_id, request.root)
        target_names, _ = concept_names(store, request.to_id)
        truth = cross_references(
            store, request.ontology_id, request.to_id, source_names.classes, target_names.classes
        )
        steps.plan(len(request.encoder_ids), 1)
        matches: list[Matches] = []
        for encoder_id in request.encoder_ids:
            steps.begin(encoders.info(encoder_id).label, len(source_names.names))
            matches.append(
                _match_concepts_by(
                    encoders, encoder_id, source_names, target_names, truth, request.seed, steps
                )
            )
    suggestions = sorted(
        _make_suggestions(source_names, target_names, truth, matches),
        key=lambda suggestion: -suggestion.similarity,
    )
    figures = tuple(_list_figures(request.encoder_ids, matches))
    return Mapped(tuple(suggestions), figures, len(source_names.classes) - len(suggestions))


def _match_concepts_by(
    encoders: CachedEncoders,
    encoder_id: int,
    source_names: "LabelledNames",
    target_names: "LabelledNames",
    truth: "csr_array",
    seed: int,
    steps: EvaluationSteps,
) -> "Matches":
    from termexplorer.trainer.evaluation.matching import match_concepts

    scores = scores_of(
        encoders,
        encoder_id,
        source_names.names,
        target_names.names,
        tick=steps.tick,
        row=steps.row,
        announce=steps.announce,
    )
    return match_concepts(
        scores,
        source_names.class_index,
        target_names.class_index,
        truth,
        k=_KEPT,
        seed=seed,
        tick=steps.tick,
    )


def cross_references(
    store: Store, ontology_id: int, to_id: int, subjects: Sequence[str], objects: Sequence[str]
) -> "csr_array":
    """Return (m, c) bool, where a concept of either release refers to one of the other.

    Args:
        store: of the workspace.
        ontology_id: the release of the m subjects.
        to_id: the release of the c objects.
        subjects: their CURIEs.
        objects: likewise.
    """
    from scipy.sparse import csr_array

    with store.reading() as connection:
        forward, back = (references(connection, i) for i in (ontology_id, to_id))
    rows = {curie: index for index, curie in enumerate(subjects)}
    columns = {curie: index for index, curie in enumerate(objects)}
    cells = {
        (rows[a], columns[b]) for a in forward if a in rows for b in forward[a] if b in columns
    }
    cells |= {(rows[a], columns[b]) for b in back if b in columns for a in back[b] if a in rows}
    row, column = np.array(sorted(cells), np.int64).reshape(-1, 2).T
    return csr_array((np.ones(len(row), np.bool_), (row, column)), shape=(len(rows), len(columns)))


def _make_suggestions(
    source_names: "LabelledNames",
    target_names: "LabelledNames",
    truth: "csr_array",
    matches: "Sequence[Matches]",
) -> Iterator[SuggestedMapping]:
    first, best = matches[0], matches[0].places[:, 0]
    told_apart = [_tell_apart(match) for match in matches]
    agree = np.sum(
        [(m.places[:, 0] == best) & tells for m, tells in zip(matches, told_apart, strict=True)],
        axis=0,
    )
    same = _share_a_name(source_names, target_names, best)
    for row, column in enumerate(best.tolist()):
        if not (told_apart[0][row] or same[row]):
            continue
        named = truth.indices[truth.indptr[row] : truth.indptr[row + 1]].tolist()
        similar = first.similarities[row]
        yield SuggestedMapping(
            subject=source_names.classes[row],
            object=target_names.classes[column],
            similarity=clip_similarity(float(similar[0])),
            margin=float(similar[0] - similar[1]) if len(similar) > 1 else float("nan"),
            same_name=bool(same[row]),
            agree=int(agree[row]),
            known=column in named,
            references=tuple(target_names.classes[reference] for reference in named),
        )


def _tell_apart(match: "Matches") -> NDArray[np.bool_]:
    """Whether an encoder finds anything like each concept, (m,); not if the best are equal at 0."""
    best, second = match.similarities[:, 0], match.similarities[:, :2][:, -1]
    return np.asarray((best != 0) | (best > second), np.bool_)


def _share_a_name(
    source_names: "LabelledNames", target_names: "LabelledNames", best: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether each concept has a name of its best candidate, letter case and spaces aside, (m,)."""
    from termexplorer.trainer.text.names import plain

    theirs: dict[int, set[str]] = {}
    for index, concept in enumerate(target_names.class_index.tolist()):
        theirs.setdefault(concept, set()).add(plain(target_names.names[index]))
    shares_name = np.zeros(len(source_names.classes), np.bool_)
    for index, concept in enumerate(source_names.class_index.tolist()):
        shares_name[concept] |= plain(source_names.names[index]) in theirs[int(best[concept])]
    return shares_name


def _list_figures(
    encoder_ids: Sequence[int], matches: "Sequence[Matches]"
) -> Iterator[MappingFigure]:
    for encoder_id, match in zip(encoder_ids, matches, strict=True):
        for f in match.result.figures:
            if f.n:
                yield MappingFigure(encoder_id, f.metric, f.value, f.low, f.high, f.n)
