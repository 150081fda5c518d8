"""``from termexplorer import trainer`` in a notebook, and the example of the README."""

from __future__ import annotations

import contextlib
import gc
import io
import pydoc
import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr
from trainer_controls import After
from trainer_toy import make_toy

from termexplorer import trainer
from termexplorer.trainer import lexical
from termexplorer.trainer.corpora.dictionary import Dictionary
from termexplorer.trainer.corpora.pubtator import Document, Mention
from termexplorer.trainer.corpora.queries import MentionPreparation, prepare_queries
from termexplorer.trainer.encoders.chained import ChainedNames
from termexplorer.trainer.evaluation.rankings import rank_names
from termexplorer.trainer.files.pairs import PairSet
from termexplorer.trainer.measures import measure
from termexplorer.trainer.measures.base import WordBags
from termexplorer.trainer.recipes.bne import BiomedicalNameEncoder
from termexplorer.trainer.representations.matrix import MatrixNames
from termexplorer.trainer.representations.tfidf import TfidfNames
from termexplorer.trainer.representations.word_vectors import WordVectors
from termexplorer.trainer.search.expected_ranks import average_precision
from termexplorer.trainer.text.names import LabelledNames

README = Path(__file__).parents[3] / "README.md"
SMALL = replace(trainer.FewShot.quick(), hidden=8, maximum_epochs=3, minimum_epochs=1)


def readme_example() -> str:
    result = re.search(
        r"<!-- python -->\n```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL
    )
    assert result
    return result[1]


def write_vectors(folder: Path, words: list[str]) -> None:
    rows = np.random.default_rng(0).normal(size=(len(words), 8)).round(3)
    lines = [f"{word} {' '.join(map(str, row))}" for word, row in zip(words, rows, strict=True)]
    (folder / "wiki.vec").write_text("\n".join([f"{len(words)} 8", *lines, ""]))


def test_the_readmes_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = readme_example()
    write_vectors(tmp_path, sorted(set(re.findall(r"[a-z]+", code))))
    namespace: dict[str, Any] = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), namespace)  # noqa: S102
    assert namespace["vectors"].shape == (2, 8)
    assert namespace["vectors"].dtype == np.float32
    assert "11 validation loss 0." in printed.getvalue()
    assert re.search(r"mAP [01]\.\d\d \[[01]\.\d\d, [01]\.\d\d\], n = 4\n", printed.getvalue())
    assert (tmp_path / "exported" / "modules.json").is_file()


def test_importing_costs_nothing_and_offers_everything() -> None:
    code = (
        "import sys; from termexplorer import trainer; "
        "print('numpy' in sys.modules, 'torch' in sys.modules, dir(trainer))"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert process.stdout.startswith("False False ")
    for name in trainer._HOMES:
        assert f"'{name}'" in process.stdout
        assert getattr(trainer, name)
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        _ = trainer.lode


@given(st.dictionaries(st.text(), st.lists(st.text(max_size=2), max_size=6), max_size=5))
def test_labels_are_made_from_the_names_of_classes(classes: dict[str, list[str]]) -> None:
    labels = trainer.labelled(classes)
    assert isinstance(labels, LabelledNames)
    assert labels.classes == tuple(classes)
    members = zip(labels.classes, labels.members(), strict=True)
    names_by_class = {label: {labels.names[row] for row in rows} for label, rows in members}
    assert names_by_class == {label: set(names) for label, names in classes.items()}


def test_help_tells_what_there_is_and_the_version() -> None:
    documentation = pydoc.plain(pydoc.render_doc(trainer))
    assert all(f"`{name}`" in str(trainer.__doc__) for name in trainer.__all__)
    assert "FewShot.quick()" in documentation
    assert trainer.__version__ == version("termexplorer")


@pytest.fixture
def data() -> trainer.Data:
    toy = make_toy(120, 4, 8, 0)
    parts = trainer.few_shot_split(toy.labels, 5, 0)
    return trainer.Data(toy.labels, parts, MatrixNames(toy.vectors, toy.labels.names))


def test_a_run_without_a_folder_leaves_nothing(data: trainer.Data) -> None:
    run = trainer.train(SMALL, data)
    with pytest.raises(ValueError, match="no epoch is over yet"):
        run.encoder()
    run = trainer.train(SMALL, data)
    reports = [next(run)]
    encoder = run.encoder()
    assert not list(run)  # it was ended
    again = trainer.train(SMALL, data)
    reports.append(next(again))
    assert reports[0].validation == reports[1].validation  # the default seed
    assert (encoder.encode(data.labels.names) == again.encoder().encode(data.labels.names)).all()
    folder = run.folder
    assert folder.is_dir()
    del run, again
    gc.collect()
    assert not folder.exists()
    dropped = trainer.train(SMALL, data)
    folder = dropped.folder
    next(dropped)
    del dropped  # in its midst
    gc.collect()
    assert not folder.exists()


def test_a_run_that_is_there_is_gone_on_with_or_left_alone(
    data: trainer.Data, tmp_path: Path
) -> None:
    whole = list(trainer.train(SMALL, data, state_dir=tmp_path / "run"))
    weights = (tmp_path / "run" / "best" / "meta.json").read_bytes()
    other = replace(data, parts=trainer.few_shot_split(data.labels, 5, 1))
    message = r"run holds a run already; go on with it \(resume=True\), choose another folder, or"
    with pytest.raises(ValueError, match=message):
        trainer.train(SMALL, other, state_dir=tmp_path / "run")
    for resume in (False, True):
        with pytest.raises(ValueError, match="run holds a run already; choose another folder"):
            trainer.train(trainer.Whiten(), other, state_dir=tmp_path / "run", resume=resume)
    assert (tmp_path / "run" / "best" / "meta.json").read_bytes() == weights
    *_, last = trainer.train(SMALL, data, state_dir=tmp_path / "run", resume=True)
    assert (last.epoch, last.validation) == (whole[-1].epoch, whole[-1].validation)


def test_a_run_is_not_gone_on_with_over_other_data(data: trainer.Data, tmp_path: Path) -> None:
    run = tmp_path / "run"
    list(trainer.train(SMALL, data, state_dir=run, control=After(9)))
    labels = data.labels
    renamed = replace(labels, names=(*labels.names[1:], labels.names[0]))
    vectors = np.random.default_rng(1).normal(size=data.encoded.shape).astype(np.float32)
    first = np.flatnonzero(data.parts == 0)[0]
    vectors[first] = data.encoded[first]
    shifted = replace(labels, class_index=(labels.class_index + 1) % len(labels.classes))
    other_data = (
        ("is of other names or vectors", trainer.Data(renamed, data.parts, vectors=data.encoded)),
        ("is of other names or vectors", trainer.Data(labels, data.parts, vectors=vectors)),
        ("is of other classes or", trainer.Data(shifted, data.parts, vectors=data.encoded)),
    )
    for message, other in other_data:
        with pytest.raises(ValueError, match=f"{message}.*; start anew"):
            next(trainer.train(SMALL, other, state_dir=run, resume=True))
    with pytest.raises(ValueError, match="is of a run with seed 0; take that one"):
        next(trainer.train(SMALL, data, state_dir=run, seed=5, resume=True))
    assert next(trainer.train(SMALL, data, state_dir=run, resume=True)).validation


def test_a_run_that_is_left_can_be_loaded(tmp_path: Path) -> None:
    write_vectors(tmp_path, [f"w{number}" for number in range(24)])
    trainer.convert(tmp_path / "wiki.vec", tmp_path / "words")
    names = [f"w{number}" for number in range(24)]
    labels = trainer.labelled({"first": names[:12], "second": names[12:]})
    data = trainer.Data(labels, trainer.few_shot_split(labels, 4, 0), tmp_path / "words")
    for report in trainer.train(SMALL, data, state_dir=tmp_path / "left"):
        if report.epoch == 2:
            break
    gc.collect()
    assert trainer.load(tmp_path / "left").encode(names).any()

    def pressed(run: trainer.Training) -> None:
        for _ in run:
            raise KeyboardInterrupt

    held = trainer.train(SMALL, data, state_dir=tmp_path / "held")
    with pytest.raises(KeyboardInterrupt):
        pressed(held)
    with pytest.raises(ValueError, match=r"a run that is not over; end it by its encoder\(\)"):
        trainer.load(tmp_path / "held")
    encoded = held.encoder().encode(names)
    assert (trainer.load(tmp_path / "held").encode(names) == encoded).all()


def test_no_run_lasts_longer_than_it_says(data: trainer.Data) -> None:
    recipe = replace(SMALL, minimum_epochs=11)
    assert [report.estimated_epochs_left for report in trainer.train(recipe, data)] == [2, 1, 0]


def test_a_recipe_says_what_it_cannot_read_names_by(data: trainer.Data) -> None:
    for recipe in (trainer.WeightedWords(), BiomedicalNameEncoder.quick()):
        with pytest.raises(ValueError, match="reads words, of which MatrixNames has no vectors"):
            trainer.train(recipe, data)
    with pytest.raises(ValueError, match="by a transformer, which MatrixNames is not"):
        trainer.train(trainer.Tuned(), data)


def test_settings_and_seeds_may_be_numbers_of_numpy(data: trainer.Data, tmp_path: Path) -> None:
    given: Any = {"hidden": np.int64(8), "learning_rate": np.float64(1e-3)}
    recipe = replace(SMALL, **given)
    assert type(recipe.hidden) is int
    first = next(trainer.train(recipe, data, seed=np.int64(3), state_dir=tmp_path / "run"))
    plain = replace(SMALL, learning_rate=1e-3)
    assert first.validation == next(trainer.train(plain, data, seed=3)).validation
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"hidden": 8.5}, "hidden is 8.5; give a whole number"),
        ({"hidden": True}, "hidden is True; give a whole number"),
        ({"margin": "wide"}, "margin is 'wide'; give a number"),
        ({"hinge": 1}, "hinge is 1; give a text"),
    ]
    for settings, message in wrong:
        with pytest.raises(ValueError, match=message):
            replace(SMALL, **settings)


def test_a_copy_of_vectors_takes_no_others_place(tmp_path: Path) -> None:
    write_vectors(tmp_path, ["w1", "w2"])
    (tmp_path / "words").mkdir()
    trainer.convert(tmp_path / "wiki.vec", tmp_path / "words")
    for file_name in ("words", "wiki.vec"):
        with pytest.raises(
            ValueError, match=rf"{file_name} is there already; choose another folder"
        ):
            trainer.convert(tmp_path / "wiki.vec", tmp_path / file_name)


def test_an_encoder_is_loaded_over_what_it_was_trained_on(tmp_path: Path) -> None:
    write_vectors(tmp_path, [f"w{number}" for number in range(24)])
    trainer.convert(tmp_path / "wiki.vec", tmp_path / "words")
    labels = trainer.labelled(
        {"even": [f"w{n}" for n in range(0, 24, 2)], "odd": ["w1", "w3", "w5", "w7"]}
    )
    data = trainer.Data(labels, trainer.few_shot_split(labels, 2, 0), tmp_path / "words")
    for _ in trainer.train(SMALL, data, state_dir=tmp_path / "run"):
        pass
    encoders = [
        trainer.load(tmp_path / "run", device="cpu"),
        trainer.load(tmp_path / "run" / "best", over=tmp_path / "words", device="cpu"),
        trainer.load(tmp_path / "run", over=tmp_path / "words", device="cpu"),
    ]
    first, *other_vectors = (encoder.encode(["w1 w2", "none"]) for encoder in encoders)
    assert all((first == other).all() for other in other_vectors)
    assert np.linalg.norm(first, axis=1).tolist() == pytest.approx([1, 0])
    on_top = trainer.train(SMALL, replace(data, representation=tmp_path / "run" / "chain"))
    assert isinstance(next(on_top).validation, float)
    chain = on_top.encoder()
    assert isinstance(chain.beneath, ChainedNames)
    assert isinstance(chain.beneath.beneath, WordVectors)


def test_parts_and_vectors_may_be_lists(data: trainer.Data) -> None:
    assert isinstance(data.representation, MatrixNames)
    vectors = data.representation.encode(data.labels.names)
    given = trainer.Data(data.labels, data.parts.tolist(), vectors=vectors.tolist())
    assert (given.parts.dtype, given.encoded.dtype) == (np.uint8, np.float32)
    first, second = (next(trainer.train(SMALL, training_data)) for training_data in (data, given))
    assert first.validation == second.validation


def test_what_does_not_fit_together_is_told_at_once(data: trainer.Data, tmp_path: Path) -> None:
    count = len(data.labels.names)
    with pytest.raises(ValueError, match=f"{count} names need as many parts, not \\({count - 3},"):
        replace(data, parts=data.parts[3:])
    for vectors in (np.zeros((3, 4)), np.zeros(count)):
        with pytest.raises(ValueError, match=f"{count} names need \\({count}, d\\) vectors, not"):
            replace(data, vectors=vectors)
    wrong: list[Any] = ["few-shot", trainer.FewShot]
    for recipe in wrong:
        with pytest.raises(ValueError, match=r"is no recipe; give one such as trainer\.FewShot"):
            trainer.train(recipe, data)
    for device in ("quantum", "cuda:77"):
        with pytest.raises(ValueError, match=f"there is no device '{device}' here"):
            trainer.train(SMALL, data, device=device)
        with pytest.raises(ValueError, match=f"there is no device '{device}' here"):
            trainer.load(tmp_path, device=device)


def test_parts_are_those_that_there_are(data: trainer.Data) -> None:
    for wrong in (256, -1, 0.9, np.nan):
        with pytest.raises(ValueError, match=r"a part is none of those of trainer\.data\.splits"):
            replace(data, parts=np.full(len(data.parts), wrong))


def test_validation_is_of_classes_that_are_learned(data: trainer.Data) -> None:
    labels = trainer.labelled({"a": ["1", "2"], "b": ["3", "4"], "c": ["5", "6"]})
    vectors = np.random.default_rng(0).normal(size=(6, 4))
    apart = trainer.Data(labels, np.array([0, 0, 0, 0, 1, 1]), vectors=vectors)
    for recipe in (SMALL, trainer.Whiten(), trainer.DeepAveraging.quick()):
        with pytest.raises(ValueError, match="no name is left for validation of a class with"):
            next(trainer.train(recipe, apart))


def test_what_learns_no_classes_takes_names_of_one(tmp_path: Path) -> None:
    write_vectors(tmp_path, [f"w{number}" for number in range(24)])
    trainer.convert(tmp_path / "wiki.vec", tmp_path / "words")
    names = [f"w{number} w{number // 2}" for number in range(24)]
    labels = trainer.labelled({"all": names})
    data = trainer.Data(labels, np.array([0] * 20 + [1] * 4), tmp_path / "words")
    for recipe in (trainer.Whiten(), trainer.WeightedWords()):
        run = trainer.train(recipe, data)
        assert next(run).validation == 1  # every other name is right
        assert run.encoder().encode(names).any(axis=1).all()
    with pytest.raises(ValueError, match="all training names are of one class"):
        next(trainer.train(SMALL, data))


def test_names_of_tasks_are_lists_and_vectors_are_finite(data: trainer.Data) -> None:
    encoder = data.encoder
    first = data.labels.classes[0]
    with pytest.raises(ValueError, match="'viral' is a single text; give a list of names"):
        trainer.evaluate("hypernyms", encoder, data, level={first: "viral"})
    with pytest.raises(ValueError, match="'hip' is a single text; give a list of names"):
        trainer.evaluate("categories", encoder, {"category": "hip", "close": [], "distant": []})
    spoiled = np.array(encoder.encode(data.labels.names))
    spoiled[0, 0] = np.nan
    names = data.labels.names

    class Spoiled:
        def encode(self, asked: list[str]) -> Any:
            return spoiled[[names.index(name) for name in asked]]

    pairs = PairSet("some", names[:4], names[4:8], np.arange(4.0))
    wrong: Any = Spoiled()
    with pytest.raises(ValueError, match=r"no .* table of finite numbers"):
        trainer.evaluate("relatedness", wrong, pairs)
    with pytest.raises(ValueError, match=r"no .* table of finite numbers"):
        trainer.evaluate("ranking", wrong, data)


def test_a_task_says_what_it_takes(data: trainer.Data, tmp_path: Path) -> None:
    encoder = data.encoder
    takes = {"ranking": "Data", "normalisation": "Queries", "relatedness": "PairSet"}
    for task, kind in takes.items():
        with pytest.raises(ValueError, match=f"{task} takes a {kind}, not a list"):
            trainer.evaluate(task, encoder, [])
    nothing: Any = None
    with pytest.raises(ValueError, match="None compares no names; give an encoder, the folder"):
        trainer.evaluate("ranking", nothing, data)
    with pytest.raises(ValueError, match=r"meta\.json is missing"):
        trainer.evaluate("ranking", tmp_path, data)


def test_an_encoder_is_evaluated_from_its_folder(tmp_path: Path) -> None:
    write_vectors(tmp_path, ["a", "b", "c", "d"])
    trainer.convert(tmp_path / "wiki.vec", tmp_path / "words")
    labels = trainer.labelled({"first": ["a", "b"], "second": ["c", "d"]})
    data = trainer.Data(labels, np.array([0, 2, 0, 2]), tmp_path / "words")
    opened = trainer.evaluate("ranking", trainer.load(tmp_path / "words"), data)
    assert trainer.evaluate("ranking", tmp_path / "words", data) == opened
    assert trainer.evaluate("ranking", str(tmp_path / "words"), data) == opened


def test_lexical_methods_are_evaluated_as_encoders_are(data: trainer.Data, tmp_path: Path) -> None:
    names = data.labels.names
    fitted = TfidfNames.fit(names)
    fitted.save(tmp_path / "lexical")
    table = np.stack([fitted.scores(name) for name in names])
    test, train = (np.flatnonzero(data.parts == part) for part in (2, 0))
    expected = rank_names(
        data.labels, lambda rows, columns: table[np.ix_(rows, columns)], test, train,
        {"mAP": average_precision}, lambda: None,
    )["mAP"]  # fmt: skip
    for encoder in ("tfidf", tmp_path / "lexical", TfidfNames, partial(lexical.fit, "tfidf")):
        results = trainer.evaluate("ranking", encoder, data)
        assert results[0].value == pytest.approx(np.nanmean(expected))
    for task, more in {
        "synonyms": {}, "coverage": {}, "retrieval": {"concepts": 4},
        "hypernyms": {"level": {data.labels.classes[0]: [names[0]]}},
    }.items():  # fmt: skip
        assert trainer.evaluate(task, "jaccard", data, **more)[0].n
    pairs = PairSet("toy", ("old hip", "arm"), ("hip", "arm"), np.array([0.0, 1.0]))
    (area, _) = trainer.evaluate("pairs", "jaccard", pairs)
    assert area.value == 1  # a half, and the whole
    with pytest.raises(ValueError, match="leave measure= out"):
        trainer.evaluate("pairs", "jaccard", pairs, measure="fuzzy_jaccard")
    with pytest.raises(ValueError, match="makes no index of names; give a lexical method"):
        trainer.evaluate("ranking", len, data)
    with pytest.raises(ValueError, match="FewShot'> compares no names"):
        trainer.evaluate("ranking", trainer.FewShot, data)
    nobody = replace(data, parts=np.zeros(len(names), np.uint8))
    with pytest.warns(UserWarning, match="ranking: nothing is there to be measured"):
        assert np.isnan(trainer.evaluate("ranking", "jaccard", nobody)[0].value)


@pytest.mark.parametrize("scale", [1e-30, 1e-13, 1e19, 1e30])
def test_cosines_do_not_ask_how_long_vectors_are(data: trainer.Data, scale: float) -> None:
    names = data.labels.names
    vectors = data.encoded.astype(np.float64)
    far = replace(data, vectors=(scale * vectors).astype(np.float32))
    assert np.isfinite(far.encoded).all()
    given, scaled = (
        trainer.evaluate("ranking", MatrixNames(report.encoded, names), data)
        for report in (data, far)
    )
    assert scaled[0].value == pytest.approx(given[0].value, abs=1e-3)
    first, second = (next(trainer.train(SMALL, training_data)) for training_data in (data, far))
    assert second.losses == pytest.approx(first.losses, rel=1e-4)
    assert second.validation == pytest.approx(first.validation, rel=1e-4)


def test_a_measure_is_chosen_and_an_undefined_figure_is_told() -> None:
    rows = np.random.default_rng(0).normal(size=(8, 5)).astype(np.float32)
    words = WordVectors(rows, tuple("abcdefgh"))
    left, right = ("a b", "c", "d e", "f"), ("g", "h a", "b", "c d")
    pairs = PairSet("toy", left, right, [1, 2, 3, 4])  # type: ignore[arg-type]
    for name in ("fuzzy_jaccard", "pair_cosine"):
        terms, left_row, right_row = pairs.terms()
        similar = measure(name)(WordBags.of_names(terms, words), left_row, right_row)
        results = trainer.evaluate("relatedness", words, pairs, measure=name)
        assert results[0].value == pytest.approx(spearmanr(similar, pairs.scores).statistic)
    whole = MatrixNames(rows[:4], left)
    with pytest.raises(ValueError, match="of which MatrixNames has no vectors"):
        trainer.evaluate("relatedness", whole, pairs, measure="fuzzy_jaccard")
    with pytest.raises(ValueError, match="there is no measure 'banana'"):
        trainer.evaluate("relatedness", whole, pairs, measure="banana")
    same = PairSet("flat", left, right, np.ones(4))
    with pytest.warns(UserWarning, match="flat: all 4 scores are equal, so that no correlation"):
        assert np.isnan(trainer.evaluate("relatedness", words, same)[0].value)


def test_learning_goes_on_from_the_folder_of_a_run(tmp_path: Path) -> None:
    names = [f"w{number}" for number in range(24)]
    write_vectors(tmp_path, names)
    trainer.convert(tmp_path / "wiki.vec", tmp_path / "words")
    labels = trainer.labelled({"first": names[:12], "second": names[12:]})
    parts = trainer.few_shot_split(labels, 4, 0)
    dan = replace(trainer.DeepAveraging.quick(), hidden=8, maximum_epochs=2)  # never its input
    for folder, beneath, recipe in (("one", "words", SMALL), ("two", "one", dan)):
        data = trainer.Data(labels, parts, tmp_path / beneath)
        list(trainer.train(recipe, data, state_dir=tmp_path / folder))
    chain = trainer.load(tmp_path / "two").encode(names)
    assert not np.allclose(chain, trainer.load(tmp_path / "one").encode(names), atol=1e-3)
    over = trainer.load(tmp_path / "two" / "best", over=tmp_path / "one").encode(names)
    assert (over == chain).all()


def test_what_is_no_data_is_told(data: trainer.Data, tmp_path: Path) -> None:
    wrong: Any
    for wrong in (None, ["hip", "arm"]):
        with pytest.raises(ValueError, match="names no classes; give names by their class"):
            trainer.labelled(wrong)
    wrong = {"a": ["hip"]}
    with pytest.raises(ValueError, match=r"a dict is no names with classes; see trainer\.labelled"):
        trainer.Data(wrong, data.parts)
    wrong = 42
    with pytest.raises(ValueError, match="42 encodes no names"):
        replace(data, representation=wrong)
    wrong = None
    with pytest.raises(ValueError, match="None is no recipe"):
        trainer.train(wrong, data)
    with pytest.raises(ValueError, match="-1 and 1 passes; use 0 or more"):
        trainer.hls_split(data.labels, -1, 1, 0)
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="file is a file; name a folder for the run"):
        trainer.train(SMALL, data, state_dir=tmp_path / "file")


def test_vectors_of_another_width_than_the_representation_makes_are_told(
    data: trainer.Data, tmp_path: Path
) -> None:
    write_vectors(tmp_path, ["hip"])
    trainer.convert(tmp_path / "wiki.vec", tmp_path / "words")
    narrow, words = data.encoded[:, :5], str(tmp_path / "words")
    message = (
        "the vectors are 5 wide, those of the representation 8; give the vectors that it makes"
    )
    for beneath in (words, trainer.load(words), data.representation):
        with pytest.raises(ValueError, match=message):
            replace(data, representation=beneath, vectors=narrow)
    assert replace(data, representation=words, vectors=data.encoded).encoded.shape[1] == 8


def test_an_encoder_without_what_it_stands_on_is_told(tmp_path: Path, data: trainer.Data) -> None:
    for _ in trainer.train(SMALL, data, state_dir=tmp_path / "run"):  # over vectors in memory
        pass
    for folder in (tmp_path / "run", tmp_path / "run" / "best"):
        with pytest.raises(ValueError, match=r"best holds an encoder, but not what it stands on"):
            trainer.load(folder)


def test_recipes_that_read_words_get_them(tmp_path: Path) -> None:
    write_vectors(tmp_path, [f"w{number}" for number in range(24)])
    trainer.convert(tmp_path / "wiki.vec", tmp_path / "words")
    names = [f"w{number} w{number // 2}" for number in range(24)]
    labels = trainer.labelled({"first": names[:12], "second": names[12:]})
    data = trainer.Data(labels, trainer.hls_split(labels, 1, 1, 0), tmp_path / "words")
    recipe = replace(BiomedicalNameEncoder.quick(), hidden=4, spelling=2, maximum_epochs=1)
    run = trainer.train(recipe, data, state_dir=tmp_path / "run")
    assert [report.epoch for report in run] == [1]
    encoded = trainer.load(tmp_path / "run").encode(names)
    assert (encoded == run.encoder().encode(names)).all()
    assert encoded.shape == (24, 8)


def test_vectors_alone_can_be_trained_on_but_encode_no_names(data: trainer.Data) -> None:
    bare = replace(data, representation=None, vectors=data.encoded)
    run = trainer.train(SMALL, bare)
    assert next(run).epoch == 1
    with pytest.raises(ValueError, match="no representation; give one to encode names"):
        run.encoder()


def figures(task: str, data: trainer.Data, given: object, **more: object) -> dict[str, float]:
    results = trainer.evaluate(task, data.encoder, given, **more)
    assert [figure.primary for figure in results] == [True, *[False] * (len(results) - 1)]
    assert all(figure.low <= figure.value <= figure.high for figure in results if figure.n)
    return {figure.metric: figure.value for figure in results}


def test_tasks_are_found_by_their_names(data: trainer.Data) -> None:
    assert figures("ranking", data, data)["mAP"] > 0.25
    aside = replace(data, parts=trainer.concept_split(data.labels, 0.25, 1, 1, seed=0))
    synonyms = figures("synonyms", data, aside)
    assert synonyms["test mAP"] == figures("ranking", data, aside)["mAP"]
    assert synonyms["zero-shot mAP"] == 1  # there is one zero-shot class, and no other name
    assert figures("coverage", data, data)["coverage@1024"] == 1
    label = data.labels.classes[0]
    level = {label: [data.labels.names[0]], data.labels.classes[1]: [data.labels.names[1]]}
    assert 0.5 < figures("hypernyms", data, data, level=level, first=(1,))["MRR"] <= 1
    with pytest.raises(ValueError, match="'none' is no class of the names"):
        trainer.evaluate("hypernyms", data.encoder, data, level={"none": []})
    with pytest.raises(ValueError, match=r"^hypernyms needs the names of .*; give level=$"):
        trainer.evaluate("hypernyms", data.encoder, data)
    with pytest.raises(ValueError, match="no task 'rankings'; choose one of ranking, "):
        trainer.evaluate("rankings", data.encoder, data)


def test_tasks_that_take_more_than_names(data: trainer.Data) -> None:
    vectors, of = data.encoded, data.labels.class_index
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    groups = [np.flatnonzero(of == number)[:4] for number in range(3)]
    names = [[data.labels.names[row] for row in rows] for rows in groups]
    parts = dict(zip(("category", "close", "distant"), names, strict=True))
    near, far = (units[groups[0]] @ units[rows].T for rows in groups[1:])
    wrong = (near[:, :, None] <= far[:, None, :]).mean()
    assert figures("categories", data, parts)["overlap"] == pytest.approx(wrong)
    with pytest.raises(ValueError, match="give the names of 'close'"):
        trainer.evaluate("categories", data.encoder, {"category": names[0], "distant": names[2]})

    some = {**parts, "category": [*names[0], "unheard of"], "distant": [*names[2], "unknown"]}
    with pytest.warns(UserWarning, match="2 of 14 terms are left out, as nothing is known of them"):
        assert figures("categories", data, some)["overlap"] == pytest.approx(wrong)
    assert trainer.evaluate("categories", "jaccard", parts)[0].n == 4

    # BM25 finds every name, as all have the word "name" in common; then it is the plain ranking.
    figure_by_name = figures("retrieval", data, data, concepts=4)
    assert figure_by_name["recall"] == 1
    assert figure_by_name["mAP"] == pytest.approx(figures("ranking", data, data)["mAP"])

    asked = [data.labels.names[row] for row in (0, 5, 9)]
    concepts = [data.labels.classes[of[row]] for row in (0, 5, 10)]
    text = " ".join(asked)
    mentions = tuple(
        Mention(text.index(name), text.index(name) + len(name), name, "Disease", (concept,))
        for name, concept in zip(asked, concepts, strict=True)
    )
    plain = MentionPreparation(abbreviations=False, composites=False)
    document = Document("1", text, "", mentions)
    queries = prepare_queries([document], Dictionary(data.labels), plain)
    with pytest.raises(ValueError, match=r"^normalisation needs the dictionary .*; give names=$"):
        trainer.evaluate("normalisation", data.encoder, queries)
    figure_by_name = figures("normalisation", data, queries, names=data.labels)
    assert figure_by_name["accuracy"] == pytest.approx(2 / 3)


def test_relatedness_goes_by_cosines_of_known_terms(data: trainer.Data) -> None:
    names = data.labels.names[:9]
    units = data.encoded / np.linalg.norm(data.encoded, axis=1, keepdims=True)
    scores = (units[:8] * units[1:9]).sum(1).astype(np.float64)
    pairs = PairSet("toy", (*names[:8], "none"), (*names[1:9], names[0]), np.append(scores, 3.0))
    results = trainer.evaluate("relatedness", data.encoder, pairs)
    assert results[0].value == pytest.approx(1)
    assert {figure.n for figure in results} == {8}
    similar = np.append((scores > np.median(scores)).astype(float), 1)
    labels = PairSet("toy", pairs.left, pairs.right, similar)
    area, accuracy = trainer.evaluate("pairs", data.encoder, labels)
    assert (area.metric, area.value, accuracy.value, accuracy.n) == ("AUC", 1, 1, 8)


def test_a_matrix_needs_the_names_of_its_rows(tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", np.ones((2, 3)))
    (tmp_path / "rows.txt").write_text("fever\ncold\n")
    with pytest.raises(ValueError, match="give the text file of its rows"):
        trainer.convert(tmp_path / "rows.npy", tmp_path / "copy")
    trainer.convert(tmp_path / "rows.npy", tmp_path / "copy", names=tmp_path / "rows.txt")
    assert trainer.load(tmp_path / "copy").encode(["Cold"]).tolist() == [[1, 1, 1]]
