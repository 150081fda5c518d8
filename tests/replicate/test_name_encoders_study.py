"""[BNE] on a toy ontology and a few mentions of it."""

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from json_keys import OWN_KEYS
from replicate_toy import forget_tasks, run, toy_study
from toy_ontology import write_synonyms
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.cli.json_words import SYNONYMS, WORDS
from termexplorer.errors import UserError
from termexplorer.replicate.studies import AskedStudy
from termexplorer.trainer.corpora.annotated import AnnotatedLine, Span
from termexplorer.trainer.representations import convert
from termexplorer.trainer.representations.skipgram_training import SkipGrams, write_marked_corpus
from termexplorer.trainer.text.tokenizer import tokenize

SMALL = {"hidden": 8, "spelling": 4, "characters": 4, "maximum_epochs": 1}
# a mention, its type, and its concept: a name, no name, a name of another concept, unknown
MENTIONS = (
    ("bacterial lung infection", "Disease", "S:1"),
    ("lung bacterial tumour", "Disease", "S:2"),
    ("severe injury of the lung", "Disease", "S:3"),
    ("old pneumonia", "Disease", "S:404"),
    ("heart", "Chemical", "S:5"),
)


def write_mentions(path: Path, mentions: tuple[tuple[str, str, str], ...]) -> Path:
    """A document of one sentence for each mention."""
    lines = []
    for number, (text, kind, concept) in enumerate(mentions):
        row = f"{number}\t0\t{len(text)}\t{text}\t{kind}\t{concept}"
        lines += [f"{number}|t|{text} was seen.", f"{number}|a|", row, ""]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def name_study(folder: Path, **changes: object) -> AskedStudy:
    """A tiny study with a corpus and its training documents."""
    training = (("severe injury of the lung", "Disease", "S:3"),)
    study = toy_study(
        folder,
        "BNE",
        ontologies=(str(write_synonyms(folder)),),
        changes=SMALL,
        corpora=(write_mentions(folder / "mentions.pubtator", MENTIONS),),
        training=(write_mentions(folder / "training.pubtator", training),),
        kinds=("Disease",),
    )
    return replace(study, **changes)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> AskedStudy:
    """A finished study of two splits."""
    study = name_study(tmp_path_factory.mktemp("names"))
    run(study)
    return study


def records(study: AskedStudy) -> Iterator[tuple[int, str, dict[str, object]]]:
    """The seed, the encoder and the rest of each piece."""
    for line in (study.out / "results.jsonl").read_text("utf-8").splitlines()[1:]:
        record = json.loads(line)
        yield record["key"][1], record["key"][2], record


def figures(study: AskedStudy) -> list[dict[str, str]]:
    with (study.out / "figures.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


TRAINED = {"BNE, option 2", "BNE, synonym loss alone", "paraphrase"}
LEXICAL = {"Jaccard", "word mover's distance"}


def test_every_encoder_has_its_figures(study: AskedStudy) -> None:
    rows = figures(study)
    of_task = {task: [row for row in rows if row["task"] == task] for task in dict.fromkeys(
        row["task"] for row in rows)}  # fmt: skip
    dense = {"untrained mean", *TRAINED}
    for task, encoders in {
        "retrieval": dense | LEXICAL,
        "normalisation": dense | LEXICAL,
        "coverage": dense,
        "relatedness": dense,
    }.items():
        assert {row["encoder"] for row in of_task[task]} == encoders
    assert {row["metric"] for row in of_task["coverage"]} == {
        f"coverage@{2**power}" for power in range(11)
    }
    assert all(float(row["low"]) <= float(row["value"]) <= float(row["high"]) for row in rows)


def test_coverage_has_a_corrected_p_where_the_table_shows_it(study: AskedStudy) -> None:
    trained = [row for row in figures(study) if row["encoder"] in TRAINED and row["p"]]
    of_coverage = [row for row in trained if row["task"] == "coverage"]
    shown = {str(4**power) for power in range(6)}
    assert shown < {row["data"] for row in of_coverage}
    for row in trained:
        is_shown = row["task"] != "coverage" or row["data"] in shown
        assert bool(row["p_corrected"]) == (is_shown and int(row["n"]) >= 10)
        assert not row["p_corrected"] or float(row["p_corrected"]) >= float(row["p"])


def test_figures_over_mentions_are_means_over_splits_of_known_mentions(study: AskedStudy) -> None:
    hits_by_encoder: dict[str, list[list[float]]] = {}
    for _, encoder, record in records(study):
        of_corpus = record["mentions"]["mentions Disease"]  # type: ignore[index]
        assert of_corpus["accuracy"][3] is None  # not in the dictionary
        assert of_corpus["inexact"][0] is None  # a name of it
        hits_by_encoder.setdefault(encoder, []).append(of_corpus["accuracy"][:3])
    assert {len(hits) for name, hits in hits_by_encoder.items() if name in LEXICAL} == {1}
    assert {len(hits) for name, hits in hits_by_encoder.items() if name not in LEXICAL} == {2}
    for row in figures(study):
        if row["task"] == "normalisation" and row["data"] == "mentions Disease":
            assert float(row["value"]) == pytest.approx(
                np.mean(hits_by_encoder[row["encoder"]]), abs=1e-6
            )
            assert int(row["n"]) == 3


def test_the_exact_match_rule_is_a_column_of_its_own(study: AskedStudy) -> None:
    values = {
        (row["encoder"], row["data"]): float(row["value"])
        for row in figures(study)
        if row["task"] == "normalisation"
    }
    for encoder in {encoder for encoder, _ in values}:
        assert values[encoder, "mentions Disease, XM"] >= values[encoder, "mentions Disease"]
    # two names of the concept that is meant, and a mention that another concept fits better
    assert values["Jaccard", "mentions Disease"] == pytest.approx(2 / 3)
    assert values["Jaccard", "mentions Disease, XM"] == pytest.approx(1)


def test_coverage_is_of_concepts_that_nobody_was_trained_on(study: AskedStudy) -> None:
    page = (study.out / "report.html").read_text("utf-8")
    assert "2 zero-shot concepts, 10 zero-shot mentions" in page
    for row in figures(study):
        if row["metric"] == "coverage@1024":
            assert (float(row["value"]), row["n"]) == (1, "20")  # all others are among so many


def test_the_page_tells_what_was_run_and_what_the_paper_has(study: AskedStudy) -> None:
    page = (study.out / "report.html").read_text("utf-8")
    assert "mentions Disease: 4 mentions, 3 of known concepts" in page
    assert "exact matches (XM) with mentions in training.pubtator" in page
    assert "Wieting et al. (2015)" in page
    assert "0.734" in page  # the paper's figures have three digits
    assert "http" not in page


def test_a_study_goes_on_where_it_was(study: AskedStudy) -> None:
    file = study.out / "results.jsonl"
    lines = file.read_text("utf-8").splitlines(keepends=True)
    before = figures(study)
    forget_tasks(study.out)
    file.write_text("".join(lines[:-1]), "utf-8")
    _, messages = run(study)
    assert {text.partition(" epoch")[0].strip(",") for text in messages if "split" in text} == {
        "toy 2026-01-01, paraphrase, split 2"
    }
    assert figures(study) == before


def test_names_and_concepts_with_vectors_of_their_own(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    name = tokenize("bacterial lung infection")
    lines = [
        AnnotatedLine([*name, *rng.permutation(["heart", "viral", "liver", "injury"])],
                      [Span(0, 3, "S:1")])
        for _ in range(30)
    ]  # fmt: skip
    corpus, vectors_folder = tmp_path / "corpus.txt", tmp_path / "made"
    write_marked_corpus(lines, "SGS.C", corpus)
    SkipGrams("SGS.C", dimension=8, epochs=1).fit(corpus, vectors_folder)
    run(name_study(tmp_path, vectors=str(vectors_folder), seeds=1, benchmarks=()))
    encoders = {encoder for _, encoder, _ in records(name_study(tmp_path))}
    own_encoders = {"own vectors of names", "BNE, option 1"}
    assert encoders == {"untrained mean", *own_encoders, *TRAINED, *LEXICAL}


def test_without_a_corpus_there_are_no_figures_over_mentions(tmp_path: Path) -> None:
    study = name_study(tmp_path, seeds=1, corpora=(), training=(), kinds=())
    report, _ = run(study)
    assert {figure["task"] for figure in report.figures} == {"coverage", "relatedness"}
    assert {figure["encoder"] for figure in report.figures} == {"untrained mean", *TRAINED}


def test_what_cannot_be_measured_is_said(tmp_path: Path) -> None:
    study = name_study(tmp_path, seeds=1)
    with pytest.raises(UserError, match="leave --root out"):
        run(replace(study, roots=("S:1",)))
    with pytest.raises(UserError, match="CG has no task on mentions"):
        run(replace(study, paper="CG", changes={}))
    with pytest.raises(UserError, match="--training and --kind"):
        run(replace(study, corpora=()))
    with pytest.raises(UserError, match="two corpora are called mentions"):
        run(replace(study, corpora=study.corpora * 2))
    with pytest.raises(UserError, match=r"gone\.pubtator: there is no such file"):
        run(replace(study, corpora=(tmp_path / "gone.pubtator",)))
    with pytest.raises(UserError, match="no mentions of Gene"):
        run(replace(study, kinds=("Gene",), out=tmp_path / "gene"))
    other = write_mentions(tmp_path / "other.pubtator", (("heart", "Disease", "X:1"),))
    with pytest.raises(UserError, match="none of their ids, such as X:1, is in it"):
        run(replace(study, corpora=(other,), out=tmp_path / "other"))


def test_vectors_of_whole_names_are_refused(tmp_path: Path) -> None:
    matrix, names, vectors_folder = (tmp_path / name for name in ("names.npy", "names.txt", "made"))
    np.save(matrix, np.eye(3, dtype=np.float32))
    names.write_text("lung\nheart\nliver\n", encoding="utf-8")
    convert(matrix, vectors_folder, names=names)
    with pytest.raises(UserError, match=r"made .* has no vectors of words"):
        run(name_study(tmp_path, vectors=str(vectors_folder)))


def test_the_command_takes_corpora(study: AskedStudy) -> None:
    words = ["replicate", "bne", "--out", str(study.out), "--vectors", study.vectors, "--json"]
    words += ["--ontology", study.ontologies[0], "--benchmarks", str(study.benchmarks[0])]
    words += ["--corpus", str(study.corpora[0]), "--training", str(study.training[0])]
    words += ["--kind", "Disease", "--seeds", "2"]
    words += [word for setting in SMALL.items() for word in ("--set", "{}={}".format(*setting))]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout)["figures"]
    for figure in figures:
        assert figure.keys() & SYNONYMS == set()
        assert figure.keys() <= WORDS.keys() | OWN_KEYS
        assert figure["metric"] == figure["metric"].lower()
    tasks = {figure["task"] for figure in figures}
    assert tasks == {"retrieval", "normalisation", "coverage", "relatedness"}
