"""The commands `train RECIPE`: one for each recipe, with what it learns from as options."""

import json
import shutil
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from program import called
from toy_ontology import stanza
from toy_workspace import VECTORS

from termexplorer.services.levels.concept_lists import add_to_list
from termexplorer.services.recipes.presets import RECIPES
from termexplorer.workspace import Workspace

Call = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def call(toy: Path, tmp_path: Path) -> Call:
    """Runs the program on a copy of the toy workspace."""
    workspace = shutil.copytree(toy, tmp_path / "workspace")

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        return called("--workspace", workspace, *words)

    return run


def test_each_recipe_is_a_command_in_its_group(call: Call) -> None:
    shown = call("train", "--help").stdout
    assert all(f" {name} " in shown for name in RECIPES)
    assert all(listed.group in shown for listed in RECIPES.values())
    assert "--level" in call("train", "dan", "--help").stdout
    assert "--level" not in call("train", "bne", "--help").stdout


def test_a_level_that_is_not_there_is_refused_before_a_run_waits(
    call: Call, tmp_path: Path
) -> None:
    beneath = ("--vectors", str(VECTORS))
    for words in (
        ("few-shot", "--ontology", "toy", "--level", "9"),
        ("recommended", "--ontology", "toy", "--classes-of", "toy", "--level", "9"),
    ):
        done = call("train", *words, *beneath)
        assert done.returncode == 1
        assert "There is no level 9 here; choose one from 1 to 5" in done.stderr
    flat = tmp_path / "flat.obo"
    terms = "\n".join(stanza(f"F:{n}", f"name {n}", "F:0" if n else "") for n in range(3))
    flat.write_text(f"format-version: 1.2\nontology: flat\n\n{terms}", encoding="utf-8")
    assert call("import", str(flat)).returncode == 0
    done = call("train", "dan", "--ontology", "flat", "--level", "1", *beneath)
    assert done.returncode == 1
    assert "nothing is below level 1, the only one" in done.stderr
    assert json.loads(call("run", "list", "--json").stdout) == {"runs": []}


def test_a_run_without_test_names_says_so(call: Call) -> None:
    words = ("--ontology", "toy", "--level", "1", "--vectors", str(VECTORS), "--shots", "115")
    output = call("train", "few-shot", *words, "--set", "maximum_epochs=1").stdout
    assert "no name is held out for test, so that there are no figures" in output


def test_hyper_parameters_are_set_by_name(call: Call) -> None:
    done = call(
        "train", "few-shot", "--ontology", "toy", "--level", "1", "--vectors", str(VECTORS),
        *("--shots", "4", "--set", "hidden=16", "--set", "hinge=batch-mean"),
        *("--set", "maximum_epochs=2", "--set", "minimum_epochs=1", "--json"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)["card"]["hyperparameters"]
    assert (answer["hidden"], answer["hinge"], answer["maximum_epochs"]) == (16, "batch-mean", 2)


def test_a_run_builds_on_the_built_in_encoder_unless_another_is_named(call: Call) -> None:
    few = ("--shots", "4", "--set", "maximum_epochs=1", "--set", "hidden=16", "--json")
    done = call("train", "few-shot", "--ontology", "toy", "--level", "1", *few)
    assert done.returncode == 0, done.stderr
    encoders = json.loads(call("encoder", "list", "--json").stdout)["encoders"]
    titles = {encoder["encoder"]: encoder["title"] for encoder in encoders}
    assert titles[json.loads(done.stdout)["vectors"]] == "Built-in"
    assert "built-in" in call("train", "dan", "--help").stdout
    named = ("--vectors", str(VECTORS), *few[:-1])
    beside = call("train", "few-shot", "--ontology", "toy", "--level", "1", *named)
    (gain,) = [line for line in beside.stdout.splitlines() if line.startswith("ranking, mAP")]
    for baseline in ("Built-in #", f"#{VECTORS} (", "TF-IDF #"):
        assert baseline in gain  # also where the built-in encoder is not what it builds on
    assert gain in call("run", "show", "2").stdout


def test_a_finished_run_is_not_gone_on_with(call: Call) -> None:
    words = ("--ontology", "toy", "--level", "1", "--vectors", str(VECTORS), "--shots", "4")
    assert call("train", "few-shot", *words, "--set", "maximum_epochs=1").returncode == 0
    done = call("run", "resume", "1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "termexplorer: run 1 has nothing to go on with: its status is finished; begin a new run\n"
    )


def test_a_run_is_removed_with_its_encoder_once_somebody_says_so(call: Call) -> None:
    words = ("train", "few-shot", "--ontology", "toy", "--level", "1", "--shots", "4")
    few = ("--set", "maximum_epochs=1", "--json")
    below = json.loads(call(*words, "--vectors", str(VECTORS), *few).stdout)["encoder"]
    above = json.loads(call(*words, "--vectors", str(below), *few).stdout)["encoder"]
    for command in (("encoder", "remove", str(above), "--yes"), ("run", "remove", "1", "--yes")):
        done = call(*command)
        assert (done.returncode, done.stdout) == (1, "")
    assert f"encoder {below} is the input of run 2; remove that run first" in done.stderr
    assert call("run", "remove", "2").returncode == 1  # nobody is there to say yes
    assert len(json.loads(call("run", "list", "--json").stdout)["runs"]) == 2
    for run in ("2", "1"):
        assert f"run {run} is removed" in call("run", "remove", run, "--yes").stdout
    assert json.loads(call("run", "list", "--json").stdout) == {"runs": []}
    left = json.loads(call("encoder", "list", "--json").stdout)["encoders"]
    assert {below, above}.isdisjoint(encoder["encoder"] for encoder in left)


def test_a_device_that_is_not_there_is_refused_before_a_run_is_added(call: Call) -> None:
    words = ("--ontology", "toy", "--vectors", str(VECTORS), "--device", "banana")
    for more in (("few-shot", "--level", "1"), ("sif",), ("recommended",)):
        done = call("train", *more, *words)
        assert (done.returncode, done.stdout) == (1, "")
        message = "termexplorer: there is no device banana here; choose one of auto, cpu"
        assert done.stderr.startswith(message)
        assert len(done.stderr.splitlines()) == 1
    assert json.loads(call("run", "list", "--json").stdout) == {"runs": []}


def test_a_run_that_ctrl_c_ends_is_told_how_to_go_on(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(*_: object) -> None:
        raise KeyboardInterrupt

    words = (
        *("train", "few-shot", "--ontology", "toy", "--level", "1", "--vectors", str(VECTORS)),
        *("--shots", "4", "--set", "maximum_epochs=1"),
    )
    with monkeypatch.context() as patched:
        patched.setattr("termexplorer.services.train.training.supervise", press)
        done = call(*words)
        assert (done.returncode, done.stdout) == (130, "")
        message = "run 1 was interrupted; `termexplorer run resume 1` goes on with it"
        assert done.stderr == f"termexplorer: {message}\n"
        done = call(*words, "--search-hidden")
        assert (done.returncode, done.stdout) == (130, "")
        assert "series/1` goes on with them" in done.stderr
    runs = json.loads(call("run", "list", "--json").stdout)["runs"]
    assert [run["status"] for run in runs] == ["interrupted"] * 2
    assert "run 1 finished" in call("run", "resume", "1").stdout
    monkeypatch.setattr("termexplorer.cli.train.runs.list_runs", press)
    done = call("run", "list")
    assert (done.returncode, done.stderr) == (130, "termexplorer: stopped\n")


def test_a_search_for_hidden_units_tells_of_the_best_run(call: Call) -> None:
    words = (
        "train", "few-shot", "--ontology", "toy", "--level", "1", "--vectors", str(VECTORS),
        *("--shots", "4", "--search-hidden", "--set", "maximum_epochs=1"),
    )  # fmt: skip
    done = call(*words, "--largest-hidden", "1200", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert [trial["hidden"] for trial in answer["search"]] == [600, 1200]
    best = min(answer["search"], key=lambda trial: trial["validation"])
    assert answer["run"] == best["run"]
    assert answer["card"]["hyperparameters"]["hidden"] == best["hidden"]
    plain = call(*words, "--largest-hidden", "600")
    assert "hidden units" in plain.stdout
    assert f"run {max(trial['run'] for trial in answer['search']) + 1} finished" in plain.stdout
    assert "allow at least as many" in call(*words, "--largest-hidden", "10").stderr
    assert call(*[word for word in words if word != "--search-hidden"], "--prepare").returncode == 2


def test_what_cannot_be_set_or_trained_is_one_line(call: Call) -> None:
    words = ("train", "cca", "--ontology", "toy", "--vectors", str(VECTORS))
    for more, message in (
        (("--set", "hidden=3"), "cca has no hyper-parameter 'hidden'; it has power"),
        (("--set", "power=strong"), "power must be like 0.0, not 'strong'"),
        (("--preset", "slow"), "no preset 'slow'"),
        ((), "no class has two names to train on"),  # each concept of the toy has two at most
        (("--groups", "ICD10CM"), "no concept of this ontology refers to 'ICD10CM'"),
        (("--root", "TOY:777"), "has no concept 'TOY:777'"),
    ):
        done = call(*words, *more)
        assert done.returncode == 1, done.stderr
        assert message in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


def test_a_kept_list_is_a_class_besides_those_of_the_level(call: Call, tmp_path: Path) -> None:
    with closing(Workspace(tmp_path / "workspace")) as workspace:
        add_to_list(workspace, "mine", 1, [f"TOY:{number}" for number in range(3, 20)])
        add_to_list(workspace, "small", 1, ["TOY:30"])
    words = (
        *("train", "few-shot", "--ontology", "toy", "--level", "1", "--vectors", str(VECTORS)),
        *("--shots", "4", "--set", "hidden=16", "--set", "maximum_epochs=2"),
    )
    done = call(*words, "--class-list", "mine", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert list(answer["card"]["class_lists"]) == ["mine"]
    assert [class_list["title"] for class_list in answer["request"]["class_lists"]] == ["mine"]
    assert "class lists\n  mine: " in call("run", "show", str(answer["run"])).stdout
    for titles, message in (
        (("yours",), "there is no list yours; with names in this ontology there are mine, small"),
        (("mine", "mine"), "the list mine is named twice; name each once"),
        (("small",), "the list small has "),
    ):
        lists = [word for title in titles for word in ("--class-list", title)]
        done = call(*words, *lists)
        assert (done.returncode, done.stdout) == (1, "")
        assert message in done.stderr
    assert call("train", "dan", *words[2:], "--class-list", "mine").returncode == 2
