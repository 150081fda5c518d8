"""The child that says how similar encoders have the terms of pairs that are in no file."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.texts import tr
from termexplorer.workers.encoders.keeping_encoders import BlockEncoders
from termexplorer.workers.evaluate.messages import MEASURE
from termexplorer.workers.evaluate.opening import opened
from termexplorer.workers.evaluate.similarities import pair_similarities
from termexplorer.workers.process.child import Channel

if TYPE_CHECKING:
    from termexplorer.workers.encoders.encoding import Float32s


@dataclass(frozen=True, slots=True)
class SimilarityRequest:
    """What is asked of encoders.

    Attributes:
        encoder_ids: of those that are asked.
        left: the p first terms.
        right: the p second ones.
        measure: of two terms, where an encoder has not its own.
    """

    workspace: Path
    encoder_ids: tuple[int, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]
    measure: str = MEASURE


def run_similarities(request: SimilarityRequest, channel: Channel) -> "dict[int, Float32s]":
    """The similarities of each encoder by its id, (p,); NaN for what it cannot represent.

    Raises:
        UserError: an encoder is not there or named twice, or has no words for the measure.
    """
    from termexplorer.trainer.files.pairs import PairSet

    pairs = PairSet("pairs", request.left, request.right, np.zeros(len(request.left)))
    with opened(request.workspace, request.encoder_ids, channel) as (store, _, steps):
        encoders = BlockEncoders(request.workspace, store, steps.encoding)
        steps.plan(len(request.encoder_ids), 1)
        similarities = {}
        for encoder_id in request.encoder_ids:
            steps.begin(tr("similarities by {label}", label=encoders.info(encoder_id).label))
            (similarities[encoder_id],) = pair_similarities(
                encoders, encoder_id, [pairs], request.measure, steps.tick
            )
        return similarities
