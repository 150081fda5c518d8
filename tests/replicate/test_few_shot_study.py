"""[FSL] on a toy ontology: what is written, and that a study goes on where it was."""

import csv
import json
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from replicate_toy import forget_tasks, run, toy_study, write_deep, write_other
from scipy.stats import spearmanr
from toy_ontology import HEADER, KINDS, ORGANS, stanza, toy_obo
from toy_workspace import VECTORS
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.replicate.studies import AskedStudy
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.trainer.evaluation.comparison import holm
from termexplorer.workspace import Workspace


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> AskedStudy:
    """A finished study of two ontologies."""
    folder = tmp_path_factory.mktemp("study")
    study = toy_study(folder, "FSL")
    study = replace(study, ontologies=(*study.ontologies, str(write_other(folder))))
    run(study)
    return study


def records(study: AskedStudy) -> list[dict[str, object]]:
    lines = (study.out / "results.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines[1:]]


def test_every_encoder_is_measured_alone_and_in_turn(study: AskedStudy) -> None:
    with (study.out / "figures.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    encoders = [row["encoder"] for row in rows]
    first, second = "toy 2026-01-01", "other 2026-01-01"
    assert encoders == [
        "untrained mean",
        first,
        second,
        f"{first} → {second}",
        f"{second} → {first}",
    ]
    scores = [4, 1, 3, 3.5, 2]
    for row in rows:
        samples = [
            spearmanr(record["similarities"]["pairs"], scores).statistic  # type: ignore[index]
            for record in records(study)
            if record["key"][0] == row["encoder"].replace(" mean", "")  # type: ignore[index]
        ]
        assert len(samples) == int(row["samples"])
        assert float(row["value"]) == pytest.approx(sum(samples) / len(samples))
        assert float(row["low"]) <= float(row["value"]) <= float(row["high"])


def test_gains_have_the_p_that_marks_are_made_by_where_the_table_shows_them(
    study: AskedStudy, tmp_path: Path
) -> None:
    pairs = tmp_path / "twelve.tsv"
    names = [f"{organ} {kind}" for organ in ORGANS[:4] for kind in KINDS[:3]]
    lines = [f"{name}\t{names[0]}\t{n * 7 % 5}" for n, name in enumerate(names)]
    pairs.write_text("\n".join(("left\tright\tscore", *lines)) + "\n", encoding="utf-8")
    few = {row["gain_p_corrected"] for row in run(study)[0].figures if row["shots"]}
    assert few == {None}  # five pairs are not tested
    for shots in ((3,), (2, 3)):
        variant = toy_study(tmp_path, "FSL", seeds=1, shots=shots, benchmarks=(pairs,))
        variant = replace(variant, out=tmp_path / f"out {len(shots)}")
        report, _ = run(variant)
        figures_by_shots = {k: [x for x in report.figures if x["shots"] == k] for k in (0, 2, 3)}
        assert not any("gain_p_corrected" in row for row in figures_by_shots[0])
        assert all(row["gain_p_corrected"] is None for row in figures_by_shots[2])
        p = [row["gain_p"] for row in figures_by_shots[3]]
        assert [row["gain_p_corrected"] for row in figures_by_shots[3]] == holm(p).tolist()
        with (variant.out / "figures.csv").open(encoding="utf-8", newline="") as file:
            written = [row["gain_p_corrected"] for row in csv.DictReader(file)]
        assert sum(text != "" for text in written) == len(p)


def test_the_page_needs_nothing_from_outside(study: AskedStudy) -> None:
    page = (study.out / "report.html").read_text("utf-8")
    assert "toy 2026-01-01 → other 2026-01-01" in page
    assert "names a class; 0 is the untrained mean</text>" in page
    assert "<figcaption>Spearman&#39;s correlation with pairs</figcaption>" in page
    assert "bars their 95 % intervals over pairs" in page
    assert "<svg" in page
    assert "http" not in page
    assert "<script" not in page
    assert "SNOMED CT → ICD-10" in page  # the paper's own row


def test_a_killed_study_goes_on_and_comes_to_the_same(study: AskedStudy, tmp_path: Path) -> None:
    before = records(study)
    file = study.out / "results.jsonl"
    lines = file.read_text("utf-8").splitlines(keepends=True)
    forget_tasks(study.out)
    file.write_text("".join(lines[:-2]) + lines[-2][:40], "utf-8")  # died while writing
    _, messages = run(study)
    again = [text for text in messages if "sample" in text]
    assert all("sample 2" in text for text in again)
    after = records(study)
    strip = [({**record, "facts": None}) for record in before]
    assert [({**record, "facts": None}) for record in after] == strip
    _, messages = run(study)
    assert not [text for text in messages if "sample" in text]


def test_another_study_is_not_mixed_in(study: AskedStudy) -> None:
    with pytest.raises(UserError, match="another --out"):
        run(replace(study, changes={"hidden": 8, "maximum_epochs": 2}))


def test_two_known_pairs_show_no_correlation(tmp_path: Path) -> None:
    pairs = tmp_path / "two.tsv"
    lines = ("left\tright\tscore", "lung\theart\t1", "lung\tliver\t3", "xyzzy\tlung\t2")
    pairs.write_text("\n".join(lines) + "\n", encoding="utf-8")
    study = toy_study(tmp_path, "FSL")
    report, _ = run(replace(study, benchmarks=(pairs, *study.benchmarks)))
    of_two = [figure for figure in report.figures if figure["data"] == "two"]
    assert {(row["n"], row["value"]) for row in of_two} == {(2, None)}
    with (study.out / "samples.csv").open(encoding="utf-8", newline="") as file:
        samples = [row["spearman"] for row in csv.DictReader(file) if row["data"] == "two"]
    assert samples == ["", ""]
    page = (study.out / "report.html").read_text("utf-8")
    assert "1 undefined: fewer than 3 pairs are known" in page
    assert page.count(">two<small>n = 2 of 3</small></th>") == 2  # figures and gains
    assert "Spearman&#39;s correlation with two, 2 of 3 pairs: no figure is defined" in page
    assert "<figcaption>Spearman&#39;s correlation with pairs</figcaption>" in page


def test_classes_of_fewer_names_than_asked_for_are_told(tmp_path: Path) -> None:
    stanzas = [stanza("F:0", "disease"), stanza("F:1", "lung disease", "F:0")]
    stanzas += [stanza("F:2", "heart disease", "F:0"), stanza("F:3", "liver disease", "F:0")]
    stanzas += [stanza(f"F:1{n}", f"lung infection {n}", "F:1") for n in range(9)]
    stanzas += [stanza(f"F:2{n}", f"heart infection {n}", "F:2") for n in range(2)]
    # of several classes, so that no sample takes it, and a class without names is no class
    stanzas.append(stanza("F:30", "lung and liver tumour", "F:1") + "is_a: F:3\n")
    path = tmp_path / "few.obo"
    path.write_text(HEADER + "\n" + "\n".join(stanzas), encoding="utf-8")
    study = toy_study(tmp_path, "FSL", seeds=1, ontologies=(str(path),))
    run(study)
    page = (study.out / "report.html").read_text("utf-8")
    message = (
        "toy 2026-01-01, 3 names a class: 1 of 2 classes have fewer training names (fewest 2), "
        "1 of 2 classes have fewer validation names (fewest 0)."
    )
    assert page.count(message) == 2  # beside the table and the curves
    assert "<p>2: F:1 lung disease; F:2 heart disease.</p>" in page
    assert "F:3" not in page.split("<h2>Classes</h2>")[1]


def test_the_page_tells_the_level_of_the_classes(tmp_path: Path) -> None:
    study = toy_study(tmp_path, "FSL", seeds=1)
    run(replace(study, ontologies=(str(write_deep(tmp_path)), *study.ontologies)))
    classes = (study.out / "report.html").read_text("utf-8").split("<h2>Classes</h2>")[1]
    # there are 3, 6, 12 and 24 classes on the levels of one, and 4, 12 and 72 of the other
    message = (
        "toy 2026-01-01 (deep.obo): level 4; toy 2026-01-01 (toy.obo): level 3. Learned are the"
    )
    assert classes.startswith(f"<p>{message} 21 largest classes of the highest level with as many")


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    study = toy_study(tmp_path, "FSL")
    with pytest.raises(UserError, match=r"none\.tsv: there is no such file"):
        run(replace(study, benchmarks=(tmp_path / "none.tsv",)))
    with pytest.raises(UserError, match="--benchmarks"):
        run(replace(study, benchmarks=()))
    with pytest.raises(UserError, match="there is no protocol XYZ"):
        run(replace(study, paper="XYZ"))
    with pytest.raises(UserError, match="--vectors"):
        run(replace(study, vectors=""))
    assert not study.out.exists()  # nothing is imported before all is named
    spoiled = tmp_path / "spoiled.tsv"
    spoiled.write_text("term\tother\tscore\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"spoiled\.tsv"):
        run(replace(study, benchmarks=(spoiled,)))
    assert not (study.out / "tasks.sqlite").exists()  # other files may be named in the same folder


def test_a_root_that_is_nowhere_is_said_before_vectors_are_trained(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("a text of few words", encoding="utf-8")
    study = replace(toy_study(tmp_path, "FSL"), vectors="", texts=(text,), roots=("TOY:404",))
    with pytest.raises(UserError, match="both say which vectors to use"):
        run(replace(study, vectors="toy.vec"))
    with pytest.raises(UserError, match="name word vectors by --vectors, or a text"):
        run(replace(study, texts=()))
    with pytest.raises(UserError, match="TOY:404 is in none"):
        run(study)
    with closing(Workspace(study.out / "workspace")) as workspace:
        assert not [encoder for encoder in list_encoders(workspace) if encoder.method == "fasttext"]


def test_the_command_prints_one_json_object_or_a_table_that_tells_rows_apart(
    study: AskedStudy,
) -> None:
    words = ["replicate", "fsl", "--out", str(study.out), "--vectors", study.vectors]
    words += ["--benchmarks", str(study.benchmarks[0]), "--shots", "3", "--seeds", "2"]
    words += [word for path in study.ontologies for word in ("--ontology", path)]
    words += ["--set", "hidden=16", "--set", "maximum_epochs=2"]
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == 0, done.output
    printed = json.loads(done.stdout)
    assert Path(printed["file"]) == study.out / "report.html"
    assert {figure["metric"] for figure in printed["figures"]} == {"spearman"}
    output = CliRunner().invoke(app, words).stdout.splitlines()  # what is there is not done again
    assert output[0].split()[:3] == ["shots", "encoder", "data"]
    assert [int(row.split()[0]) for row in output[1:-1]] == [
        figure["shots"] for figure in printed["figures"]
    ]


def test_ontologies_and_vectors_of_a_workspace(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = shutil.copytree(toy, tmp_path / "workspace")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toy").write_text("a file that is called as the terminology is", encoding="utf-8")
    study = toy_study(tmp_path, "FSL", seeds=1, workspace=workspace, ontologies=("toy",))
    report, _ = run(replace(study, vectors=str(VECTORS)))
    assert {figure["encoder"] for figure in report.figures} == {"untrained mean", "toy 2026-01-01"}
    assert not (study.out / "workspace").exists()


def test_a_file_is_imported_into_the_workspace_once(toy: Path, tmp_path: Path) -> None:
    workspace = shutil.copytree(toy, tmp_path / "workspace")
    study = toy_study(tmp_path, "FSL", seeds=1, workspace=workspace)
    text = toy_obo().replace("ontology: toy", "ontology: other")
    other = tmp_path / "other.obo"
    other.write_text(text, encoding="utf-8")
    words = ["replicate", "fsl", "--out", str(study.out), "--vectors", study.vectors]
    words += ["--benchmarks", str(study.benchmarks[0]), "--shots", "3", "--seeds", "1"]
    words += ["--ontology", "toy", "--ontology", str(other), "--workspace", str(workspace)]
    words += ["--set", "hidden=16", "--set", "maximum_epochs=2", "--json"]
    for _ in range(2):
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
        encoders = {figure["encoder_title"] for figure in json.loads(done.stdout)["figures"]}
        assert {"toy 2026-01-01", "other 2026-01-01"} <= encoders
    opened_workspace = Workspace(workspace)
    assert [ontology.terminology for ontology in list_ontologies(opened_workspace)] == [
        "toy",
        "other",
    ]
    opened_workspace.close()
    missing = replace(study, ontologies=(str(tmp_path / "none.obo"),))
    with pytest.raises(UserError, match=r"there is no ontology .*none\.obo"):
        run(missing)
