import json
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest, spearmanr
from toy_ontology import HEADER, KINDS, ORGANS, stanza
from toy_workspace import FEW_SHOT, LEXICAL, TRAINED, VECTORS, import_synonyms, load, quiet, train

from termexplorer.errors import UserError
from termexplorer.services.encoders.made_encoders import fit_blend
from termexplorer.services.encoders.vectors import add_vectors
from termexplorer.services.evaluate.conclusion_words import conclusion_text
from termexplorer.services.evaluate.conclusions import conclude
from termexplorer.services.evaluate.evaluation import (
    Difference,
    Evaluated,
    EvaluationRequest,
    FigureInfo,
    evaluate,
    least_seen,
    list_evaluations,
)
from termexplorer.services.recipes.run_requests import SplitRule
from termexplorer.services.train.runs import list_runs, run_details
from termexplorer.store.encoders import evaluations
from termexplorer.trainer.evaluation.figures import TaskResult
from termexplorer.trainer.lexical import fit
from termexplorer.workers.data.trained_names import trained_texts
from termexplorer.workers.evaluate.differences import differences_of
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

JACCARD = 2


def run(workspace: Workspace, task: str, *encoders: int, **more: object) -> tuple[Evaluated, ...]:
    request = EvaluationRequest(workspace.folder, task, encoders, **more)  # type: ignore[arg-type]
    return evaluate(workspace, request, JobControl(), quiet)


def value(evaluated: Evaluated, encoder_id: int, metric: str) -> float:
    (evaluated_set,) = (
        f.value for f in evaluated.figures if (f.encoder_id, f.metric) == (encoder_id, metric)
    )
    return evaluated_set


def write_pairs(folder: Path) -> tuple[Path, list[tuple[str, str, float]]]:
    rows = [
        ("lung disease", "disease of the lung", 9.0),
        ("lung tumour", "lung disease", 7.0),
        ("heart disease", "lung disease", 3.0),
        ("skin injury", "heart tumour", 1.0),
        ("skin disease", "skin injury", 5.0),
        ("heart disease", "disease of the heart", 8.0),
        ("skin tumour", "skin disease", 6.0),
        ("skin tumour", "lung tumour", 4.0),
        ("heart tumour", "lung injury", 1.5),
        ("heart injury", "injury of the heart", 8.5),
        ("lung injury", "skin injury", 3.5),
        ("heart injury", "heart disease", 6.5),
    ]
    path = folder / "pairs.tsv"
    lines = ["term1\tterm2\tmean", *(f"{a}\t{b}\t{score}" for a, b, score in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path, rows


def write_mentions(folder: Path) -> Path:
    text = "Disease of the lung after an injury."
    lines = [f"1|t|{text}", "1|a|", f"1\t0\t19\t{text[:19]}\tDisease\tTOY:1", ""]
    path = folder / "mentions.pubtator"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_ranking_again_finds_the_figures_of_the_run(with_run: Workspace) -> None:
    (of_run,) = list_runs(with_run)
    figures_of_run = {
        (f.encoder_id, f.task, f.metric, f.data_hash): f.value
        for f in run_details(with_run, of_run.id).figures
    }
    for task in ("ranking", "hypernyms"):
        output = run(with_run, task, VECTORS, TRAINED)
        assert [evaluation.level for evaluation in output] == list(range(1, len(output) + 1))
        assert {evaluation.split_id for evaluation in output} == {of_run.split_id}
        stored = [
            evaluation for evaluation in list_evaluations(with_run) if evaluation.task == task
        ]
        assert [(e.level, e.split_id, e.data) for e in stored] == [
            (e.level, e.split_id, e.data) for e in output
        ]
        again = {
            (f.encoder_id, f.task, f.metric, f.data_hash): f.value
            for e in output
            for f in e.figures
        }
        mine = {key: value for key, value in figures_of_run.items() if key[1] == task}
        assert mine
        assert mine.items() <= again.items()


@pytest.mark.parametrize("task", ["ranking", "hypernyms"])
def test_levels_of_one_class_are_not_measured_and_told(
    task: str, workspace: Workspace, tmp_path: Path
) -> None:
    def load_tree(*parents: int) -> int:
        """Import an ontology of which each concept, the second on, has a parent."""
        path = tmp_path / f"{len(parents)}.obo"
        above = ["", *(f"T:{parent}" for parent in parents)]
        stanzas = [stanza(f"T:{n}", f"lung fever {n}", more) for n, more in enumerate(above)]
        path.write_text("\n".join((HEADER, *stanzas)), encoding="utf-8")
        return load(workspace, path).id

    with pytest.raises(UserError, match="has one class"):
        run(workspace, task, VECTORS, ontology_id=load_tree(*range(5), *[5] * 40))
    two_below = load_tree(0, 1, 1, 2, 3, 4, 5, *[6] * 40, *[7] * 40)
    output = run(workspace, task, VECTORS, ontology_id=two_below)
    assert [evaluation.level for evaluation in output] == [2, 3, 4]
    for evaluation in output:
        message = " · ".join(evaluation.notes)
        assert (
            f"measured: level 2, 3, 4; split {evaluation.split_id} was made down to level 4"
            in message
        )
        assert "not measured: level 1, where one class is alone" in message


def test_names_of_a_level_that_were_learned_are_told_where_they_are_ranked(
    with_run: Workspace,
) -> None:
    many = replace(FEW_SHOT, rule=SplitRule("few-shot", shots=18))
    trained = train(with_run, many).encoder_id or 0
    first, second, *_ = run(with_run, "hypernyms", VECTORS, trained)
    assert not any("that are ranked" in note for note in first.notes)  # the classes it learned
    with with_run.store.reading() as connection:
        learned = trained_texts(connection, [trained])
    on_level = {f"{organ} {kind}" for organ in ORGANS for kind in KINDS}
    (note,) = (note for note in second.notes if "that are ranked" in note)
    counts = f"on {len(learned & on_level)} of the {len(on_level)} names that are ranked"
    assert note.endswith(f"#{trained} was trained {counts}")
    (ranking, *_) = run(with_run, "ranking", trained)
    assert not any("that are ranked" in note for note in ranking.notes)


def test_all_encoders_are_measured_on_the_same_and_kept(with_run: Workspace) -> None:
    output = run(with_run, "synonyms", LEXICAL, VECTORS, TRAINED, ontology_id=1)
    assert [evaluation.task for evaluation in output] == [
        "synonyms, train",
        "synonyms, test",
        "synonyms, zero-shot",
    ]
    for evaluation in output:
        counted = {f.n for f in evaluation.figures if f.metric == "mAP"}
        assert len(counted) <= 1
        assert all(f.low <= f.value <= f.high for f in evaluation.figures)
    stored = {
        (stored_evaluation.task, stored_evaluation.data_hash): stored_evaluation
        for stored_evaluation in list_evaluations(with_run)
    }
    for evaluation in output:
        before = stored[evaluation.task, evaluation.data_hash]
        assert set(before.figures) == set(evaluation.figures)
        assert before.differences == evaluation.differences
        assert before.notes == evaluation.notes


def test_the_same_seed_draws_the_same_split_and_another_another(with_run: Workspace) -> None:
    first, again, other = (
        run(with_run, "synonyms", VECTORS, ontology_id=1, seed=seed)[1] for seed in (0, 0, 1)
    )
    assert first == again
    assert other.data_hash != first.data_hash
    assert {evaluation.data_hash for evaluation in list_evaluations(with_run)} == {
        first.data_hash,
        other.data_hash,
    }


def test_figures_of_other_encoders_on_the_same_data_stay(with_run: Workspace) -> None:
    run(with_run, "coverage", LEXICAL, ontology_id=1)
    (evaluated,) = run(with_run, "coverage", VECTORS, TRAINED, ontology_id=1)
    (stored,) = list_evaluations(with_run)
    assert {f.encoder_id for f in stored.figures} == {LEXICAL, VECTORS, TRAINED}
    assert stored.differences == evaluated.differences
    curve = [value(stored, VECTORS, f"coverage@{2**power}") for power in range(11)]
    assert curve == sorted(curve)
    assert curve[-1] == 1


def test_relatedness_is_the_correlation_on_pairs_that_all_know(
    with_run: Workspace, tmp_path: Path
) -> None:
    path, rows = write_pairs(tmp_path)
    (evaluated,) = run(with_run, "relatedness", LEXICAL, VECTORS, pairs=(path,))
    terms = list(dict.fromkeys(term for a, b, _ in rows for term in (a, b)))
    index = fit("tfidf", terms)
    similarities = index.pair_scores([a for a, _, _ in rows], [b for _, b, _ in rows])
    expected = spearmanr(similarities, [score for _, _, score in rows]).statistic
    assert value(evaluated, LEXICAL, "spearman") == pytest.approx(expected, abs=1e-6)
    assert {f.n for f in evaluated.figures} == {len(rows)}
    differences = {
        tested_difference.metric: tested_difference for tested_difference in evaluated.differences
    }
    assert set(differences) == {"spearman", "pearson"}
    for metric, difference in differences.items():
        both = value(evaluated, LEXICAL, metric) - value(evaluated, VECTORS, metric)
        assert difference.value == pytest.approx(both, abs=1e-9)
        assert difference.family == 2


def test_another_measure_is_another_figure(with_run: Workspace, tmp_path: Path) -> None:
    path, _ = write_pairs(tmp_path)
    (plain,) = run(with_run, "relatedness", VECTORS, pairs=(path,))
    (fuzzy,) = run(with_run, "relatedness", VECTORS, pairs=(path,), measure="fuzzy_jaccard")
    assert plain.task == "relatedness"
    assert fuzzy.task == "relatedness, fuzzy_jaccard"
    assert len(list_evaluations(with_run)) == 2


def test_mentions_are_normalised_and_retrieved(with_run: Workspace, tmp_path: Path) -> None:
    corpus = write_mentions(tmp_path)
    evaluated, _ = run(with_run, "normalisation", LEXICAL, VECTORS, corpus=corpus, ontology_id=1)
    assert evaluated.metric == "accuracy"
    assert value(evaluated, LEXICAL, "accuracy") == 1
    assert {f.n for f in evaluated.figures if f.metric == "accuracy"} == {1}
    (evaluated,) = run(with_run, "retrieval", VECTORS, corpus=corpus, ontology_id=1)
    assert 0 <= value(evaluated, VECTORS, "mAP") <= 1


def write_short_mentions(folder: Path) -> Path:
    """A mention that its document abbreviates, and one of two concepts."""
    first = "Viral lung disease (VLD) is here, and VLD stays."
    second = "Viral and bacterial lung disease."
    rows = [
        f"1|t|{first}", "1|a|", "1\t0\t18\tViral lung disease\tDisease\tlung-viral",
        "1\t20\t23\tVLD\tDisease\tlung-viral", "1\t38\t41\tVLD\tDisease\tlung-viral", "",
        f"2|t|{second}", "2|a|",
        "2\t0\t32\tViral and bacterial lung disease\tDisease\tlung-viral|lung-bacterial", "",
    ]  # fmt: skip
    path = folder / "short.pubtator"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_mentions_are_normalised_with_tfidf_added_by_a_weight_that_is_fitted(
    with_run: Workspace, tmp_path: Path
) -> None:
    ontology = import_synonyms(with_run, tmp_path)
    corpus = write_short_mentions(tmp_path)
    asked = {"corpus": corpus, "ontology_id": ontology.id}
    alone, both = run(with_run, "normalisation", LEXICAL, VECTORS, **asked)
    assert (alone.task, both.task) == ("normalisation", "normalisation, sparse")
    assert alone.data_hash == both.data_hash
    for metric in {figure.metric for figure in alone.figures}:
        assert value(alone, LEXICAL, metric) == value(both, LEXICAL, metric)
    blended = fit_blend(with_run, VECTORS, ontology, 0, JobControl(), quiet)
    (of_blend,) = run(with_run, "normalisation", blended.id, **asked)  # which has such a part
    for metric in {figure.metric for figure in both.figures}:
        assert value(both, VECTORS, metric) == pytest.approx(value(of_blend, blended.id, metric))
    weight = f"{blended.weights[1]:.1f} × TF-IDF"
    assert sum(weight in note for note in both.notes) == 1
    assert sum("is as it is alone" in note for note in both.notes) == 1
    assert {figure.task for figure in both.figures} == {"normalisation, sparse"}


def test_it_is_told_how_many_texts_an_encoder_knows_nothing_of(
    with_run: Workspace, tmp_path: Path
) -> None:
    words = tmp_path / "few.vec"
    words.write_text("2 2\nlung 1 0\nviral 0 1\n", encoding="utf-8")
    few = add_vectors(with_run, words, JobControl(), quiet).id
    above = train(with_run, replace(FEW_SHOT, vectors_id=few)).encoder_id
    assert above is not None
    corpus = write_mentions(tmp_path)
    for task, more in (
        ("ranking", {}),
        ("synonyms", {"ontology_id": 1}),
        (
            "normalisation",
            {"corpus": corpus, "ontology_id": 1},
        ),
    ):
        for evaluation in run(with_run, task, LEXICAL, VECTORS, few, above, **more):
            notes = [note for note in evaluation.notes if "as similar to them" in note]
            assert len(notes) == (0 if task == "normalisation" else 2), evaluation
    (of_level, *_) = run(with_run, "ranking", few, split_id=1)
    with with_run.store.reading() as connection:
        parts = connection.exec_driver_sql(
            "SELECT name.text FROM split_name JOIN name ON name.id = split_name.name_id"
            " WHERE split_id = 1 AND part = 2"
        ).all()
    texts = {text for (text,) in parts}
    unknown = sum({"lung", "viral"}.isdisjoint(text.lower().split()) for text in texts)
    assert any(f"knows nothing of {unknown} of the {len(texts)} texts" in n for n in of_level.notes)


def test_a_dictionary_without_synonyms_leaves_encoders_alone(
    with_run: Workspace, tmp_path: Path
) -> None:
    corpus = write_mentions(tmp_path)
    alone, both = run(with_run, "normalisation", VECTORS, corpus=corpus, ontology_id=1)
    assert value(alone, VECTORS, "accuracy") == value(both, VECTORS, "accuracy")
    assert "is alone: no synonym of the ontology is left" in both.notes[1]


def test_levels_that_an_ontology_has_not_are_told(with_run: Workspace, tmp_path: Path) -> None:
    flat = import_synonyms(with_run, tmp_path)
    for task in ("ranking", "hypernyms", "categories"):
        with pytest.raises(UserError, match="has no is-a links, and so no levels"):
            run(with_run, task, VECTORS, ontology_id=flat.id)
    terms = [stanza(f"T:{n}", f"name {n}", "T:0" if n else "") for n in range(6)]
    shallow = tmp_path / "shallow.obo"
    shallow.write_text(HEADER + "\n" + "\n".join(terms), encoding="utf-8")
    ontology = load(with_run, shallow)
    with pytest.raises(UserError, match="are held out below level 4; train on it with a smaller"):
        run(with_run, "ranking", VECTORS, ontology_id=ontology.id)


def test_what_is_done_to_mentions_can_be_switched_off(with_run: Workspace, tmp_path: Path) -> None:
    ontology = import_synonyms(with_run, tmp_path)
    corpus = write_short_mentions(tmp_path)
    values_by_key = {
        (abbreviations, composites): value(
            run(
                with_run, "normalisation", LEXICAL, corpus=corpus, ontology_id=ontology.id,
                abbreviations=abbreviations, composites=composites,
            )[0],
            LEXICAL,
            "accuracy",
        )
        for abbreviations in (True, False)
        for composites in (True, False)
    }  # fmt: skip
    assert values_by_key == {
        (True, True): 1, (True, False): 0.875, (False, True): 0.5, (False, False): 0.375,
    }  # fmt: skip


def test_an_alternative_id_stands_for_its_concept(with_run: Workspace, tmp_path: Path) -> None:
    concept = stanza("T:1", "Disease of the lung") + "alt_id: OLD:7\n"
    merged = tmp_path / "merged.obo"
    merged.write_text("\n".join([HEADER, concept, stanza("T:2", "burn")]), encoding="utf-8")
    corpus = write_mentions(tmp_path)
    corpus.write_text(corpus.read_text("utf-8").replace("TOY:1", "OLD:7"), encoding="utf-8")
    asked = {"corpus": corpus, "ontology_id": load(with_run, merged).id}
    evaluated, *_ = run(with_run, "normalisation", LEXICAL, **asked)
    assert value(evaluated, LEXICAL, "accuracy") == 1
    assert evaluated.notes[0].endswith("count as errors: 0")


def test_the_title_says_what_is_normalised_to_and_what_is_unusual(
    with_run: Workspace, tmp_path: Path
) -> None:
    corpus = write_mentions(tmp_path)
    usual, *_ = run(with_run, "normalisation", LEXICAL, corpus=corpus, ontology_id=1)
    assert usual.title.startswith("mentions.pubtator: 1 mention among 669 names, toy")
    assert "," not in usual.title.partition("names, ")[2]
    with pytest.raises(UserError, match="is the corpus itself, of which every mention"):
        run(with_run, "normalisation", LEXICAL, corpus=corpus, ontology_id=1, training=corpus)
    known = corpus.with_name("training.pubtator")
    known.write_bytes(corpus.read_bytes())
    changed, *_ = run(
        with_run, "normalisation", LEXICAL, corpus=corpus, ontology_id=1, training=known,
        kinds=frozenset({"disease"}), abbreviations=False, composites=False,
    )  # fmt: skip
    assert changed.title == (
        f"{usual.title}, disease, abbreviations as they stand, composite mentions whole, "
        "training mentions known"
    )


@pytest.mark.parametrize("task", ["normalisation", "retrieval"])
def test_mentions_of_other_ids_than_the_ontology_has_are_refused(
    with_run: Workspace, tmp_path: Path, task: str
) -> None:
    corpus = write_mentions(tmp_path)
    corpus.write_text(corpus.read_text("utf-8").replace("TOY:1", "D003693"), encoding="utf-8")
    with pytest.raises(UserError, match=r"mentions\.pubtator .* such as D003693, is in it"):
        run(with_run, task, LEXICAL, corpus=corpus, ontology_id=1)


def test_a_lexical_encoder_says_that_a_measure_is_not_its_own(
    with_run: Workspace, tmp_path: Path
) -> None:
    path, _ = write_pairs(tmp_path)
    (evaluated,) = run(
        with_run, "relatedness", LEXICAL, VECTORS, pairs=(path,), measure="fuzzy_jaccard"
    )
    assert sum("similarity of its own" in note for note in evaluated.notes) == 1


def test_two_that_know_more_pairs_are_compared_on_those_that_all_know(
    with_run: Workspace, tmp_path: Path
) -> None:
    path, rows = write_pairs(tmp_path)
    unknown = "".join(f"zzqx{n} a\tzzqx{n}\t{-n}\n" for n in range(1, 9))
    path.write_text(path.read_text("utf-8") + unknown, encoding="utf-8")
    (evaluated,) = run(with_run, "relatedness", LEXICAL, JACCARD, VECTORS, pairs=(path,))
    assert {f.n for f in evaluated.figures if f.metric in ("spearman", "pearson")} == {len(rows)}
    (difference,) = (
        d
        for d in evaluated.differences
        if (d.first_id, d.second_id, d.metric) == (LEXICAL, JACCARD, "spearman")
    )
    assert difference.n == len(rows)
    first, second = (value(evaluated, encoder_id, "spearman") for encoder_id in (LEXICAL, JACCARD))
    assert difference.value == pytest.approx(first - second)


def test_categories_by_counting_triples(with_run: Workspace) -> None:
    (evaluated,) = run(with_run, "categories", VECTORS, ontology_id=1)
    separation = value(evaluated, VECTORS, "separation")
    assert 0.5 < separation <= 1
    assert separation == pytest.approx(1 - value(evaluated, VECTORS, "overlap"))


def test_an_encoder_says_on_how_many_mentions_it_was_trained(with_run: Workspace) -> None:
    output = run(with_run, "synonyms", VECTORS, TRAINED, ontology_id=1)
    assert set(output[0].seen) == {TRAINED}
    assert 0 < output[0].seen[TRAINED] <= 1


def test_pair_sets_of_one_name_are_told_apart_by_their_folders(
    with_run: Workspace, tmp_path: Path
) -> None:
    rows = ["left\tright\tlabel", "lung disease\tdisease of the lung\t1"]
    rows.append("lung disease\theart tumour\t0")
    files = [tmp_path / folder / "easy.tsv" for folder in ("of one", "of another")]
    for number, file in enumerate(files):
        file.parent.mkdir()
        file.write_text("\n".join([*rows, f"fever {number}\tcough\t0"]) + "\n", "utf-8")
    both = run(with_run, "pairs", LEXICAL, pairs=tuple(files))
    assert [evaluation.title for evaluation in both] == ["easy (of one)", "easy (of another)"]
    (alone,) = run(with_run, "pairs", LEXICAL, pairs=(files[0],))
    assert alone.title == "easy"
    (files[0].parent / "pairs.json").write_text("{}")  # as where sets of an ontology are made
    (alone,) = run(with_run, "pairs", LEXICAL, pairs=(files[0],))
    assert alone.title == "easy (of one)"


@pytest.mark.parametrize("task", ["relatedness", "pairs"])
def test_an_encoder_says_on_how_many_terms_of_pairs_it_was_trained(
    task: str, with_run: Workspace, tmp_path: Path
) -> None:
    with with_run.store.reading() as connection:
        known = sorted(trained_texts(connection, [TRAINED]))
    rows = [f"{known[0]}\theart heart heart\t1", f"{known[1].upper()}\t{known[0]}\t0"]
    rows.append(f"{known[2]}\tthis no encoder can read\t1")
    rows.append("lung lung\tliver liver\t0")
    path = tmp_path / "some.tsv"
    path.write_text("\n".join(["left\tright\tlabel", *rows]) + "\n", encoding="utf-8")
    (evaluated,) = run(with_run, task, LEXICAL, TRAINED, pairs=(path,))
    assert evaluated.seen == {TRAINED: pytest.approx(2 / 5)}


@pytest.mark.parametrize(
    ("task", "encoders", "more", "message"),
    [
        ("nonsense", (1,), {}, "no task nonsense"),
        ("ranking", (), {}, "at least one encoder"),
        ("ranking", (VECTORS, VECTORS), {}, "named twice"),
        ("ranking", (9,), {}, "no encoder 9"),
        ("ranking", (VECTORS,), {}, "name an encoder trained on a level"),
        ("synonyms", (VECTORS,), {}, "--ontology"),
        ("synonyms", (VECTORS,), {"split_id": 1}, "not one of concepts"),
        ("synonyms", (VECTORS,), {"split_id": 1, "ontology_id": 9}, "is of ontology 1, not of 9"),
        (
            "ranking",
            (VECTORS,),
            {"split_id": 9},
            "there is no split 9; `termexplorer run list` lists",
        ),
        ("relatedness", (LEXICAL,), {"measure": "banana"}, "no measure banana; choose .*fuzzy"),
        ("relatedness", (VECTORS,), {}, "--pairs"),
        ("relatedness", (VECTORS,), {"pairs": (Path("nowhere.tsv"),)}, "nowhere.tsv"),
        ("normalisation", (VECTORS,), {}, "--corpus"),
        ("categories", (VECTORS,), {}, "--ontology"),
    ],
)
def test_what_is_missing_is_said(
    with_run: Workspace, task: str, encoders: tuple[int, ...], more: dict[str, object], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        run(with_run, task, *encoders, **more)
    assert not list_evaluations(with_run)


def test_a_split_of_concepts_has_no_levels(with_run: Workspace) -> None:
    (first, *_) = run(with_run, "synonyms", VECTORS, ontology_id=1)
    with pytest.raises(UserError, match="is of no run on a level that is still there"):
        run(with_run, "ranking", VECTORS, split_id=first.split_id)


def test_categories_say_what_they_need(tmp_path: Path, with_run: Workspace) -> None:
    flat = tmp_path / "flat.obo"
    terms = [stanza("F:0", "top"), *(stanza(f"F:{n}", f"fever {n}", "F:0") for n in range(1, 9))]
    flat.write_text(HEADER.replace("toy", "flat") + "\n" + "\n".join(terms), encoding="utf-8")
    ontology = load(with_run, flat)
    with pytest.raises(UserError, match="categories compares the classes of levels 1 and 2, so"):
        run(with_run, "categories", VECTORS, ontology_id=ontology.id)
    (of_toy,) = run(with_run, "categories", VECTORS, ontology_id=1)
    assert of_toy.notes == ()  # all names are taken


def test_names_without_a_close_or_a_distant_class_are_told(
    tmp_path: Path, with_run: Workspace
) -> None:
    terms = [stanza("C:0", "top")]
    for high, lows in (("1", "abc"), ("2", "d")):  # the class d has no close one
        terms.append(stanza(f"C:{high}", f"high {high}", "C:0"))
        for low in lows:
            terms.append(stanza(f"C:{low}", f"low {low}", f"C:{high}"))
            terms += [stanza(f"C:{low}{n}", f"lung {low} {n}", f"C:{low}") for n in range(4)]
    path = tmp_path / "few.obo"
    path.write_text(HEADER.replace("toy", "few") + "\n" + "\n".join(terms), encoding="utf-8")
    (evaluated,) = run(with_run, "categories", LEXICAL, ontology_id=load(with_run, path).id)
    figure = next(f for f in evaluated.figures if f.metric == "overlap")
    assert figure.n == 12
    (note,) = evaluated.notes
    assert note.startswith("not counted: 4 of the 16, ")


def test_a_level_below_the_depth_of_the_rule_is_measured_too(with_run: Workspace) -> None:
    choice = replace(FEW_SHOT.choice, level=2, depth=1)  # type: ignore[type-var]
    deep = train(with_run, replace(FEW_SHOT, choice=choice))
    output = run(with_run, "ranking", deep.encoder_id or 0, split_id=deep.split_id)
    assert [evaluation.level for evaluation in output] == [1, 2]


def test_accuracies_by_halves_are_compared_by_the_bootstrap() -> None:
    def result(values: np.ndarray) -> TaskResult:
        return TaskResult((), {"accuracy": values})

    first, second = np.zeros((2, 1000))
    first[:640], second[:600], second[640:675] = 1, 1, 1
    (whole,) = differences_of({1: result(first), 2: result(second)}, "accuracy", 0, lambda: None)
    assert (whole.test, whole.p) == ("McNemar", pytest.approx(binomtest(40, 75).pvalue))
    first[950:] = second[950:] = np.nan  # which do not count
    (counted,) = differences_of({1: result(first), 2: result(second)}, "accuracy", 0, lambda: None)
    assert (counted.test, counted.p, counted.n) == ("McNemar", whole.p, 950)
    second[700:900] = 1 / 5000  # all candidates tie: hardly worse, but as often
    (halves,) = differences_of({1: result(first), 2: result(second)}, "accuracy", 0, lambda: None)
    assert (halves.test, halves.significant) == ("paired bootstrap", False)
    assert halves.p > 0.3


def test_a_run_shows_what_its_own_encoder_came_to(with_run: Workspace, tmp_path: Path) -> None:
    synonyms = import_synonyms(with_run, tmp_path)
    asked = replace(
        FEW_SHOT, recipe="cca", ontology_id=synonyms.id, choice=None, hyperparameters={}
    )
    trained_run = train(with_run, replace(asked, rule=replace(FEW_SHOT.rule, recipe="cca")))
    before = run_details(with_run, trained_run.id).figures
    run(with_run, "coverage", VECTORS, split_id=trained_run.split_id)
    assert run_details(with_run, trained_run.id).figures == before


def figures(**values: float) -> Evaluated:
    return Evaluated(
        "ranking",
        "toy",
        "hash",
        "mAP",
        tuple(
            FigureInfo(int(name[1:]), "ranking", "hash", "mAP", value, 0, 1, 10)
            for name, value in values.items()
        ),
    )


def test_accuracies_are_compared_by_mcnemar_and_others_by_the_bootstrap(
    with_run: Workspace,
) -> None:
    (first, *_) = run(with_run, "ranking", VECTORS, TRAINED)
    tests = {tested_difference.metric: tested_difference for tested_difference in first.differences}
    assert {name: tested_difference.test for name, tested_difference in tests.items()} == {
        "mAP": "paired bootstrap",
        "accuracy": "McNemar",
        "MRR": "paired bootstrap",
    }
    assert tests["accuracy"].by == "by McNemar, after Holm over 3 tests"
    by_encoder = {f.encoder_id: f.value for f in first.figures if f.metric == "accuracy"}
    difference = by_encoder[VECTORS] - by_encoder[TRAINED]
    assert tests["accuracy"].value == pytest.approx(difference)
    (first, *_) = run(with_run, "hypernyms", VECTORS, TRAINED)
    assert {
        tested_difference.metric: tested_difference.test for tested_difference in first.differences
    } == {
        "MRR": "paired bootstrap",
        "hits@1": "McNemar",
        "median rank": "paired median test",
    }
    by_encoder = {f.encoder_id: f.value for f in first.figures if f.metric == "median rank"}
    (ranks,) = (
        tested_difference
        for tested_difference in first.differences
        if tested_difference.metric == "median rank"
    )
    assert ranks.value == by_encoder[VECTORS] - by_encoder[TRAINED]


def test_of_fewer_than_ten_mentions_nothing_is_tested(with_run: Workspace, tmp_path: Path) -> None:
    output = run(
        with_run, "normalisation", LEXICAL, VECTORS, corpus=write_mentions(tmp_path), ontology_id=1
    )
    assert output
    assert not any(evaluation.differences for evaluation in output)


def test_mentions_that_do_not_count_are_told(with_run: Workspace) -> None:
    for evaluation in run(with_run, "synonyms", VECTORS, ontology_id=1):
        mentions = int(evaluation.title.split(": ")[1].split(" names")[0])
        (n,) = {f.n for f in evaluation.figures} or {0}
        message = f"not counted: {mentions - n} of the {mentions}, for which nothing"
        assert any(note.startswith(message) for note in evaluation.notes) == (mentions > n)


def test_how_many_pairs_each_encoder_knows_is_told(with_run: Workspace, tmp_path: Path) -> None:
    words = tmp_path / "few.vec"
    words.write_text("2 2\nlung 1 0\nskin 0 1\n", encoding="utf-8")
    few = add_vectors(with_run, words, JobControl(), quiet)
    path, rows = write_pairs(tmp_path)
    (evaluated,) = run(with_run, "relatedness", VECTORS, few.id, pairs=(path,))
    known = sum(all({"lung", "skin"} & {*term.split()} for term in row[:2]) for row in rows)
    notes = [note for note in evaluated.notes if note.endswith(f" of {len(rows)} pairs")]
    assert notes == [
        f"toy mean #{VECTORS} knows {len(rows)} of {len(rows)} pairs",
        f"{few.label} knows {known} of {len(rows)} pairs",
    ]
    (alone,) = run(with_run, "relatedness", VECTORS, pairs=(path,))
    assert not any("knows" in note for note in alone.notes)


def test_the_conclusion_names_the_best_only_where_it_is_shown() -> None:
    labels = {1: "one", 2: "two", 3: "three"}
    assert conclusion_text(figures(), labels) == "No figure is defined on these data."
    assert conclusion_text(figures(_1=0.5), labels) == "Only one was measured."
    three = figures(_1=0.4, _2=0.9, _3=0.5)
    differences = (
        Difference(1, 2, "mAP", -0.5, -0.6, -0.4, 0.001, True, 10, family=3),
        Difference(2, 3, "mAP", 0.4, 0.1, 0.7, 0.01, True, 10, family=3),
        Difference(1, 3, "mAP", -0.1, -0.3, 0.1, 0.3, False, 10, family=3),
    )
    whole = replace(three, differences=differences)
    assert conclusion_text(whole, labels).startswith(
        "Best in mAP: two. two is ahead of three by mAP +0.400 (+0.100 to +0.700, n = 10, "
        "p = 0.010 after Holm over 3 tests). two against one: mAP +0.500 (shown)."
    )
    surer = replace(three, differences=(differences[0], replace(differences[1], p=1e-9)))
    assert "n = 10, p < 0.001 after Holm over 3 tests" in conclusion_text(surer, labels)
    little = (differences[0], replace(differences[1], value=0.00031, low=0.00002, high=0.0006))
    assert "mAP +0.00031 (+0.00002 to +0.00060, n" in conclusion_text(
        replace(three, differences=little), labels
    )
    doubtful = (*differences[:1], replace(differences[1], significant=False), differences[2])
    assert conclusion_text(replace(three, differences=doubtful), labels).startswith(
        "Leading in mAP: two, not shown to be ahead of three. No difference shown between two "
        "and three"
    )
    surely_further = (replace(differences[0], significant=False), differences[1])
    assert "No difference shown between two and one: mAP +0.500" in conclusion_text(
        replace(three, differences=surely_further), labels
    )  # not three, which is nearer, but shown to be behind
    undecided = tuple(
        replace(difference, significant=False, least_p=0.02) for difference in differences
    )
    text = conclusion_text(replace(three, differences=undecided), labels)
    assert "cannot be decided with 10 items among 3 tests" in text
    assert "shown" not in text
    apart = replace(three, differences=differences[1:])
    primary = conclude(apart).primary
    assert primary is not None
    assert not primary.shown
    assert "Evaluate two together with one to compare" in conclusion_text(apart, labels)
    alone = conclusion_text(three, labels)
    assert alone.startswith("Leading in mAP: two, not tested against three and one.")
    assert "with three and one to" in alone
    five = figures(_1=0.1, _2=0.2, _3=0.3, _4=0.4, _5=0.5)
    many = {index: str(index) for index in range(1, 6)}
    assert "Evaluate 5 together with 4, 3, 2 and 1 more to compare" in conclusion_text(five, many)
    turned = conclude(replace(figures(_1=0.4, _2=0.9), differences=differences[:1])).primary
    assert turned is not None
    assert turned.nearest is not None
    assert (turned.nearest.value, turned.nearest.low, turned.nearest.high) == (0.5, 0.4, 0.6)
    assert conclude(figures(_1=float("nan"))).best_id is None


def test_the_conclusion_says_if_the_best_was_trained_on_the_names() -> None:
    seen = replace(figures(_1=0.5), seen={1: 0.375})
    assert conclusion_text(seen, {1: "one"}).endswith(" one was trained on 38% of the names.")
    assert conclusion_text(seen, {1: "one"}, exposure=False) == "Only one was measured."
    hardly = replace(figures(_1=0.5), seen={1: 0.002})
    assert conclusion_text(hardly, {1: "one"}) == "Only one was measured."
    assert least_seen([figures(), seen, hardly, figures(_1=0.1)]) is hardly
    third = replace(hardly, level=3)
    assert least_seen([figures(), seen, hardly, third], 3) is third
    assert least_seen([figures(), seen, hardly, third], 2) is hardly


def test_the_conclusion_on_a_curve_says_which_k_it_speaks_of() -> None:
    whole = figures(_1=0.5, _2=0.4)
    curve = [
        replace(figure, metric=f"coverage@{k}", value=figure.value if k == 1 else 1 - figure.value)
        for figure in whole.figures
        for k in (1, 8)
    ]
    conclusion = conclusion_text(
        replace(whole, metric="coverage@1", figures=tuple(curve)), {1: "one", 2: "two"}
    )
    assert (
        "in coverage@1: one, not tested against two. Leading in coverage@8: two, not" in conclusion
    )


def test_evaluations_are_json(with_run: Workspace) -> None:
    (evaluated,) = run(with_run, "coverage", VECTORS, ontology_id=1)
    assert json.dumps([f.value for f in evaluated.figures])
    assert np.isfinite([f.value for f in evaluated.figures]).all()


def test_constant_scores_are_said_to_be_undefined(with_run: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "same.tsv"
    rows = ["term1\tterm2\tmean", "lung disease\theart disease\t2", "skin tumour\tlung tumour\t2"]
    path.write_text("\n".join([*rows, "lung tumour\theart disease\t2"]) + "\n", encoding="utf-8")
    (evaluated,) = run(with_run, "relatedness", LEXICAL, VECTORS, pairs=(path,))
    assert evaluated.figures == evaluated.differences == ()
    assert sum("TF-IDF" in note and "equal" in note for note in evaluated.notes) == 1
    assert list_evaluations(with_run) == [evaluated]


def test_levels_that_were_kept_for_seconds_stay_in_order(
    empty: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(datetime):
        """A second passes whenever somebody looks."""

        seconds = iter(range(60))

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime(2026, 1, 1, second=next(cls.seconds), tzinfo=tz)

    monkeypatch.setattr(evaluations, "datetime", Slow)
    for level in (None, 1):
        stored = [Evaluated("ranking", "toy", f"{level}{n}", "mAP", (), level=n) for n in (1, 2, 3)]
        with empty.store.writing() as connection:
            evaluations.put_evaluations(connection, stored)
    assert [evaluation.level for evaluation in list_evaluations(empty)] == [1, 2, 3, 1, 2, 3]


def test_figures_of_a_run_at_several_k_are_in_the_order_of_k(with_run: Workspace) -> None:
    (of_run,) = list_runs(with_run)
    metric_names = [
        f.metric for f in run_details(with_run, of_run.id).figures if "hits@" in f.metric
    ]
    ks = [int(metric.partition("@")[2]) for metric in dict.fromkeys(metric_names)]
    assert 10 in ks
    assert ks == sorted(ks)


def test_rows_of_a_pair_that_stands_above_are_told(with_run: Workspace, tmp_path: Path) -> None:
    path, _ = write_pairs(tmp_path)
    (plain,) = run(with_run, "relatedness", LEXICAL, pairs=(path,))
    assert not any("stands above" in note for note in plain.notes)
    rows = path.read_text("utf-8").splitlines()
    left, right, score = next(row for row in rows if row[-1].isdigit()).split("\t")
    more = [f"{right.upper()}\t{left}\t{score}"] * 2 + [f"{left}\t{right}\t{float(score) + 1}"]
    path.write_text("\n".join([*rows, *more]) + "\n", encoding="utf-8")
    (evaluated,) = run(with_run, "relatedness", LEXICAL, pairs=(path,))
    (note,) = [note for note in evaluated.notes if "stands above" in note]
    assert "2 with the same score" in note
    assert "1 with another one" in note
