"""Rankings of names for one mention, before and after training, as the papers show them."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.replicate.runs import unit_vectors
from termexplorer.replicate.work.pieces import Record
from termexplorer.trainer.search.ties import order_shown

if TYPE_CHECKING:
    from termexplorer.trainer.representations.base import Representation
    from termexplorer.trainer.text.names import LabelledNames

_SHOWN = 10


def before_and_after(
    labels: "LabelledNames",
    mentions: NDArray[np.int64],
    names: NDArray[np.int64],
    before: "Representation",
    after: "Representation",
) -> Record:
    """How mentions rank names, right if they share a class ([FSL] Table 4, [CG] Table 6).

    Args:
        labels: all names and their classes.
        mentions: (m,) indices.
        names: (t,) indices of those to rank.
        before: an encoder.
        after: another.

    Returns:
        `precision`, the share of right names among its first ten, before and
        after, as a mean over mentions; and `example`, the rankings of the mention that gained
        most by it, the first of equal ones. None for both where there is no mention.
    """
    if not len(mentions):
        return {"precision": None, "example": None}
    membership = labels.membership()
    shared = membership[mentions] @ membership[names].T  # (m, t) classes
    firsts = [
        order_shown(units[mentions] @ units[names].T, _SHOWN)
        for units in (unit_vectors(encoder, labels.names) for encoder in (before, after))
    ]
    right = [shared[np.arange(len(mentions))[:, None], first].toarray() for first in firsts]
    shares = [hits.mean(axis=1) for hits in right]
    best = int(np.argmax(shares[1] - shares[0]))
    rankings = [
        list(zip((labels.names[i] for i in names[first[best]]), same[best].tolist(), strict=True))
        for first, same in zip(firsts, right, strict=True)
    ]
    return {
        "precision": [float(share.mean()) for share in shares],
        "example": {
            "mention": labels.names[mentions[best]],
            "class": "; ".join(labels.classes[i] for i in membership[mentions[[best]]].indices),
            "candidates": len(names),
            "before": rankings[0],
            "after": rankings[1],
        },
    }
