"""Rankings: neighbours and hypernyms of a name, by several encoders side by side."""

from termexplorer.store import concepts
from termexplorer.workers.rank_server import Ranker
from termexplorer.workers.ranking_messages import (
    Among,
    Query,
    RankedName,
    RankingColumn,
    RankingRequest,
    Rankings,
    Relation,
    Task,
    TermMatch,
    TermsRequest,
)
from termexplorer.workspace import Workspace

__all__ = [
    "Among",
    "Query",
    "RankedName",
    "Ranker",
    "RankingColumn",
    "RankingRequest",
    "Rankings",
    "Relation",
    "Task",
    "TermMatch",
    "TermsRequest",
    "query_for",
]


def query_for(workspace: Workspace, ontology_id: int, text: str) -> Query:
    """A query for a text: of the concept that has it as a name, or of none (letter case aside)."""
    with workspace.store.reading() as connection:
        found = concepts.with_name(connection, ontology_id, text)
    return Query(text, found)
