from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import spearmanr
from tiny_transformer import write_bert
from toy_ontology import write_vectors
from toy_workspace import FEW_SHOT, LEXICAL, TRAINED, VECTORS, import_synonyms, quiet, train

from termexplorer.errors import UserError
from termexplorer.services.compare.rankings import (
    Ranker,
    RankingColumn,
    RankingRequest,
    RankingScope,
    Task,
    TermsRequest,
    query_for,
    trained_on,
)
from termexplorer.services.encoders.encoders import find_encoder, list_encoders, remove_encoder
from termexplorer.services.encoders.made_encoders import (
    blend_encoder,
    fit_blend,
    join_encoders,
    word_mover_encoder,
)
from termexplorer.services.encoders.vectors import add_vectors, prepare, release_vectors_missing
from termexplorer.services.evaluate.evaluation import EvaluationRequest, evaluate
from termexplorer.services.explore.ontologies import Ontology, find_ontology
from termexplorer.services.recipes.run_requests import RunRequest, SplitRule, add_run
from termexplorer.services.train.runs import delete_run
from termexplorer.store.encoders.encoders import put_vectors, vector_file
from termexplorer.store.releases.corpus import release_names
from termexplorer.trainer.evaluation.sparse import WEIGHTS
from termexplorer.trainer.files.folders import sha256
from termexplorer.trainer.files.pairs import PairSet
from termexplorer.trainer.lexical import fit
from termexplorer.trainer.lexical.word_movers import WordMoverNames
from termexplorer.workers.data.trained_names import trained_names
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.evaluate.scoring import scores_of
from termexplorer.workers.evaluate.similarities import pair_similarities
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

NAME = "viral lung tumour"
PAIRS = (
    ("lung disease", "disease of the lung", 9.0),
    ("lung tumour", "lung disease", 7.0),
    ("heart disease", "lung disease", 3.0),
    ("qqq", "heart tumour", 1.0),
    ("heart disease", "disease of the heart", 8.0),
)


@contextmanager
def ranked(workspace: Workspace, encoder_id: int) -> Iterator[RankingColumn]:
    """The hundred neighbours of a name."""
    query = query_for(workspace, 1, NAME)
    request = RankingRequest(query, Task.NEIGHBOURS, (encoder_id,), RankingScope((1,)), top=100)
    with closing(Ranker(workspace.folder)) as ranker:
        yield ranker.rank(request).columns[0]


def units(workspace: Workspace, encoder_id: int, texts: list[str]) -> NDArray[np.float32]:
    vectors = Encoders(workspace.folder, workspace.store).encode(encoder_id, texts)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


def names_of(workspace: Workspace) -> list[str]:
    with workspace.store.reading() as connection:
        return list(release_names(connection, 1).texts)


def on_synonyms(
    recipe: str, ontology: Ontology, vectors_id: int, changes: dict[str, object]
) -> RunRequest:
    """A run with seed 3."""
    return replace(
        FEW_SHOT,
        recipe=recipe,
        ontology_id=ontology.id,
        vectors_id=vectors_id,
        choice=None,
        rule=SplitRule(recipe, seed=3),
        hyperparameters=changes,
        seed=3,
    )


def check_ranking(column: RankingColumn, names: list[str], wanted: NDArray[np.float32]) -> None:
    wanted[names.index(NAME)] = -9  # the very name that is asked about
    similarities = [row.similarity for row in column.rows]
    np.testing.assert_allclose(similarities, np.sort(wanted)[::-1][: len(similarities)], atol=1e-5)


def test_joined_vectors_rank_by_the_mean_of_the_cosines(with_run: Workspace) -> None:
    joined = join_encoders(with_run, [VECTORS, TRAINED])
    assert (joined.part_ids, joined.has_vectors) == ((VECTORS, TRAINED), True)
    dimensions = [find_encoder(with_run, part_id).dimension for part_id in joined.part_ids]
    assert joined.dimension == sum(dimensions)
    names = names_of(with_run)
    tables = [units(with_run, part_id, [*names, NAME]) for part_id in joined.part_ids]
    wanted = np.mean([table[:-1] @ table[-1] for table in tables], axis=0)
    with ranked(with_run, joined.id) as column:
        check_ranking(column, names, wanted.copy())
    prepare(with_run, joined.id, 1, JobControl(), quiet)
    assert not release_vectors_missing(with_run, joined.id, 1)
    with ranked(with_run, joined.id) as column:
        assert "recall@10" in column.note
        check_ranking(column, names, wanted)


def test_what_is_joined_again_is_told_by_its_number(workspace: Workspace, tmp_path: Path) -> None:
    other = add_vectors(workspace, write_vectors(tmp_path, 6), JobControl(), quiet)
    encoder = find_encoder(workspace, VECTORS)
    joined = join_encoders(workspace, [VECTORS, other.id])
    assert joined.title == f"{encoder.label} + {other.label}"
    assert join_encoders(workspace, [joined.id, VECTORS]).title == f"#{joined.id} + {encoder.label}"
    assert join_encoders(workspace, [VECTORS, other.id], "both").title == "both"


def test_stored_vectors_of_a_part_are_not_made_again(with_run: Workspace) -> None:
    names = [*names_of(with_run), "viral something", ""]
    joined = join_encoders(with_run, [VECTORS, TRAINED])
    plain = units(with_run, joined.id, names)
    prepare(with_run, TRAINED, 1, JobControl(), quiet)
    np.testing.assert_allclose(units(with_run, joined.id, names), plain, atol=1e-6)
    with with_run.store.reading() as connection:
        file = vector_file(connection, TRAINED, 1)
    assert file is not None
    path = with_run.folder / file.path
    np.save(path, -np.load(path))
    np.testing.assert_allclose(units(with_run, joined.id, names), plain, atol=1e-6)
    with with_run.store.writing() as connection:
        put_vectors(connection, replace(file, content_hash=sha256(path)))
    turned = plain.copy()
    turned[:-2, -file.dimension :] *= -1  # what is stored counts, of names that are there
    np.testing.assert_allclose(units(with_run, joined.id, names), turned, atol=1e-6)


def test_joined_word_vectors_have_words(workspace: Workspace, tmp_path: Path) -> None:
    other = add_vectors(workspace, write_vectors(tmp_path, 6), JobControl(), quiet)
    joined = join_encoders(workspace, [VECTORS, other.id])
    twice = join_encoders(workspace, [joined.id, other.id])
    encoders = Encoders(workspace.folder, workspace.store)
    for made_encoder, parts in ((joined, (VECTORS, other.id)), (twice, (joined.id, other.id))):
        vectors, known = encoders.words(made_encoder.id).token_vectors(["lung", "qqq"])
        assert known.tolist() == [True, False]
        assert not vectors[1].any()
        part_vectors = [encoders.words(part).token_vectors(["lung"])[0][0] for part in parts]
        expected = np.concatenate([vector / np.linalg.norm(vector) for vector in part_vectors])
        np.testing.assert_allclose(vectors[0], expected, atol=1e-6)
    ontology = import_synonyms(workspace, tmp_path)
    small = {"hidden": 8, "maximum_epochs": 1}
    run = train(workspace, on_synonyms("bne-words", ontology, joined.id, small))
    assert run.status == "finished"


def test_word_movers_distance_ranks_like_an_encoder(workspace: Workspace, tmp_path: Path) -> None:
    movers = word_mover_encoder(workspace, VECTORS)
    assert (movers.kind, movers.part_ids, movers.has_vectors) == ("lexical", (VECTORS,), False)
    assert movers.title == "word mover's distance over #5"
    assert not release_vectors_missing(workspace, movers.id, 1)
    names = names_of(workspace)
    words = Encoders(workspace.folder, workspace.store).words(VECTORS)
    exact = WordMoverNames(names, words, exact=len(names)).scores(NAME)
    with ranked(workspace, movers.id) as column:
        assert (column.note, column.empty_query) == ("exact", False)
        check_ranking(column, names, exact.copy())
    among = RankingScope((1,), level=2)  # of names that are far from the best of all
    query = query_for(workspace, 1, NAME)
    with closing(Ranker(workspace.folder)) as ranker:
        request = RankingRequest(query, Task.HYPERNYMS, (movers.id, LEXICAL), among, top=100)
        rows = ranker.rank(request).columns[0].rows
        assert len(rows) == 12
        for row in rows:
            assert row.similarity == pytest.approx(exact[names.index(row.text)], abs=1e-6)
        (result,) = ranker.match_terms(
            TermsRequest(("Tumour lung",), movers.id, RankingScope((1,)))
        )
        assert result.text == "lung tumour"
    with pytest.raises(UserError, match=f"encoder {VECTORS} is a part of encoder {movers.id}"):
        remove_encoder(workspace, VECTORS)
    remove_encoder(workspace, movers.id)
    np.save(tmp_path / "mine.npy", np.ones((1, 3)))
    (tmp_path / "names.txt").write_text("lung\n", encoding="utf-8")
    matrix = add_vectors(
        workspace, tmp_path / "mine.npy", JobControl(), quiet, names=tmp_path / "names.txt"
    )
    for whole in (matrix.id, join_encoders(workspace, [VECTORS, matrix.id]).id):
        with pytest.raises(UserError, match="vectors of whole names alone; choose word vectors"):
            word_mover_encoder(workspace, whole)


def test_distances_of_words_end_when_the_evaluation_is_to_stop(workspace: Workspace) -> None:
    def stop() -> None:
        raise UserError("stopped")

    movers, rows = word_mover_encoder(workspace, VECTORS), []
    encoders = Encoders(workspace.folder, workspace.store)
    names = names_of(workspace)
    scores = scores_of(encoders, movers.id, names, tick=stop, row=lambda: rows.append(None))
    with pytest.raises(UserError, match="stopped"):
        scores(np.arange(3), np.arange(len(names)))
    assert len(rows) == 1
    pairs = PairSet("some", tuple(names[:2]), tuple(names[1:3]), np.zeros(2))
    with pytest.raises(UserError, match="stopped"):
        pair_similarities(encoders, movers.id, [pairs], "avg_cosine", stop)


def test_a_blend_adds_so_much_of_tfidf(with_run: Workspace) -> None:
    blended = blend_encoder(with_run, TRAINED, 0.5)
    assert (blended.part_ids, blended.has_vectors) == ((TRAINED, LEXICAL), False)
    names = names_of(with_run)
    table = units(with_run, TRAINED, [*names, NAME])
    wanted = table[:-1] @ table[-1] + 0.5 * fit("tfidf", names).scores(NAME)
    assert release_vectors_missing(with_run, blended.id, 1) is release_vectors_missing(
        with_run, TRAINED, 1
    )
    prepare(with_run, blended.id, 1, JobControl(), quiet)
    assert not release_vectors_missing(with_run, TRAINED, 1)
    with ranked(with_run, blended.id) as column:
        assert (column.note, column.empty_query) == ("exact", False)
        check_ranking(column, names, wanted)


def test_the_weight_is_the_one_that_finds_synonyms_best(
    workspace: Workspace, tmp_path: Path
) -> None:
    ontology = import_synonyms(workspace, tmp_path)
    result = fit_blend(workspace, VECTORS, ontology, 0, JobControl(), quiet)
    tried = result.parameters["map_by_weight"]
    assert tuple(tried) == tuple(f"{weight:g}" for weight in WEIGHTS)
    assert tried[f"{result.parameters['weight']:g}"] == max(tried.values())
    assert result.parameters["validation_names"] > 0
    with pytest.raises(UserError, match="came of no run; say which ontology"):
        fit_blend(workspace, VECTORS, None, None, JobControl(), quiet)
    run = train(workspace, on_synonyms("cca", ontology, VECTORS, {}))
    assert run.encoder_id is not None
    joined = join_encoders(workspace, [VECTORS, run.encoder_id])
    usual = fit_blend(workspace, joined.id, None, None, JobControl(), quiet).parameters
    assert (usual["ontology"], usual["seed"], usual["split"]) == (ontology.id, 3, run.split_id)
    with pytest.raises(UserError, match="choose another ontology, or the weight yourself"):
        fit_blend(workspace, VECTORS, find_ontology(workspace, "1"), 0, JobControl(), quiet)
    for weight in (-1, 1e7, float("nan")):
        with pytest.raises(UserError, match="of 0 to 1,000,000"):
            blend_encoder(workspace, VECTORS, weight)


def test_every_kind_is_evaluated(with_run: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    lines = ["term1\tterm2\tmean", *(f"{a}\t{b}\t{score}" for a, b, score in PAIRS)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    blended, joined = (
        blend_encoder(with_run, VECTORS, 2),
        join_encoders(with_run, [VECTORS, TRAINED]),
    )
    movers = word_mover_encoder(with_run, VECTORS)
    ids = (2, 3, 4, VECTORS, joined.id, blended.id, movers.id)
    request = EvaluationRequest(with_run.folder, "relatedness", ids, pairs=(path,))
    (evaluated,) = evaluate(with_run, request, JobControl(), quiet)
    values = {f.encoder_id: f for f in evaluated.figures if f.metric == "spearman"}
    assert set(values) == set(ids)
    left, right, scores = zip(*PAIRS, strict=True)
    first, second = (units(with_run, VECTORS, list(side)) for side in (left, right))
    terms = list(dict.fromkeys([*left, *right]))
    summed = (first * second).sum(axis=1) + 2 * fit("tfidf", terms).pair_scores(left, right)
    known = first.any(axis=1)
    expected = spearmanr(summed[known], np.array(scores)[known]).statistic
    assert values[blended.id].value == pytest.approx(expected, abs=1e-6)
    request = EvaluationRequest(with_run.folder, "coverage", ids, ontology_id=1)
    (evaluated,) = evaluate(with_run, request, JobControl(), quiet)
    assert {f.encoder_id for f in evaluated.figures} == set(ids)
    assert set(evaluated.seen) == {joined.id}


def test_what_lies_beneath_stays_and_what_was_trained_on_is_known(with_run: Workspace) -> None:
    blended = blend_encoder(with_run, TRAINED, 1)
    joined = join_encoders(with_run, [VECTORS, TRAINED])
    with with_run.store.reading() as connection:
        seen = trained_names(connection, [TRAINED])
        assert seen
        assert trained_names(connection, [blended.id]) == seen
        assert trained_names(connection, [joined.id]) == seen
    for encoder in (blended, joined):
        asked = trained_on(with_run, [VECTORS, encoder.id])
        assert asked is not None
        assert (asked.ontology_id, asked.seed) == (FEW_SHOT.ontology_id, FEW_SHOT.seed)
        request = EvaluationRequest(with_run.folder, "hypernyms", (encoder.id,))
        assert evaluate(with_run, request, JobControl(), quiet)[
            0
        ].figures  # on the split of the run
    assert trained_on(with_run, [VECTORS]) is None
    with pytest.raises(UserError, match=f"encoder {TRAINED} is a part of encoder {blended.id}"):
        delete_run(with_run, 1)
    with pytest.raises(UserError, match="came of run 1"):
        remove_encoder(with_run, TRAINED)
    with pytest.raises(UserError, match="belongs to every workspace"):
        remove_encoder(with_run, LEXICAL)
    for encoder in (blended, joined):
        remove_encoder(with_run, encoder.id)
    delete_run(with_run, 1)
    remove_encoder(with_run, VECTORS)
    assert all(encoder_info.is_lexical for encoder_info in list_encoders(with_run))
    assert (with_run.folder / "workspace.sqlite").exists()


def test_only_what_has_vectors_is_built_on(workspace: Workspace) -> None:
    blended = blend_encoder(workspace, VECTORS, 1)
    for ids in ([VECTORS], [VECTORS, VECTORS], []):
        with pytest.raises(UserError, match="two encoders or more"):
            join_encoders(workspace, ids)
    for encoder_id, kind in ((blended.id, "blended"), (LEXICAL, "lexical")):
        with pytest.raises(UserError, match=f"is {kind}: it has no vectors"):
            join_encoders(workspace, [VECTORS, encoder_id])
        with pytest.raises(UserError, match=f"is {kind}: it has no vectors"):
            blend_encoder(workspace, encoder_id, 1)
        with pytest.raises(UserError, match=f"is {kind}: it has no vectors"):
            add_run(workspace, replace(FEW_SHOT, vectors_id=encoder_id))


def test_a_run_is_trained_on_joined_vectors(with_run: Workspace) -> None:
    joined = join_encoders(with_run, [VECTORS, TRAINED])
    run = train(with_run, replace(FEW_SHOT, vectors_id=joined.id))
    assert run.encoder_id is not None
    assert find_encoder(with_run, run.encoder_id).input_id == joined.id
    with ranked(with_run, run.encoder_id) as column:
        assert len(column.rows) == 100


def test_a_matrix_is_opened_with_the_names_of_its_rows(
    workspace: Workspace, tmp_path: Path
) -> None:
    names = names_of(workspace)
    matrix = np.random.default_rng(0).normal(size=(len(names), 5))
    np.save(tmp_path / "mine.npy", matrix)
    text = tmp_path / "names.txt"
    text.write_text("\n".join(names) + "\n", encoding="utf-8")
    source = tmp_path / "mine.npy"
    added = add_vectors(workspace, source, JobControl(), quiet, names=text)
    assert (added.method, added.title, added.dimension) == ("matrix", "mine matrix", 5)
    wanted = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    first = names.index(NAME)
    with ranked(workspace, added.id) as column:
        check_ranking(column, names, wanted @ wanted[first])
    with pytest.raises(UserError, match="no names of its own"):
        add_vectors(workspace, source, JobControl(), quiet)
    with pytest.raises(UserError, match=r"only a \.npy matrix"):
        add_vectors(workspace, text, JobControl(), quiet, names=text)
    with pytest.raises(UserError, match=r"gone\.txt does not exist"):
        add_vectors(workspace, source, JobControl(), quiet, names=tmp_path / "gone.txt")


def test_the_folder_of_a_transformer_is_opened(workspace: Workspace, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    source = tmp_path / "tiny"
    write_bert(source)
    added = add_vectors(workspace, source, JobControl(), quiet, pooling="first")
    assert (added.method, added.title, added.dimension) == ("transformer", "tiny first token", 16)
    names = names_of(workspace)
    table = units(workspace, added.id, [*names, NAME])
    with ranked(workspace, added.id) as column:
        check_ranking(column, names, table[:-1] @ table[-1])
    with pytest.raises(UserError, match=r"has no config\.json"):
        add_vectors(workspace, tmp_path, JobControl(), quiet)
