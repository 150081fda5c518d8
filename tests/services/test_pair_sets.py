"""Pair sets as a task: figures, corrected differences, curves and hardest pairs."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.metrics import roc_auc_score
from toy_workspace import LEXICAL, TRAINED, VECTORS, quiet

from termexplorer.errors import UserError
from termexplorer.services.encoders import find_encoder
from termexplorer.services.evaluation import (
    Evaluated,
    EvaluationRequest,
    conclusion_text,
    evaluate,
    list_evaluations,
)
from termexplorer.services.pair_details import (
    curve_rows,
    hardest_header,
    hardest_rows,
    read_pair_details,
)
from termexplorer.store.encoders import remove_encoder
from termexplorer.store.runs import delete_run
from termexplorer.workers.encoding import Encoders
from termexplorer.workers.evaluation.similarities import pair_similarities
from termexplorer.workers.keeping_encoders import BlockEncoders
from termexplorer.workers.supervision import Control
from termexplorer.workspace import Workspace
from trainer.lexical import fit
from trainer.pairs import PairSet

TITLES = "left\tright\tlabel\tleft_concept\tright_concept\tdistance\n"
Row = tuple[str, str, int]


def some_pairs(organs: Sequence[str]) -> list[Row]:
    """Names of a disease of an organ are similar; names of different organs' are not."""
    similar = [(f"{each} disease", f"disease of the {each}", 1) for each in organs]
    similar += [(f"{each} tumour", f"tumour of the {each}", 1) for each in organs]
    others = [
        (f"{one} disease", f"{other} disease", 0)
        for one, other in product(organs, organs)
        if one < other
    ]
    return similar + others


def write_set(folder: Path, name: str, rows: Sequence[Row]) -> Path:
    path = folder / f"{name}.tsv"
    lines = [f"{left}\t{right}\t{label}\tT:1\t\t7\n" for left, right, label in rows]
    path.write_text(TITLES + "".join(lines), encoding="utf-8")
    return path


def as_set(rows: Sequence[Row]) -> PairSet:
    left, right, labels = zip(*rows, strict=True)
    return PairSet("rows", left, right, np.array(labels, dtype=np.float64))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "sets"
    folder.mkdir()
    write_set(folder, "b-hard-random", some_pairs(["lung", "heart", "skin"]))
    write_set(folder, "a-easy-random", some_pairs(["heart", "skin", "lung", "unheard-of"]))
    (folder / "pairs.json").write_text("{}", encoding="utf-8")
    return folder


def run(workspace: Workspace, *encoders: int, **more: object) -> tuple[Evaluated, ...]:
    request = EvaluationRequest(workspace.folder, "pairs", encoders, **more)  # type: ignore[arg-type]
    return evaluate(workspace, request, Control(), quiet)


def test_each_set_of_a_folder_is_measured_and_kept(with_run: Workspace, folder: Path) -> None:
    found = run(with_run, LEXICAL, VECTORS, TRAINED, pairs=(folder,))
    assert [each.title for each in found] == ["a-easy-random", "b-hard-random"]
    (_, hard) = found
    assert (hard.task, hard.metric) == ("pairs", "AUC")
    rows = some_pairs(["lung", "heart", "skin"])
    left, right, labels = zip(*rows, strict=True)
    index = fit("tfidf", list(dict.fromkeys((*left, *right))))
    figures = {(f.encoder_id, f.metric): f for f in hard.figures}
    area = figures[LEXICAL, "AUC"]
    assert area.value == pytest.approx(roc_auc_score(labels, index.pair_scores(left, right)))
    assert {f.n for f in hard.figures} == {len(rows)}
    kept = {each.data_hash: each for each in list_evaluations(with_run)}
    for each in found:
        there = kept[each.data_hash]
        assert set(there.figures) == set(each.figures)
        assert (there.differences, there.notes) == (each.differences, each.notes)


def test_differences_are_tested_and_corrected_for_all_sets_at_once(
    with_run: Workspace, folder: Path
) -> None:
    found = run(with_run, LEXICAL, VECTORS, TRAINED, pairs=(folder,))
    assert [len(each.differences) for each in found] == [6, 6]
    (hard,) = (each for each in found if each.title.startswith("b-"))
    values = {(f.encoder_id, f.metric): f.value for f in hard.figures}
    for each in hard.differences:
        one, other = (values[n, each.metric] for n in (each.first_id, each.second_id))
        assert each.value == pytest.approx(one - other)
        assert each.test == ("McNemar" if each.metric == "accuracy" else "bootstrap")
        assert each.correction == "Bonferroni × 12"
    (alone,) = run(with_run, LEXICAL, VECTORS, pairs=(folder / "b-hard-random.tsv",))
    (exact,) = (d for d in alone.differences if d.metric == "accuracy")
    pairs = as_set(some_pairs(["lung", "heart", "skin"]))
    encoders, right = Encoders(with_run.folder, with_run.store), []
    for details in read_pair_details(with_run, alone):
        if details.encoder_id in (LEXICAL, VECTORS):
            (similarities,) = pair_similarities(
                encoders, details.encoder_id, [pairs], "avg_cosine", lambda: None
            )
            threshold = np.inf if details.threshold is None else np.float32(details.threshold)
            right.append((similarities >= threshold) == pairs.scores)
    better, worse = int((right[0] & ~right[1]).sum()), int((right[1] & ~right[0]).sum())
    wanted = binomtest(better, better + worse).pvalue if better + worse else 1
    assert exact.p == pytest.approx(min(1, 2 * wanted))
    labels = {n: find_encoder(with_run, n).label for n in (LEXICAL, VECTORS)}
    said = conclusion_text(alone, labels)
    assert "by bootstrap, after Bonferroni × 2" in said


def test_curves_and_hardest_pairs_are_kept_for_each_encoder(
    with_run: Workspace, folder: Path
) -> None:
    (found,) = run(with_run, LEXICAL, VECTORS, pairs=(folder / "b-hard-random.tsv",), hardest=2)
    details = read_pair_details(with_run, found)
    assert details == found.details
    assert [each.encoder_id for each in details] == [LEXICAL, VECTORS]
    areas = {f.encoder_id: f.value for f in found.figures if f.metric == "AUC"}
    for each in details:
        false, true = each.curve
        assert (false[0], true[0], false[-1], true[-1]) == (0, 0, 1, 1)
        assert np.trapezoid(true, false) == pytest.approx(areas[each.encoder_id], abs=1e-5)
        assert [pair.similar for pair in each.hardest] == [True, False, True, False]
    labels = {LEXICAL: "letters", VECTORS: "vectors"}
    assert hardest_header(details, labels) == [
        "hardest for", "place", "left", "right", "label", "letters", "vectors",
    ]  # fmt: skip
    rows = some_pairs(["lung", "heart", "skin"])
    left, right, label = zip(*rows, strict=True)
    similarities = fit("tfidf", list(dict.fromkeys((*left, *right)))).pair_scores(left, right)
    least = min(s for s, of in zip(similarities, label, strict=True) if of)
    first, second = hardest_rows(details, labels, 1)[:2]
    assert first[:2] == ["letters", 1]
    assert (first[4], second[4]) == ("similar", "dissimilar")
    assert first[5] == pytest.approx(least, abs=1e-5)
    assert len(hardest_rows(details, labels)) == 8
    assert len(curve_rows(details, labels)) == sum(len(each.curve[0]) for each in details)


def test_later_encoders_stand_beside_those_before(with_run: Workspace, folder: Path) -> None:
    file = folder / "b-hard-random.tsv"
    run(with_run, LEXICAL, pairs=(file,))
    (found,) = run(with_run, VECTORS, pairs=(file,))
    details = read_pair_details(with_run, found)
    assert [each.encoder_id for each in details] == [LEXICAL, VECTORS]
    both = hardest_rows(details, {LEXICAL: "letters", VECTORS: "vectors"})
    assert {row[0] for row in both} == {"letters", "vectors"}
    assert {row[6] for row in both if row[0] == "letters"} == {None}


def test_what_one_set_comes_to_does_not_depend_on_the_others(
    with_run: Workspace, folder: Path
) -> None:
    together = run(with_run, LEXICAL, TRAINED, pairs=(folder,))
    for file, of_all in zip(sorted(folder.glob("*.tsv")), together, strict=True):
        (alone,) = run(with_run, LEXICAL, TRAINED, pairs=(file,))
        assert alone.data_hash == of_all.data_hash
        assert alone.figures == of_all.figures
        assert alone.details == of_all.details


def test_only_pairs_that_all_encoders_know_count(with_run: Workspace, folder: Path) -> None:
    (found, _) = run(with_run, LEXICAL, VECTORS, pairs=(folder,))
    encoders = Encoders(with_run.folder, with_run.store)
    pairs = as_set(some_pairs(["heart", "skin", "lung", "unheard-of"]))
    known = [
        ~np.isnan(pair_similarities(encoders, each, [pairs], "avg_cosine", lambda: None)[0])
        for each in (LEXICAL, VECTORS)
    ]
    counted = int((known[0] & known[1]).sum())
    assert {f.n for f in found.figures} == {counted}
    assert found.notes[0].startswith(f"{counted} of {len(pairs)} pairs are known to all encoders")


def test_terms_of_several_sets_are_encoded_once_and_block_by_block(
    with_run: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    sets = [
        as_set([(f"lung disease {n}", f"heart disease {n}", n % 2) for n in range(start, 1500)])
        for start in (0, 1000)
    ]
    told: list[tuple[int, int]] = []
    encoders = BlockEncoders(
        with_run.folder, with_run.store, lambda done, of: told.append((done, of))
    )
    found = pair_similarities(encoders, TRAINED, sets, "avg_cosine", lambda: None)
    assert told == [(0, 3000), (1024, 3000), (2048, 3000)]
    plain = Encoders(with_run.folder, with_run.store)
    left, right = (plain.encode_unit(TRAINED, side) for side in (sets[1].left, sets[1].right))
    np.testing.assert_allclose(found[1], (left * right).sum(axis=1), atol=1e-5)
    np.testing.assert_allclose(found[0][1000:], found[1], atol=1e-6)


def test_removing_an_encoder_takes_its_curves_along(with_run: Workspace, folder: Path) -> None:
    (found,) = run(with_run, LEXICAL, TRAINED, pairs=(folder / "b-hard-random.tsv",))
    with with_run.store.writing() as connection:
        delete_run(connection, 1)
        remove_encoder(connection, TRAINED)
    (left,) = read_pair_details(with_run, found)
    assert left.encoder_id == LEXICAL
    assert hardest_header((left,), {LEXICAL: "letters"})[5:] == ["letters"]


def test_what_is_wrong_with_the_files_is_said_and_nothing_kept(
    with_run: Workspace, tmp_path: Path
) -> None:
    scored = tmp_path / "scored.tsv"
    scored.write_text("term1\tterm2\tmean\nlung\theart\t2.5\na\tb\t1\n", encoding="utf-8")
    for paths, message in (
        ((), "say which by --pairs"),
        ((scored,), "scored has scores other than 0 and 1"),
        ((tmp_path / "nowhere",), "nowhere"),
        ((with_run.folder / "backups",), "has no .tsv file"),
    ):
        with_run.folder.joinpath("backups").mkdir(exist_ok=True)
        with pytest.raises(UserError, match=message):
            run(with_run, VECTORS, pairs=paths)
    assert not list_evaluations(with_run)


def test_a_set_of_similar_pairs_alone_has_no_figures(with_run: Workspace, tmp_path: Path) -> None:
    file = write_set(tmp_path, "similar", some_pairs(["lung", "heart"])[:4])
    (found,) = run(with_run, LEXICAL, VECTORS, pairs=(file,))
    assert found.figures == found.differences == found.details == ()
    assert sum("none of the 4 covered pairs is a dissimilar one" in n for n in found.notes) == 2
