"""What the trainer refuses is told in German, though the trainer knows of no language."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from termexplorer.errors import UserError
from termexplorer.workers.process.child import trainer_errors
from termexplorer.workers.process.trainer_texts import TEMPLATES, tell_refusal

TRAINER = Path(__file__).parents[2] / "trainer"
TOLD = (  # modules whose refusals a window shows: of vectors that are opened or trained, of maps
    "representations/bigram_training.py", "representations/fasttext_file.py",
    "representations/fasttext_fit.py", "representations/fasttext_matrices.py",
    "representations/matrix.py", "representations/ppmi.py", "representations/ppmi_training.py",
    "representations/skipgram_training.py", "representations/transformer_folder.py",
    "representations/word_vectors.py", "projection/base.py", "projection/__init__.py",
    "projection/alignment.py", "projection/clusters.py", "projection/quality.py",
    "projection/tsne.py", "projection/umap.py",
)  # fmt: skip


def refusals() -> Iterator[str]:
    """Yield what is raised there, with a dot for each value."""
    for name in TOLD:
        for node in ast.walk(ast.parse((TRAINER / name).read_text("utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                text = node.exc.args[0]
                if isinstance(text, ast.JoinedStr):
                    pieces = (
                        each.value if isinstance(each, ast.Constant) else "·"
                        for each in text.values
                    )
                    yield "".join(map(str, pieces))
                elif isinstance(text, ast.Constant):
                    yield str(text.value)


def test_each_refusal_has_its_template_and_the_other_way_round() -> None:
    assert {re.sub(r"\{\w\}", "·", each) for each in TEMPLATES} == set(refusals())


@pytest.mark.usefixtures("german")
def test_each_refusal_is_told_in_german() -> None:
    for text in refusals():
        values = iter("7654321")
        said = re.sub("·", lambda _, values=values: next(values), text)  # type: ignore[misc]
        told = tell_refusal(said)
        assert told != said
        assert sorted(re.findall(r"\d", told)) == sorted(re.findall(r"\d", said)), said


@pytest.mark.usefixtures("german")
def test_a_window_tells_what_the_trainer_refuses() -> None:
    with pytest.raises(UserError) as told, trainer_errors():
        raise ValueError("x.bin is no sound fastText model: its vectors are not all finite numbers")
    assert "kein heiles fastText-Modell: seine Vektoren" in str(told.value)


def test_commands_tell_it_in_english() -> None:
    assert tell_refusal("its t cannot be 3") == "its t cannot be 3"
