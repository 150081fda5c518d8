"""One mention's whole ranking on the rank-diff desk, among all names of ICD-10-CM."""

import time

import numpy as np

from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.releases.prepared import fasttext_encoder, icd10cm_workspace, quiet
from termexplorer.bench.times import quantile
from termexplorer.services.compare.comparison import ComparisonSubject, WholeRequest
from termexplorer.services.compare.rankings import Ranker
from termexplorer.services.encoders.vectors import prepare
from termexplorer.store.releases.corpus import release_names
from termexplorer.workers.process.supervision import JobControl

_LIMIT = 100.0  # milliseconds
_SUBJECT = ComparisonSubject("neighbours", 1, None, 1)


def run(context: BenchContext) -> list[BenchFigure]:
    """Rank all names for mentions drawn at random, one after the other, by a warm child."""
    workspace = icd10cm_workspace(context.folder)
    encoder = fasttext_encoder(workspace)
    prepare(workspace, encoder.id, 1, JobControl(), quiet)
    with workspace.store.reading() as connection:
        names = release_names(connection, 1).ids
    mentions = np.random.default_rng(1).choice(names, 20 if context.quick else 100).tolist()
    ranker = Ranker(workspace.folder)
    requests = [WholeRequest(_SUBJECT, encoder.id, mention) for mention in mentions]
    ranker.rank_whole(requests[0])  # reads the encoder and the classes
    times = []
    for request in requests:
        start = time.perf_counter()
        ranker.rank_whole(request)
        times.append(time.perf_counter() - start)
    ranker.close()
    workspace.close()
    return [
        BenchFigure(
            f"whole ranking of {len(names):,} names, p95", p95 := quantile(times, 0.95), "ms",
            "limit", _LIMIT, p95 / _LIMIT, f"under {_LIMIT:g} ms", p95 < _LIMIT,
        )
    ]  # fmt: skip
