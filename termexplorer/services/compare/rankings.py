"""Rankings: neighbours and hypernyms of a name, by several encoders side by side."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from termexplorer.store.releases import concepts
from termexplorer.workers.explore.rank_server import Ranker
from termexplorer.workers.ranking.messages import (
    Query,
    RankedName,
    RankingColumn,
    RankingRequest,
    Rankings,
    RankingScope,
    Relation,
    Task,
    TermMatch,
    TermsRequest,
)
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.services.recipes.run_requests import RunRequest

__all__ = [
    "Query",
    "RankedName",
    "Ranker",
    "RankingColumn",
    "RankingRequest",
    "RankingScope",
    "Rankings",
    "Relation",
    "Task",
    "TermMatch",
    "TermsRequest",
    "query_for",
    "trained_on",
]


def query_for(workspace: Workspace, ontology_id: int, text: str) -> Query:
    """A query for a text: of the concept that has it as a name, or of none (letter case aside)."""
    with workspace.store.looking() as connection:
        name_id = concepts.with_name(connection, ontology_id, text)
    return Query(text, name_id)


def trained_on(workspace: Workspace, encoder_ids: Sequence[int]) -> "RunRequest | None":
    """What the first trained one among some encoders was asked to train on; None: none is.

    One that is made of trained ones counts as they do.
    """
    # with NumPy and SQLAlchemy, which a window does not need to show itself
    from termexplorer.services.recipes.run_requests import RunRequest
    from termexplorer.store.encoders.runs import run_behind

    with workspace.store.reading() as connection:
        for encoder_id in encoder_ids:
            run = run_behind(connection, encoder_id)
            if run is not None:
                return RunRequest.read(run.request)
    return None
