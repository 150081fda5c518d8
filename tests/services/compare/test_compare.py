from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from toy_workspace import LEXICAL, TRAINED, VECTORS, opened_copy, quiet

from termexplorer.errors import UserError
from termexplorer.services.compare.comparison import (
    Compared,
    CompareRequest,
    ComparisonSubject,
    WholeRequest,
    compare,
    differences,
    gains,
    losses,
    order_mentions,
    tallies,
)
from termexplorer.services.compare.rankings import Ranker
from termexplorer.services.compare.side_by_side import classes_of, side_by_side, whole_side_by_side
from termexplorer.services.train.runs import delete_run
from termexplorer.store.encoders.ranks import rank_file
from termexplorer.store.releases.corpus import release_names
from termexplorer.trainer.evaluation.overlap import rank_biased_overlap
from termexplorer.workers.data.trained_names import trained_names
from termexplorer.workers.process.protocol import JobProgress
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace

ENCODERS = (VECTORS, TRAINED, LEXICAL)
JACCARD = 2


def compared(workspace: Workspace, subject: ComparisonSubject, *encoders: int) -> Compared:
    request = CompareRequest(workspace.folder, subject, encoders or ENCODERS)
    return compare(workspace, request, JobControl(), quiet)


@pytest.fixture(scope="module")
def desk(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace that no test writes to but by comparing."""
    with opened_copy(trained, tmp_path_factory.mktemp("desk")) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def neighbours(desk: Workspace) -> Compared:
    return compared(desk, ComparisonSubject("neighbours", 1, level=1))


def test_every_name_is_ranked_for_by_every_encoder(desk: Workspace, neighbours: Compared) -> None:
    comparison = neighbours
    with desk.store.reading() as connection:
        names = release_names(connection, 1)
        trained = trained_names(connection, [TRAINED])
    assert comparison.mentions == names.texts
    assert (
        comparison.mention_ids.tolist() == comparison.candidate_ids.tolist() == names.ids.tolist()
    )
    assert comparison.best.shape == (len(names.texts), 3)
    assert comparison.titles[0] == f"toy mean #{VECTORS}"
    seen = np.isin(names.ids, list(trained))
    assert comparison.seen.tolist() == [[False, flag, False] for flag in seen.tolist()]
    assert 0 < seen.sum() < len(seen)
    lung = comparison.mentions.index("lung infection")
    assert classes_of(comparison, lung) == ("TOY:1 lung disease",)
    assert classes_of(comparison, comparison.mentions.index("disease")) == ()
    assert np.isnan(comparison.best[comparison.mentions.index("disease")]).all()


def test_overlaps_are_of_the_first_hundred(desk: Workspace, neighbours: Compared) -> None:
    tops = [np.load(desk.folder / file.path)["top"] for file in neighbours.files]
    pairs = [rank_biased_overlap(tops[a], tops[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    assert tops[0].shape[1] == 100
    np.testing.assert_allclose(neighbours.lowest, np.nanmin(pairs, axis=0))
    np.testing.assert_allclose(neighbours.mean, np.nanmean(pairs, axis=0))
    np.testing.assert_allclose(neighbours.overlap[0, 2], np.nanmean(pairs[1]))
    assert neighbours.overlap.diagonal().tolist() == [1, 1, 1]


def test_mentions_are_ordered_and_chosen(neighbours: Compared) -> None:
    order = order_mentions(neighbours)
    assert sorted(order.tolist()) == list(range(len(neighbours.mentions)))
    assert (np.diff(neighbours.lowest[order]) >= 0).all()
    best = neighbours.best
    apart = np.nan_to_num(np.ptp(best, axis=1), nan=-1)
    assert (np.diff(apart[order_mentions(neighbours, "difference")]) <= 0).all()
    gain = np.nan_to_num(best[:, 1] - best[:, [0, 2]].min(axis=1), nan=-np.inf)
    assert (np.diff(gain[order_mentions(neighbours, "gain", TRAINED)]) <= 0).sum() > 0
    np.testing.assert_array_equal(
        gains(neighbours, VECTORS), np.maximum(best[:, 0] - best[:, 1:].min(axis=1), 0)
    )
    np.testing.assert_array_equal(
        losses(neighbours, VECTORS), np.maximum(best[:, 1:].max(axis=1) - best[:, 0], 0)
    )
    np.testing.assert_array_equal(differences(neighbours), np.ptp(best, axis=1))
    heart = 1
    of_heart = order_mentions(neighbours, class_number=heart)
    assert len(of_heart)
    assert all(neighbours.classes[heart] in classes_of(neighbours, int(m)) for m in of_heart)
    unseen = order_mentions(neighbours, seen=False)
    assert not neighbours.seen[unseen].any()
    assert len(unseen) + len(order_mentions(neighbours, seen=True)) == len(order)


def test_wins_losses_and_ties_of_each_class(neighbours: Compared) -> None:
    all_tallies = tallies(neighbours, LEXICAL)
    defined = ~np.isnan(neighbours.best[:, 0])
    whole = {tally.encoder_id: tally for tally in all_tallies if not tally.label}
    assert set(whole) == {VECTORS, TRAINED}
    for column, encoder in ((0, VECTORS), (1, TRAINED)):
        move = (neighbours.best[:, 2] - neighbours.best[:, column])[defined]
        counted = (whole[encoder].wins, whole[encoder].losses, whole[encoder].ties)
        assert counted == ((move > 0).sum(), (move < 0).sum(), (move == 0).sum())
        parts = [tally for tally in all_tallies if tally.label and tally.encoder_id == encoder]
        assert [tally.label for tally in parts] == list(neighbours.classes)
        assert sum(tally.wins for tally in parts) == counted[0]  # each name is in one class


def test_hypernyms_and_synonyms(desk: Workspace) -> None:
    comparison = compared(desk, ComparisonSubject("hypernyms", 1, level=1))
    assert len(comparison.candidate_ids) == 8  # four organs by two names
    assert "lung disease" not in comparison.mentions
    shown = side_by_side(desk, comparison, comparison.mentions.index("viral lung tumour"))
    for column in shown.columns:
        right = {row.text for row in column.rows if row.true}
        assert right == {"lung disease", "disease of the lung"}
        first = next(row.rank for row in column.rows if row.true)
        assert column.best == first  # nothing is tied here
    comparison = compared(desk, ComparisonSubject("synonyms", 1), VECTORS, LEXICAL)
    assert "lung disease" in comparison.mentions
    assert "lung tumour" not in comparison.mentions  # it has no synonym
    assert len(comparison.candidate_ids) == 669
    assert not np.isnan(comparison.best).any()


def test_below_a_root(desk: Workspace) -> None:
    with desk.store.reading() as connection:
        root = connection.exec_driver_sql("SELECT id FROM concept WHERE curie = 'TOY:1'").scalar()
    comparison = compared(desk, ComparisonSubject("neighbours", 1, root, 1), VECTORS, LEXICAL)
    assert len(comparison.mentions) == len(comparison.candidate_ids) == (669 - 1) / 4
    assert [class_name.split(" ", 1)[1] for class_name in comparison.classes] == [
        "lung infection", "lung tumour", "lung injury"
    ]  # fmt: skip


def test_rankings_stand_side_by_side_with_moves(desk: Workspace, neighbours: Compared) -> None:
    mention = int(order_mentions(neighbours)[0])
    shown = side_by_side(desk, neighbours, mention, top=30, baseline_id=VECTORS)
    expected = (neighbours.mentions[mention], float(neighbours.lowest[mention]))
    assert (shown.text, shown.overlap) == expected
    base, trained, _ = shown.columns
    assert {row.moved for row in base.rows} == {"0"}
    places = {row.name_id: row.rank for row in base.rows}
    assert len(trained.rows) == 30
    for row in trained.rows:
        assert row.ranks[1] == row.rank
        if row.name_id in places:
            assert row.ranks[0] == places[row.name_id]
            assert row.move == places[row.name_id] - row.rank
        if row.move is None:
            assert (row.ranks[0], row.moved) == (None, "new")
    signs = {row.moved[0] for column in shown.columns for row in column.rows}
    assert signs <= set("+−0n")
    assert "-" not in signs


def test_a_whole_ranking_begins_with_what_is_kept(desk: Workspace, neighbours: Compared) -> None:
    mention = neighbours.mentions.index("viral lung tumour")
    shown = side_by_side(desk, neighbours, mention, top=100)
    name_id = int(neighbours.mention_ids[mention])
    ranker = Ranker(desk.folder)
    for column in shown.columns:
        whole = ranker.rank_whole(
            WholeRequest(neighbours.request.subject, column.encoder_id, name_id)
        )
        assert len(whole.name_ids) == 668
        assert name_id not in whole.name_ids
        assert (np.diff(whole.similarities) <= 0).all()
        name_ids = [row.name_id for row in column.rows]
        assert name_ids[:5] == whole.name_ids[:5].tolist()
        assert column.rows[0].true == whole.true[0]
        if whole.true[0] and whole.similarities[0] > whole.similarities[1]:
            assert column.best == 1
    with pytest.raises(UserError, match="not among those that are compared"):
        ranker.rank_whole(WholeRequest(ComparisonSubject("hypernyms", 1, level=1), LEXICAL, 1))
    ranker.close()


def test_whole_rankings_stand_side_by_side(desk: Workspace, neighbours: Compared) -> None:
    mention = neighbours.mentions.index("viral lung tumour")
    result = side_by_side(desk, neighbours, mention, top=50)
    ranker = Ranker(desk.folder)
    whole = whole_side_by_side(desk, ranker.rank_whole, neighbours, mention, top=1000)
    ranker.close()
    assert (whole.text, whole.concept, whole.classes) == (
        result.text,
        result.concept,
        result.classes,
    )
    other_ids = set(neighbours.candidate_ids.tolist()) - {whole.name_id}
    first = {row.name_id: row.rank for row in whole.columns[0].rows}
    for column, before in zip(whole.columns, result.columns, strict=True):
        assert {row.name_id for row in column.rows} == other_ids
        assert [row.name_id for row in column.rows[:5]] == [r.name_id for r in before.rows[:5]]
        assert all(row.move == first[row.name_id] - row.rank for row in column.rows)
        best = next(row.rank for row in column.rows if row.true)
        assert column.best is not None
        assert best <= column.best  # which is the mean where others are as similar


def test_nothing_is_computed_twice_and_damage_is_seen(desk: Workspace) -> None:
    subject = ComparisonSubject("synonyms", 1)
    first = compared(desk, subject, VECTORS, LEXICAL)
    paths = [desk.folder / file.path for file in first.files]
    before = [path.stat().st_mtime_ns for path in paths]
    again = compared(desk, subject, LEXICAL, JACCARD, VECTORS)
    assert [path.stat().st_mtime_ns for path in paths] == before
    np.testing.assert_array_equal(again.best[:, [2, 0]], first.best)
    content = paths[0].read_bytes()
    paths[0].write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    mended = compared(desk, subject, VECTORS, LEXICAL)
    np.testing.assert_array_equal(mended.best, first.best)
    assert paths[0].read_bytes() == content


def test_progress_is_told_and_what_is_cancelled_leaves_nothing(with_run: Workspace) -> None:
    request = CompareRequest(
        with_run.folder, ComparisonSubject("neighbours", 1), (LEXICAL, JACCARD)
    )
    control, messages = JobControl(), list[JobProgress]()

    def cancel(message: object) -> None:
        assert isinstance(message, JobProgress)
        messages.append(message)
        if message.fraction is not None:
            control.cancel()

    with pytest.raises(Cancelled):
        compare(with_run, request, control, cancel)
    assert messages[0].text == "Reading names"
    assert any("TF-IDF #1, neighbours" in message.text for message in messages)
    assert not list(with_run.folder.glob("ranks/.*"))
    messages.clear()
    compare(with_run, request, JobControl(), lambda message: messages.append(message))  # type: ignore[arg-type]
    fractions = [message.fraction for message in messages if message.fraction is not None]
    assert fractions == sorted(fractions)
    assert max(fractions) >= 0.5
    assert messages[-1].text == "Comparing the rankings"


def test_progress_is_told_in_the_language_of_the_window(with_run: Workspace, german: None) -> None:
    request = CompareRequest(
        with_run.folder, ComparisonSubject("neighbours", 1), (LEXICAL, JACCARD)
    )
    seen = list[JobProgress]()
    compare(with_run, request, JobControl(), lambda message: seen.append(message))  # type: ignore[arg-type]
    assert any("TF-IDF #1, Nachbarn" in message.text for message in seen)


def test_ranks_go_with_their_encoder(with_run: Workspace) -> None:
    neighbours = compared(with_run, ComparisonSubject("neighbours", 1, level=1))
    files = {file.encoder_id: file for file in neighbours.files}
    trained = files[TRAINED]
    assert (with_run.folder / trained.path).is_file()
    delete_run(with_run, 1)
    assert not (with_run.folder / trained.path).exists()
    keys = (1, "neighbours", trained.data_hash)
    with with_run.store.reading() as connection:
        assert rank_file(connection, TRAINED, *keys) is None
        assert rank_file(connection, VECTORS, *keys) == files[VECTORS]
    with pytest.raises(UserError, match="compare the encoders again"):
        side_by_side(with_run, neighbours, 0)


@pytest.mark.parametrize(
    ("subject", "encoders", "why"),
    [
        (ComparisonSubject("neighbours", 1), (VECTORS,), "2 to 8 encoders"),
        (ComparisonSubject("neighbours", 1), tuple(range(1, 10)), "2 to 8 encoders"),
        (ComparisonSubject("neighbours", 1), (VECTORS, VECTORS), "named twice"),
        (ComparisonSubject("neighbours", 1), (VECTORS, 99), "no encoder 99"),
        (ComparisonSubject("nonsense", 1), (VECTORS, LEXICAL), "no task nonsense"),
        (ComparisonSubject("hypernyms", 1), (VECTORS, LEXICAL), "say which with --level"),
        (ComparisonSubject("hypernyms", 1, level=9), (VECTORS, LEXICAL), "level 9 is empty"),
        (ComparisonSubject("neighbours", 1, level=9), (VECTORS, LEXICAL), "level 9 is empty"),
    ],
)
def test_what_cannot_be_compared_is_said(
    desk: Workspace, subject: ComparisonSubject, encoders: tuple[int, ...], why: str
) -> None:
    with pytest.raises(UserError, match=why):
        compared(desk, subject, *encoders)


def test_a_list_of_names_has_no_levels(empty: Workspace, tmp_path: Path) -> None:
    from toy_workspace import import_synonyms

    ontology = import_synonyms(empty, tmp_path)
    comparison = compared(empty, ComparisonSubject("neighbours", ontology.id), LEXICAL, JACCARD)
    assert comparison.classes == ()
    assert np.isnan(comparison.best).all()
    assert not np.isnan(comparison.lowest).any()
    assert [(tally.wins, tally.losses, tally.ties) for tally in tallies(comparison)] == [(0, 0, 0)]
    comparison = compared(empty, ComparisonSubject("synonyms", ontology.id), LEXICAL, JACCARD)
    assert not np.isnan(comparison.best).any()
