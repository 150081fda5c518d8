"""`evaluate` on the command line: what its JSON says."""

import json
import shutil
from pathlib import Path

from program import called
from toy_workspace import LEXICAL, TRAINED, VECTORS, opened_copy

from termexplorer.workers.data.trained_names import trained_texts


def test_figures_say_level_and_split_and_runs_say_k(trained: Path, tmp_path: Path) -> None:
    workspace = shutil.copytree(trained, tmp_path / "workspace")

    def told(*words: str) -> dict[str, list[dict[str, object]]]:
        done = called(*words, "--json", "--workspace", workspace)
        answer: dict[str, list[dict[str, object]]] = json.loads(done.stdout)
        return answer

    encoders = ("--encoder", str(VECTORS), "--encoder", str(TRAINED))
    figures = told("evaluate", "hypernyms", *encoders)["figures"]
    assert {figure["encoder"] for figure in figures} == {VECTORS, TRAINED}
    assert {figure["split"] for figure in figures} == {1}
    for figure in figures:
        assert str(figure["data"]).startswith(f"level {figure['level']}: ")
    assert {1, 2} <= {figure["level"] for figure in figures}
    (run,) = told("run", "list")["runs"]
    request = run["request"]
    assert isinstance(request, dict)
    assert (run["encoder"], request["rule"]["shots"], request["seed"]) == (TRAINED, 5, 0)
    of_letters = told("evaluate", "coverage", "--ontology", "toy", "--encoder", str(LEXICAL))
    assert {figure["level"] for figure in of_letters["figures"]} == {None}


def test_pair_sets_of_a_folder_are_one_table_and_say_their_hardest_pairs(
    trained: Path, tmp_path: Path
) -> None:
    workspace = shutil.copytree(trained, tmp_path / "workspace")
    sets = tmp_path / "sets"
    sets.mkdir()
    rows = ["lung disease\tdisease of the lung\t1", "lung disease\theart tumour\t0"]
    rows += ["heart tumour\ttumour of the heart\t1", "skin tumour\theart disease\t0"]
    rows += [f"{name} tumour\ttumour of the {name}\t1" for name in ("lung", "skin")]
    rows += ["skin injury\tinjury of the skin\t1", "skin injury\tlung disease\t0"]
    rows += ["heart injury\tlung disease\t0", "lung tumour\tskin injury\t0"]
    for name, some in (("b-hard", rows), ("a-easy", rows[::-1])):
        text = "\n".join(["left\tright\tlabel", *some])
        (sets / f"{name}.tsv").write_text(text + "\n", encoding="utf-8")
    asked = ["evaluate", "pairs", "--pairs", str(sets), "--workspace", str(workspace)]
    asked += ["--encoder", str(LEXICAL), "--encoder", str(VECTORS), "--hardest", "1"]

    def run(*more: str) -> str:
        return called(*asked, *more).stdout

    answer = json.loads(run("--json"))
    figures = {(f["data"], f["encoder"], f["metric"]): f["value"] for f in answer["figures"]}
    assert len(figures) == 8
    assert figures["a-easy", LEXICAL, "auc"] == 1
    assert {figure["n"] for figure in answer["figures"]} == {len(rows)} == {10}
    assert [(d["data"], d["metric"], d["test"]) for d in answer["differences"]] == [
        (name, metric, test)
        for name in ("a-easy", "b-hard")
        for metric, test in (("auc", "DeLong"), ("accuracy", "McNemar"))
    ]
    assert len(answer["hardest"]) == 8
    assert set(answer["hardest"][0]["similarities"]) == {str(LEXICAL), str(VECTORS)}
    lines = run().splitlines()
    assert [line.split()[0] for line in lines[:5]] == ["set", *["a-easy"] * 2, *["b-hard"] * 2]
    assert sum(line.startswith("hardest for") for line in lines) == 2


def test_figures_below_the_best_by_more_than_chance_are_marked(
    trained: Path, tmp_path: Path
) -> None:
    workspace = shutil.copytree(trained, tmp_path / "workspace")
    asked = ["evaluate", "synonyms", "--ontology", "toy", "--workspace", str(workspace)]
    asked += ["--encoder", str(LEXICAL), "--encoder", str(VECTORS)]
    differences = json.loads(called(*asked, "--json").stdout)["differences"]
    assert {difference["metric"] for difference in differences} == {"map", "accuracy", "mrr"}
    shown = [difference for difference in differences if difference["significant"]]
    assert 0 < len(shown) < len(differences)
    lines = called(*asked).stdout.splitlines()
    legend = (
        "  ▼ worse than the best by more than chance (p < .05 after Holm over 3 tests; "
        "tested: mAP, accuracy, MRR)"
    )
    assert lines.count(legend) == len({evaluation["task"] for evaluation in shown})
    assert sum(line.count("▼") for line in lines if line != legend) == len(shown)


def test_pair_sets_say_how_many_of_their_terms_were_trained_on(
    trained: Path, tmp_path: Path
) -> None:
    with opened_copy(trained, tmp_path) as workspace, workspace.store.reading() as connection:
        first, second, *_ = sorted(trained_texts(connection, [TRAINED]))
    sets = tmp_path / "known.tsv"
    rows = ("left\tright\tlabel", f"{first}\t{second}\t1", f"{first}\theart heart heart\t0")
    sets.write_text("\n".join(rows) + "\n", encoding="utf-8")
    asked = ["evaluate", "pairs", "--pairs", str(sets), "--workspace", str(workspace.folder)]
    output = called(*asked, "--encoder", str(TRAINED), "--encoder", str(VECTORS)).stdout
    (line,) = (line for line in output.splitlines() if "was trained on" in line)
    assert line.endswith(f"#{TRAINED} was trained on 67% of these names")


def test_what_tables_say_below_them_is_in_the_json_as_well(trained: Path, tmp_path: Path) -> None:
    workspace = shutil.copytree(trained, tmp_path / "workspace")
    constant = tmp_path / "constant.tsv"
    rows = ["left\tright\tscore", "lung disease\theart disease\t1", "heart tumour\tlung tumour\t1"]
    rows.append("lung tumour\tlung disease\t1")
    constant.write_text("\n".join(rows) + "\n", encoding="utf-8")
    asked = ["evaluate", "relatedness", "--pairs", str(constant), "--workspace", str(workspace)]
    answer = json.loads(called(*asked, "--encoder", str(VECTORS), "--json").stdout)
    assert answer["figures"] == []
    (about,) = answer["evaluations"]
    assert (about["task"], about["level"]) == ("relatedness", None)
    assert any("no correlation is defined" in note for note in about["notes"])
    assert about["conclusion"] == "No figure is defined on these data."

    asked = ["evaluate", "synonyms", "--ontology", "toy", "--workspace", str(workspace)]
    answer = json.loads(called(*asked, "--encoder", str(TRAINED), "--json").stdout)
    shares = [share for about in answer["evaluations"] for share in about["trained_on"]]
    assert shares
    assert all(share["encoder"] == TRAINED and 0 < share["share"] <= 1 for share in shares)


def test_what_a_task_does_not_use_is_told_and_refuses_nothing(
    trained: Path, tmp_path: Path
) -> None:
    workspace = shutil.copytree(trained, tmp_path / "workspace")
    pairs = tmp_path / "pairs.tsv"
    rows = ["left\tright\tscore", "lung disease\theart disease\t1", "lung tumour\tlung disease\t3"]
    pairs.write_text("\n".join([*rows, "heart tumour\tlung tumour\t2"]) + "\n", encoding="utf-8")
    asked = ["evaluate", "relatedness", "--pairs", str(pairs), "--encoder", str(LEXICAL)]
    unused = ["--ontology", "99", "--split", "99", "--corpus", str(pairs), "--no-composites"]
    done = called(*asked, *unused, "--workspace", str(workspace))
    message = "relatedness does not use --corpus, --no-composites, --ontology, --split"
    assert done.stderr.splitlines()[0] == message
    assert "weights are of the terms of this set" in done.stdout


def test_the_matrix_shows_and_writes_what_is_stored(trained: Path, tmp_path: Path) -> None:
    workspace = shutil.copytree(trained, tmp_path / "workspace")
    workspace_option = ("--workspace", str(workspace))
    for task in ("ranking", "coverage"):
        encoders = ("--encoder", str(VECTORS), "--encoder", str(TRAINED))
        called("evaluate", task, "--ontology", "toy", *encoders, *workspace_option)
    for name in ("matrix.xlsx", "matrix.csv", "matrix.tex", "matrix.html"):
        done = called("evaluate", "--matrix", "--out", str(tmp_path / name), *workspace_option)
        assert done.stdout.splitlines()[-1] == f"written to {tmp_path / name}"
        assert (tmp_path / name).stat().st_size > 0
    answer = json.loads(called("evaluate", "--matrix", "--json", *workspace_option).stdout)
    assert {column["task"] for column in answer["columns"]} == {"ranking", "coverage"}
    assert {row["encoder"] for row in answer["encoders"]} >= {VECTORS, TRAINED}
    asked = (
        "evaluate",
        "coverage",
        "--matrix",
        "--encoder",
        str(TRAINED),
        "--json",
        *workspace_option,
    )
    answer = json.loads(called(*asked).stdout)
    assert [column["task"] for column in answer["columns"]] == ["coverage"]
    assert [row["encoder"] for row in answer["encoders"]] == [TRAINED]


def test_a_set_of_which_other_pairs_count_stands_once(trained: Path, tmp_path: Path) -> None:
    workspace_option = ("--workspace", shutil.copytree(trained, tmp_path / "workspace"))
    organs = ("lung", "heart", "skin", "kidney")
    rows = [f"{a} tumour\t{b} injury\t{int(a == b)}" for a in organs for b in organs]
    pairs = tmp_path / "pairs.tsv"
    rows += ["qzx\txqz\t0"]
    pairs.write_text("\n".join(["left\tright\tlabel", *rows]) + "\n", encoding="utf-8")
    for encoders in ((LEXICAL, VECTORS), (LEXICAL,)):
        asked = [word for encoder in encoders for word in ("--encoder", str(encoder))]
        called("evaluate", "pairs", "--pairs", str(pairs), *asked, *workspace_option)

    def told(*words: str) -> dict[str, object]:
        answer = json.loads(
            called("evaluate", "pairs", "--matrix", "--json", *words, *workspace_option).stdout
        )
        (column,) = answer["columns"]
        return {"n": column["n"], "family": answer["family"], "not_shown": answer["not_shown"]}

    assert told() == {"n": 16, "family": 1, "not_shown": 1}
    assert told("--encoder", str(LEXICAL)) == {"n": 17, "family": 0, "not_shown": 1}


def test_the_kind_of_matrix_file_is_checked_first(trained: Path, tmp_path: Path) -> None:
    workspace = shutil.copytree(trained, tmp_path / "workspace")
    for name, why in (("matrix.pdf", ".tex"), ("gone/matrix.tex", "no folder")):
        asked = ("evaluate", "--matrix", "--out", str(tmp_path / name))
        done = called(*asked, "--workspace", workspace)
        assert done.returncode == 1
        assert why in done.stderr
