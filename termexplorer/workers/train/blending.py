"""The child that chooses the weight of the lexical part of a blended encoder."""

from dataclasses import dataclass
from pathlib import Path

from termexplorer.texts import tr
from termexplorer.workers.evaluate.opening import opened
from termexplorer.workers.evaluate.sparse_weight import FittedWeight, fitted_weight
from termexplorer.workers.process.child import Channel


@dataclass(frozen=True, slots=True)
class BlendRequest:
    """Which weight suits an encoder, by synonym retrieval on validation names of a release."""

    workspace: Path
    encoder_id: int
    release_id: int
    seed: int = 0


def fit_weight(request: BlendRequest, channel: Channel) -> FittedWeight:
    """Tries each weight, see `fitted_weight`.

    Raises:
        UserError: no name of the release is for validation, or the encoder saw them all.
    """
    from termexplorer.trainer.evaluation.sparse import WEIGHTS

    with opened(request.workspace, [request.encoder_id], channel) as (store, encoders, steps):

        def begin(weight: float, mentions: int) -> None:
            steps.begin(tr("Ranking with weight {weight:g}", weight=weight), mentions)

        steps.plan(1, len(WEIGHTS))
        return fitted_weight(
            store,
            encoders,
            request.encoder_id,
            request.release_id,
            request.seed,
            begin=begin,
            tick=steps.tick,
            row=steps.row,
        )
