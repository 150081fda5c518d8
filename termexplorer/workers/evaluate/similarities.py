"""How similar an encoder has the terms of pairs, in one set or in many."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.store.encoders.infos import EncoderInfo
from termexplorer.workers.encoders.encoding import Encoders, Float32s
from termexplorer.workers.encoders.lexical import fitted
from termexplorer.workers.evaluate.messages import MEASURE
from termexplorer.workers.evaluate.task_data import Ints
from termexplorer.workers.process.child import trainer_errors

if TYPE_CHECKING:
    from termexplorer.trainer.files.pairs import PairSet
    from termexplorer.trainer.measures.base import WordBags

_PAIRS = 50_000  # at a time, with the vectors of their terms


def pair_similarities(
    encoders: Encoders,
    encoder_id: int,
    sets: "Sequence[PairSet]",
    measure: str,
    tick: Callable[[], None],
) -> list[Float32s]:
    """The similarity of the p terms of each set's pairs, (p,) each; NaN where one is not known.

    A term of several sets is encoded once. Lexical encoders are fitted on each set for itself, so
    that figures on it do not depend on what else is asked for.

    Args:
        encoders: of the workspace.
        encoder_id: one of them.
        sets: of pairs.
        measure: of two terms; lexical encoders have their own.
        tick: called often by what takes long; may raise to stop.

    Raises:
        UserError: the measure needs word vectors, and the encoder has none of its own.
    """
    info = encoders.info(encoder_id)
    if info.is_blended:
        parts = [
            pair_similarities(encoders, part_id, sets, measure, tick) for part_id in info.part_ids
        ]
        return [_blend_similarities(info, of_set) for of_set in zip(*parts, strict=True)]
    with trainer_errors():
        if info.is_lexical:
            return [_lexical_similarities(encoders, info, pairs, tick) for pairs in sets]
        return _dense_similarities(encoders, encoder_id, sets, measure, tick)


def _blend_similarities(info: EncoderInfo, parts: Sequence[Float32s]) -> Float32s:
    weighted = [w * np.nan_to_num(p) for w, p in zip(info.weights, parts, strict=True)]
    summed = np.sum(weighted, axis=0, dtype=np.float32)
    return np.where(np.isnan(parts).all(axis=0), np.float32(np.nan), summed)


def _lexical_similarities(
    encoders: Encoders, info: EncoderInfo, pairs: "PairSet", tick: Callable[[], None]
) -> Float32s:
    tick()
    return fitted(encoders, info, pairs.terms()[0], tick).pair_scores(pairs.left, pairs.right)


def _dense_similarities(
    encoders: Encoders,
    encoder_id: int,
    sets: "Sequence[PairSet]",
    measure: str,
    tick: Callable[[], None],
) -> list[Float32s]:
    """Some pairs at a time, so that only the vectors of the terms are there all at once."""
    from termexplorer.trainer.files.pairs import distinct
    from termexplorer.trainer.measures import measure as measure_of

    left = [term for pairs in sets for term in pairs.left]
    right = [term for pairs in sets for term in pairs.right]
    terms, left_index, right_index = distinct(left, right)
    bags_of, similarities = _make_bags(encoders, encoder_id, terms, measure), measure_of(measure)
    values = np.empty(len(left_index), np.float32)
    for start in range(0, len(left_index), _PAIRS):
        some = slice(start, start + _PAIRS)
        used, places = np.unique([left_index[some], right_index[some]], return_inverse=True)
        first, second = places.reshape(2, -1)
        values[some] = similarities(bags_of(used), first, second, tick)
    return np.split(values, np.cumsum([len(pairs) for pairs in sets])[:-1])


def _make_bags(
    encoders: Encoders, encoder_id: int, terms: Sequence[str], measure: str
) -> "Callable[[Ints], WordBags]":
    """What gives the words of some of the terms; by the usual measure each is one."""
    from termexplorer.trainer.measures.base import WordBags

    if measure == MEASURE:
        vectors = encoders.encode(encoder_id, terms)
        return lambda used: WordBags.of_vectors(vectors[used])
    words = encoders.words(encoder_id)
    return lambda used: WordBags.of_names([terms[index] for index in used.tolist()], words)
