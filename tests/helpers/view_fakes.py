"""A small ontology and a ranker that answers at once."""

from pathlib import Path

from termexplorer.services.compare.rankings import (
    RankedName,
    RankingColumn,
    RankingRequest,
    Rankings,
    Relation,
    TermMatch,
    TermsRequest,
)

DISEASES = """format-version: 1.2
data-version: 2026-01-01
ontology: toy

[Term]
id: TOY:1
name: disease

[Term]
id: TOY:2
name: lung disease
synonym: "disease of the lung" EXACT []
is_a: TOY:1

[Term]
id: TOY:3
name: infection
is_a: TOY:1

[Term]
id: TOY:4
name: viral pneumonia
def: "An <i>infection</i> of the lung by a virus." [x]
synonym: "pneumonia due to virus" RELATED []
alt_id: TOY:44
xref: MESH:D011024
is_a: TOY:2
is_a: TOY:3

[Term]
id: TOY:5
name: bacterial pneumonia
is_a: TOY:2

[Term]
id: TOY:9
name: old pneumonia
is_obsolete: true
replaced_by: TOY:4
"""


def write_diseases(folder: Path) -> Path:
    path = folder / "toy.obo"
    path.write_text(DISEASES, encoding="utf-8")
    return path


class FakeRanker:
    """Ranks five names, each encoder in another order."""

    def __init__(self) -> None:
        self.requests: list[RankingRequest] = []
        self.closed = False

    def start(self) -> None:
        """Is ready."""

    def close(self) -> None:
        self.closed = True

    def rank(self, request: RankingRequest) -> Rankings:
        self.requests.append(request)
        return rankings_of(request)

    def match_terms(self, request: TermsRequest) -> tuple[TermMatch, ...]:
        return tuple(
            TermMatch(term, 1, "infection", "TOY:3", "TOY:3", "infection", 3, 1, 0.5)
            if term != "xyzzy"
            else TermMatch(term, 0, "", "", "", "", 0, 0, 0.0)
            for term in request.terms
        )


def rankings_of(request: RankingRequest) -> Rankings:
    count = 5
    orders = [
        [(index * (number + 1)) % count for index in range(count)]
        for number in range(len(request.encoder_ids))
    ]
    columns = tuple(
        _column(encoder_id, order, orders)
        for encoder_id, order in zip(request.encoder_ids, orders, strict=True)
    )
    return Rankings(request, columns)


def _column(encoder_id: int, order: list[int], orders: list[list[int]]) -> RankingColumn:
    relations = list(Relation)
    rows = tuple(
        RankedName(
            rank=index + 1,
            name_id=name,
            text=f"name {name}",
            concept_id=name + 1,
            curie=f"TOY:{name + 1}",
            code=f"TOY:{name + 1}",
            ontology_id=1,
            similarity=0.9 - index / 10,
            relation=relations[name],
            true=name == 1,
            ranks=tuple(other.index(name) + 1 for other in orders),
        )
        for index, name in enumerate(order)
    )
    return RankingColumn(encoder_id, f"encoder {encoder_id}", rows, 2, 5, "", False)
