"""`compare` on the command line: its table, its JSON, its page, its errors."""

import json
import shutil
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from program import called
from toy_workspace import LEXICAL, TRAINED, VECTORS

Run = Callable[..., subprocess.CompletedProcess[str]]
ENCODERS = tuple(
    word for encoder in (VECTORS, TRAINED, LEXICAL) for word in ("--encoder", str(encoder))
)


@pytest.fixture(scope="module")
def run(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    workspace: Path = shutil.copytree(trained, tmp_path_factory.mktemp("compare") / "workspace")

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        return called("compare", *words, "--workspace", workspace)

    return call


def test_the_mentions_with_most_disagreement(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = ("--task", "hypernyms", *ENCODERS, "--top", "5", "--html", str(page))
    done = run(*words, "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["level"], answer["baseline"]) == (1, VECTORS)  # the level of the trained one
    assert [encoder["encoder"] for encoder in answer["encoders"]] == [VECTORS, TRAINED, LEXICAL]
    assert all(2 <= encoder["n"] <= answer["compared"] for encoder in answer["encoders"])
    assert len(answer["mentions"]) == 5
    overlaps = [table_mention["rbo"] for table_mention in answer["mentions"]]
    assert overlaps == sorted(overlaps)
    first = answer["mentions"][0]
    assert set(first["ranks"]) == {str(VECTORS), str(TRAINED), str(LEXICAL)}
    assert first["difference"] == max(first["ranks"].values()) - min(first["ranks"].values())
    whole = [tally for tally in answer["wins"] if tally["class"] is None]
    assert [tally["encoder"] for tally in whole] == [TRAINED, LEXICAL]
    for tally in whole:
        assert tally["wins"] + tally["losses"] + tally["ties"] == answer["compared"]

    text = page.read_text("utf-8")
    for mention in answer["mentions"]:
        assert mention["name"] in text
    assert "✓" in text
    seen: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: seen.extend(  # type: ignore[method-assign]
        value or "" for name, value in attrs if name in ("src", "href")
    )
    parser.feed(text)
    assert seen == []  # nothing from outside

    table = run(*words, "--sort", "loss", "--baseline", str(TRAINED)).stdout
    assert "Best right answer against few-shot" in table
    assert f"written to {page}" in " ".join(table.split())


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("--task", "synonyms", "--encoder", "6"), 1, "2 to 8 encoders"),
        (("--task", "synonyms", *("--encoder", "1") * 9, "--ontology", "1"), 1, "2 to 8 encoders"),
        (("--task", "synonyms", "--encoder", "6", "--encoder", "99"), 1, "no encoder 99"),
        (("--task", "synonyms", *ENCODERS, "--baseline", "2"), 1, "not one of the encoders"),
        (("--task", "synonyms", *ENCODERS, "--ontology", "7"), 1, "no ontology '7'"),
        (("--task", "neighbours", *ENCODERS, "--level", "9"), 1, "level 9 is empty"),
        (("--task", "neighbours", *ENCODERS, "--root", "TOY:77777"), 1, "no concept 'TOY:77777'"),
        (("--task", "nonsense", *ENCODERS), 2, "neighbours, hypernyms, synonyms"),
        (("--task", "synonyms", *ENCODERS, "--sort", "size"), 2, "rbo, difference, gain, loss"),
        (("--task", "synonyms", "--encoder", "1", "--encoder", "5"), 2, "--ontology"),
    ],
)
def test_what_is_wrong_is_said(run: Run, words: tuple[str, ...], code: int, why: str) -> None:
    done = run(*words)
    assert done.returncode == code, done.stderr
    assert why in " ".join(done.stderr.replace("│", " ").split())
    if code == 1:
        assert len(done.stderr.splitlines()) == 1
