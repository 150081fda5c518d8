"""The table of rankings: cells, moves against the first column, marks."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.modeltest import ModelTester

from termexplorer.models.rankings import (
    ColumnPart,
    MoveColours,
    RankingsModel,
    move_text,
    similarity_text,
)
from termexplorer.services.compare.rankings import (
    Query,
    RankedName,
    RankingColumn,
    RankingRequest,
    Rankings,
    RankingScope,
    Relation,
    Task,
)

COLOURS = MoveColours("#00ff00", "#ff0000", "#0000ff", "#888888")


def name(rank: int, number: int, ranks: tuple[int, ...], true: bool = False) -> RankedName:
    relation = Relation.SYNONYM if true else Relation.NONE
    return RankedName(
        rank, number, f"name {number}", number, f"A:{number}", "", 1, 0.94, relation, true, ranks
    )


def rankings() -> Rankings:
    first = (name(1, 1, (1, 2)), name(2, 2, (2, 1), true=True))
    second = (name(1, 2, (2, 1), true=True), name(2, 1, (1, 2)), name(3, 7, (900, 3)))
    request = RankingRequest(Query("q"), Task.NEIGHBOURS, (1, 2), RankingScope((1,)))
    columns = (
        RankingColumn(1, "mean", first, 2, 1000, "", False, tied=4),
        RankingColumn(2, "few-shot", second, None, 1000, "", False),
    )
    return Rankings(request, columns)


@pytest.fixture
def model(qtmodeltester: ModelTester) -> RankingsModel:
    model = RankingsModel(COLOURS)
    model.show_rankings(rankings())
    qtmodeltester.check(model)
    return model


def row(model: RankingsModel, number: int) -> list[str | None]:
    return [model.index(number, column).data() for column in range(model.columnCount())]


def test_rows_hold_the_names_of_all_encoders(model: RankingsModel) -> None:
    first, second = "A:1 name 1", "A:2 name 2"
    cells = [row(model, number) for number in range(3)]
    row_texts = [(f"{c[1]} {c[2]}", *c[3:5], f"{c[5]} {c[6]}", *c[7:]) for c in cells]
    assert [c[0] for c in cells] == ["1", "2", "3"]
    assert row_texts[0] == (first, ".94", "", second, ".94", "=", "+1")
    assert row_texts[1] == (second, ".94", "=", first, ".94", "", "−1")
    assert cells[2][1:] == [None, None, None, None, "A:7", "name 7", ".94", "", "new"]
    assert model.longest_code == "A:1"


def test_the_head_tells_the_best_true_rank(model: RankingsModel) -> None:
    heads = [
        model.headerData(column, Qt.Orientation.Horizontal)
        for column in range(model.columnCount())
        if model.part(column)[1] is ColumnPart.NAME
    ]
    assert heads == ["mean\nbest true rank: 2 of 1,000, 4 tied", "few-shot\n1,000 candidates"]


def test_a_marked_name_is_bold_in_every_column(model: RankingsModel) -> None:
    model.mark(model.index(0, 1))
    bold = Qt.ItemDataRole.FontRole
    assert model.index(1, 6).data(bold).bold() or model.index(1, 6).data(bold).weight() > 400
    assert model.index(2, 6).data(bold) is None


def test_an_old_answer_is_grey(model: RankingsModel) -> None:
    model.grey(True)
    assert model.index(0, 2).data(Qt.ItemDataRole.ForegroundRole) == QColor(COLOURS.quiet)
    model.show_rankings(rankings())
    assert model.index(0, 2).data(Qt.ItemDataRole.ForegroundRole) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.94, ".94"), (1.0, "1.00"), (-0.123, "−.12"), (0.001, ".00"), (-0.001, ".00")],
)
def test_similarities_have_two_digits(value: float, text: str) -> None:
    assert similarity_text(value) == text


@pytest.mark.parametrize(
    ("ranks", "text"), [((3, 3), "0"), ((7, 3), "+4"), ((1, 4), "−3"), ((51, 3), "new")]
)
def test_moves_are_told_against_the_first_column(ranks: tuple[int, int], text: str) -> None:
    assert move_text(name(ranks[1], 1, ranks), 1, 50) == text
