"""Which names an encoder has seen in training: every table and every ranking has to know."""

import json
from collections.abc import Iterator, Sequence

from termexplorer.store.alchemy import Connection
from termexplorer.store.corpus import release_names, texts_of
from termexplorer.store.runs import RunInfo, runs_beneath, split_names
from termexplorer.workers.judged_choice import JudgedChoice


def trained_names(connection: Connection, encoder_ids: Sequence[int]) -> set[int]:
    """Ids of all names that any of some encoders, or what lies beneath them, was trained on.

    Those are the training names of a run's split, the names of its further ontologies that it may
    learn, and all names that are a term of the judged pairs it was given.
    """
    found: set[int] = set()
    for run in runs_beneath(connection, encoder_ids):
        found.update(_own(connection, run), _further(connection, run))
        found.update(_named(connection, _judged_terms(run)))
    return found


def trained_texts(connection: Connection, encoder_ids: Sequence[int]) -> set[str]:
    """The texts of those names, and the terms of judged pairs that are in no ontology."""
    found = set(texts_of(connection, trained_names(connection, encoder_ids)))
    for run in runs_beneath(connection, encoder_ids):
        found |= _judged_terms(run)
    return found


def _own(connection: Connection, run: RunInfo) -> Iterator[int]:
    from trainer.splits import TRAIN

    return (each for each, _, part in _parted(connection, run) if part == TRAIN)


def _further(connection: Connection, run: RunInfo) -> Iterator[int]:
    """Names of further ontologies that `trainer.fusing.fuse` may take, if no filter drops them."""
    from trainer.names import plain
    from trainer.splits import TRAIN, ZERO_SHOT

    also = run.request.get("also", ())
    parted = [(plain(text), part) for _, text, part in _parted(connection, run) if also]
    withheld = {text for text, part in parted if part != TRAIN}
    zero_shot = {text for text, part in parted if part == ZERO_SHOT}
    for release_id in also:
        names = release_names(connection, release_id)
        texts, concepts = [plain(text) for text in names.texts], names.concept_ids.tolist()
        apart = {c for text, c in zip(texts, concepts, strict=True) if text in zero_shot}
        for each, text, concept in zip(names.ids.tolist(), texts, concepts, strict=True):
            if text not in withheld and concept not in apart:
                yield each


def _parted(connection: Connection, run: RunInfo) -> Iterator[tuple[int, str, int]]:
    return iter(() if run.split_id is None else split_names(connection, run.split_id))


def _judged_terms(run: RunInfo) -> set[str]:
    judged = JudgedChoice.read(run.request)
    return {term for pair in judged.pairs for term in pair[:2]} if judged else set()


def _named(connection: Connection, terms: set[str]) -> Iterator[int]:
    query = "SELECT id FROM name WHERE text COLLATE NOCASE IN (SELECT value FROM json_each(?))"
    if terms:
        yield from connection.exec_driver_sql(query, (json.dumps(sorted(terms)),)).scalars()
