"""Which names an encoder has seen in training: every table and every ranking has to know."""

import json
from collections.abc import Iterator, Mapping, Sequence

from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.encoders.runs import RunInfo, runs_beneath, split_parts
from termexplorer.store.releases.corpus import named, release_names, texts_of
from termexplorer.workers.data.judged_choice import JudgedChoice


def trained_names(connection: Connection, encoder_ids: Sequence[int]) -> set[int]:
    """Ids of all names that any of some encoders, or what lies beneath them, was trained on.

    Those are the training names of a run's split, all names that say the same, the names of its
    further ontologies that it may learn, and all that are a term of the judged pairs it was given.
    """
    return _trained_name_ids(connection, runs_beneath(connection, encoder_ids))


def trained_texts(connection: Connection, encoder_ids: Sequence[int]) -> set[str]:
    """The texts of those names, and the terms of judged pairs that are in no ontology."""
    runs = runs_beneath(connection, encoder_ids)
    texts = set(texts_of(connection, _trained_name_ids(connection, runs)))
    return texts.union(*map(_judged_terms, runs))


def _trained_name_ids(connection: Connection, runs: Sequence[RunInfo]) -> set[int]:
    from termexplorer.trainer.data.splits import TRAIN

    name_ids: set[int] = set()
    for run in runs:
        parts = {} if run.split_id is None else split_parts(connection, run.split_id)
        learned = [name_id for name_id, part in parts.items() if part == TRAIN]
        name_ids.update(learned, _named_by_terms(connection, set(texts_of(connection, learned))))
        name_ids.update(_names_of_further(connection, run.request.get("also", ()), parts))
        name_ids.update(_named_by_terms(connection, _judged_terms(run)))
    return name_ids


def _names_of_further(
    connection: Connection, also: Sequence[int], parts: Mapping[int, int]
) -> Iterator[int]:
    """Names of further ontologies that `merge_synonym_sets.fuse` may take, if no filter drops them.

    Args:
        connection: to the store.
        also: the further releases.
        parts: of the names that the run was measured on.
    """
    from termexplorer.trainer.data.splits import TRAIN, ZERO_SHOT
    from termexplorer.trainer.text.names import plain

    if not also:
        return
    held_out = named(
        connection, [identifier for identifier, part in parts.items() if part != TRAIN]
    )
    withheld = {plain(text) for text, _ in held_out.values()}
    zero_shot = {
        plain(text) for identifier, (text, _) in held_out.items() if parts[identifier] == ZERO_SHOT
    }
    for release_id in also:
        names = release_names(connection, release_id)
        texts, concepts = [plain(text) for text in names.texts], names.concept_ids.tolist()
        apart = {c for text, c in zip(texts, concepts, strict=True) if text in zero_shot}
        for name_id, text, concept in zip(names.ids.tolist(), texts, concepts, strict=True):
            if text not in withheld and concept not in apart:
                yield name_id


def _judged_terms(run: RunInfo) -> set[str]:
    judged = JudgedChoice.read(run.request)
    return {term for pair in judged.pairs for term in pair[:2]} if judged else set()


def _named_by_terms(connection: Connection, terms: set[str]) -> Iterator[int]:
    query = """SELECT name_id FROM sorted_name WHERE release_id IN (SELECT id FROM release)
               AND text IN (SELECT value FROM json_each(?))"""
    if terms:
        yield from connection.exec_driver_sql(query, (json.dumps(sorted(terms)),)).scalars()
