"""One vocabulary: every command's `--json`, and its tables, say the same thing by the same key."""

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from json_keys import KEPT_DOCUMENTS, KEYED_BY_DATA, OWN_KEYS
from program import called
from toy_ontology import toy_obo, write_synonyms
from toy_reviews import BEN as CURATOR
from toy_reviews import keep, say, suggested
from toy_studies import ANNA, BEN, answer_all, make, write_set
from toy_workspace import load, opened_copy

from termexplorer.bench.figure import BenchFigure
from termexplorer.cli.bench import figures_object
from termexplorer.cli.json_words import FIELD_WORDS, SYNONYMS, WORDS
from termexplorer.cli.table_files import TABLE_COMMANDS
from termexplorer.services.studies.judging import Judging

COMMANDS = """
import toy.obo --look
import toy.obo --dry-run
ontology list
ontology show 1
ontology export toy --out n.csv
search lung
levels --ontology 1
diff 1 2
run list
run show 1
encoder list
encoder show 5
vectors word-movers --encoder 5
rank neighbours "lung disease" --encoder 5 --ontology 1 --top 2
rank hypernyms "viral lung tumour" --encoder 5 --ontology 1 --level 1 --top 2
compare --task hypernyms --level 1 --ontology 1 --encoder 1 --encoder 5 --top 2
evaluate hypernyms --ontology 1 --encoder 1 --encoder 5
evaluate pairs --pairs pairs --encoder 1 --encoder 5 --hardest 2
evaluate --matrix
evaluation list
project --ontology 1 --encoder 5 --method pca --out map.csv
map list
suggest mappings --ontology 1 --to 3 --encoder 1
suggest names --ontology 3 --encoder 1
suggest duplicates --ontology 3 --encoder 1
suggestion list
suggestion export 1 --out s.csv
pairs make --ontology 3 --out made --negatives random
pairs from-suggestions 1 --out f.tsv
study new --pairs pairs --title T --annotator Anna --each 2 --practice 0
study rename 1 --title U
study add-annotator 1 --annotator Cleo
study pairs 1
study export 1 --annotator Ben --out b.termstudy
study list
study show
study keys
study agreement 1
study adjudicate 1 --which judged --list --verdicts
study verdicts 1 --not-judging --out v.csv
verdicts check
verdicts export --out v2.csv
workspace check --quick
workspace backup
backup list
""".strip().splitlines()
NUMBERED = {"encoder", "list", "ontology", "other_encoder", "pair", "rank", "run", "study"}
TEXTS = {"concept", "file", "folder", "metric", "name", "other_concept", "other_name", "set"}
# titles that name what is in the column: encoders, annotators, metrics
OF_DATA = re.compile(r"(rank|rbo with) #\d+")


@pytest.fixture(scope="module")
def folder(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a workspace that has some of everything."""
    folder = tmp_path_factory.mktemp("words")
    with opened_copy(trained, folder) as workspace:
        newer = folder / "newer.obo"
        newer.write_text(toy_obo().replace("name: heart tumour", "name: tumour of the heart"))
        load(workspace, newer)
        load(workspace, write_synonyms(folder), terminology="synonyms")
        asked = suggested("TOY:1", "TOY:2")
        keep(workspace, [asked])
        say(workspace, CURATOR, asked, "correct")
        study_id = make(workspace)
        answer_all(Judging(workspace, study_id, ANNA))
        answer_all(Judging(workspace, study_id, BEN), lambda _place: "not same")
    (folder / "toy.obo").write_text(toy_obo(), "utf-8")
    (folder / "pairs").mkdir()
    write_set(folder / "pairs", "one", 6, 6)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for words in ("evaluate coverage --ontology 1 --encoder 5", "workspace backup"):
            assert run(words, folder).returncode == 0
        assert run("project --ontology 1 --encoder 5 --method pca --out m.csv", folder) is not None
        yield folder
    shutil.rmtree(folder)


def run(line: str, folder: Path, *more: str) -> Any:
    return called(*shlex.split(line), *more, "--workspace", folder / "workspace")


def list_keys(value: Any, *, is_document: bool = False) -> Iterator[tuple[str, Any, bool]]:
    """Every key of an object with its value, and whether it is in a kept document."""
    if isinstance(value, list):
        for item in value:
            yield from list_keys(item, is_document=is_document)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if not key.isdecimal():  # those are ids, or values of k
                yield key, inner, is_document
            if isinstance(inner, dict) and key in KEYED_BY_DATA:
                for item in inner.values():
                    yield from list_keys(item, is_document=is_document)
            else:
                yield from list_keys(inner, is_document=is_document or key in KEPT_DOCUMENTS)


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_says_the_same_things_by_the_same_keys(line: str, folder: Path) -> None:
    done = run(line, folder, "--json")
    assert done.returncode == 0, done.stderr
    keys = list(list_keys(json.loads(done.stdout)))
    assert keys
    assert {key for key, _, _ in keys} & SYNONYMS == set()
    assert {key for key, _, is_kept in keys if not is_kept} - WORDS.keys() - OWN_KEYS == set()
    for key, value, is_kept in keys:
        if not is_kept and key in NUMBERED:
            assert value is None or isinstance(value, int), (key, value)
        if not is_kept and key in TEXTS:
            assert value is None or isinstance(value, str), (key, value)
        if key == "metric":
            assert value == value.lower()


@pytest.mark.parametrize(
    "line",
    [
        line
        for line in COMMANDS
        if any(line.startswith(name) for name in TABLE_COMMANDS)
        and not line.startswith("study agreement")  # whose columns are metrics and raters
    ],
)
def test_a_table_has_the_same_words_as_titles(line: str, folder: Path, tmp_path: Path) -> None:
    more = ("--seed", "1") if line.startswith("study new") else ()  # no study is made twice
    done = run(line, folder, *more, "--out", str(tmp_path / "t.jsonl"))
    assert done.returncode == 0, done.stderr
    titles = {
        title
        for path in tmp_path.glob("t*.jsonl")
        for line in path.read_text("utf-8").splitlines()
        for title in json.loads(line)
        if not OF_DATA.fullmatch(title)
    }
    keys = {title.replace(" ", "_").replace("-", "_") for title in titles}
    assert keys & SYNONYMS == set()
    assert keys - WORDS.keys() - OWN_KEYS == set()


@pytest.mark.parametrize(
    "line", ["ontology export toy", "verdicts export", "study verdicts 1 --not-judging"]
)
def test_an_exported_table_has_the_same_words_as_titles(
    line: str, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "t.jsonl"
    done = run(line, folder, "--out", str(path))
    assert done.returncode == 0, done.stderr
    titles = [*json.loads(path.read_text("utf-8").partition("\n")[0])]
    of_annotators = re.compile(rf"(comment of |seconds of )?({ANNA}|{BEN}|Cleo)(, again)?")
    words = {
        title.replace(" ", "_").lower() for title in titles if not of_annotators.fullmatch(title)
    }
    assert words
    assert words & SYNONYMS == set()
    assert words - WORDS.keys() - OWN_KEYS == set()


def test_measured_figures_have_the_same_words() -> None:
    figure = BenchFigure("search", 1.0, "s", "a scan", 2.0, 0.5, "below 1", True, {"rounds": [1]})
    report = figures_object([figure])
    assert report["rounds"] == [1]
    (words,) = report["figures"]
    assert words.keys() & SYNONYMS == set()
    assert words.keys() - WORDS.keys() - OWN_KEYS == set()


def test_no_word_is_a_synonym_of_another() -> None:
    assert WORDS.keys() & SYNONYMS == set()
    assert OWN_KEYS & (SYNONYMS | WORDS.keys()) == set()
    assert set(FIELD_WORDS.values()) - {""} <= WORDS.keys()


def test_the_docs_tell_what_each_word_is() -> None:
    page = (Path(__file__).parents[2] / "resources/docs/commands.md").read_text("utf-8")
    assert [
        row for word, meaning in WORDS.items() if (row := f"| `{word}` | {meaning} |") not in page
    ] == []
