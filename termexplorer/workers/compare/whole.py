"""One mention's whole ranking, recomputed when somebody looks at it."""

from functools import lru_cache, partial

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.texts import tr
from termexplorer.trainer.search.ties import order_shown
from termexplorer.workers.compare.messages import WholeRanking, WholeRequest
from termexplorer.workers.compare.subjects import subject_data
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.ranking.pool import Pool


class WholeRankings:
    """Ranks all candidates for one mention after the other; keeps what the last one needed."""

    def __init__(self, store: Store, encoders: Encoders) -> None:
        self._encoders = encoders
        self._data = lru_cache(maxsize=1)(partial(subject_data, store))

    def rank(self, pool: Pool, request: WholeRequest) -> WholeRanking:
        """One mention's whole ranking.

        Args:
            pool: the one release of the subject.
            request: which mention, by which encoder.

        Raises:
            UserError: the name is no mention, or the encoder's files are not there.
        """
        data = self._data(pool.releases[0], request.subject)
        row = int(np.searchsorted(pool.names, request.name_id))
        position = int(np.searchsorted(data.mentions, row))
        mention = data.mentions[position : position + 1]
        if pool.names[mention].tolist() != [request.name_id]:
            raise UserError(
                tr("name {name_id} is not among those that are compared", name_id=request.name_id)
            )
        other_candidates = np.flatnonzero(data.candidates != row)
        right = (data.of_candidates @ data.of_mentions[[position]].T).toarray()[
            other_candidates, 0
        ] > 0
        ranked = data.candidates[other_candidates]
        scores = pool.scores(self._encoders, request.encoder_id, pool.text(row), ranked)
        similarities = scores.similarities[ranked]
        order = order_shown(similarities)
        names = pool.names[ranked[order]]
        return WholeRanking(names, similarities[order], right[order], scores.empty)
