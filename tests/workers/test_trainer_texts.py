"""What the trainer and the services refuse is told in German, though the trainer knows of none."""

import ast
import pickle
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import numpy as np
import pytest

from termexplorer.errors import UserError
from termexplorer.texts import translated
from termexplorer.trainer.agreement.figures import measure_agreement
from termexplorer.trainer.agreement.ratings import ratings_of
from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.files.pairs import read_pairs
from termexplorer.trainer.recipes.few_shot import FewShot
from termexplorer.trainer.recipes.ranges import RANGES
from termexplorer.trainer.training.epochs import DivergedError
from termexplorer.workers.process.child import trainer_errors
from termexplorer.workers.process.trainer_texts import translate_error, translate_message

ROOT = Path(__file__).parents[2]
TRAINER = sorted((ROOT / "trainer").rglob("*.py"))
SHOWN = [
    path
    for folder in ("services", "workers", "store", "taxonomy", "importers", "exporters", "views")
    for path in sorted((ROOT / "termexplorer" / folder).rglob("*.py"))
    if "migrations" not in path.parts
]
TOLD = {"TrainerError", "DivergedError", "RankLostError", "Message"}
NOT_TOLD = {"AttributeError", "InterruptedError", "NotImplementedError", "OverpackedError"}
USER_ERRORS = {
    "UserError", "StoreError", "StoreGoneError", "NotWritableError", "DiskFullError",
    "StoppedError", "NoSynonymsError",
}  # fmt: skip
GERMAN = runpy.run_path(str(ROOT / "packaging" / "translations.py"))["german"]([])
LETTERS = re.compile(r"[^\W\d_]{2,}")


def name_of(call: ast.expr) -> str:
    """Return the name of what is called."""
    return getattr(call.func, "id", "") if isinstance(call, ast.Call) else ""


def calls(paths: list[Path]) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call in some modules, with its place."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def templates() -> Iterator[tuple[str, str, set[str]]]:
    """Yield each template of the trainer, with its place and the names of its values."""
    for where, call in calls(TRAINER):
        if name_of(call) in TOLD and isinstance(call.args[0], ast.Constant):
            yield where, str(call.args[0].value), {str(keyword.arg) for keyword in call.keywords}


def fields(text: str) -> set[str]:
    """Return the names of the values in a template."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_all_that_the_trainer_raises_keeps_its_template() -> None:
    wrong = []
    for path in TRAINER:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                text = node.exc.args[0] if node.exc.args else None
                template = name_of(node.exc) in TOLD and isinstance(text, ast.Constant)
                is_message = isinstance(text, ast.Call)  # of a message
                if not (template or is_message or name_of(node.exc) in NOT_TOLD):
                    wrong.append(f"{path.name}:{node.lineno}: {ast.unparse(node)}")
    assert not wrong, "\n".join(wrong)


def test_each_template_has_its_values_and_its_german() -> None:
    all_templates = list(templates())
    assert len(all_templates) > 300
    assert [
        template for template in all_templates if fields(template[1]) != template[2] and template[2]
    ] == []
    assert [template for template in all_templates if template[1] not in GERMAN] == []
    assert [within for within in RANGES if within not in GERMAN] == []


def test_no_refusal_of_the_program_is_written_without_translation() -> None:
    wrong = []
    for where, call in calls(SHOWN):
        named = name_of(call) or getattr(call.func, "attr", "")
        text = call.args[0] if call.args else None
        if named in USER_ERRORS and isinstance(text, ast.Constant | ast.JoinedStr):
            parts = text.values if isinstance(text, ast.JoinedStr) else [text]
            if any(
                isinstance(part, ast.Constant) and LETTERS.search(str(part.value)) for part in parts
            ):
                wrong.append(f"{where}: {ast.unparse(text)}")
    assert not wrong, "\n".join(wrong)


def sample(text: str) -> dict[str, object]:
    """Return values for a template, whatever their format."""
    specs = {name: spec for _, name, spec, _ in Formatter().parse(text) if name}
    return {name: 1234 if spec else "x" for name, spec in specs.items()}


@pytest.mark.usefixtures("german")
def test_each_template_is_filled_in_in_german() -> None:
    for _, text, _ in templates():
        values = sample(text)
        assert translate_message(Message(text, **values)) == translated(text, **values)


@pytest.mark.usefixtures("german")
def test_a_window_tells_what_the_trainer_refuses(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("left\tright\tscore\na\tb\t1\na\t\t2\n", "utf-8")
    for refused, message in (
        (lambda: FewShot(hidden=0), "hidden ist 0; wählen Sie"),
        (lambda: FewShot(hidden="x"), "hidden ist 'x'; geben Sie eine ganze Zahl an"),
        (
            lambda: read_pairs(pairs),
            f"{pairs}, Zeile 3: pairs hat keine zwei Spalten mit Begriffen",
        ),
        (lambda: read_pairs(tmp_path / "none.tsv"), "Datei an (Paare)"),
    ):
        with pytest.raises(UserError) as error, trainer_errors():
            refused()
        assert message in str(error.value)
    with pytest.raises(ValueError, match="hidden is 0; choose a number from 1 to"):
        FewShot(hidden=0)


@pytest.mark.usefixtures("german")
def test_why_a_figure_of_agreement_is_undefined_is_told_in_german() -> None:
    alike = ratings_of([["yes", "yes"], ["yes", "yes"]], ["Ann", "Ben"])
    reasons = {
        figure.undefined
        for figure in measure_agreement(alike, resamples=20).figures
        if figure.undefined
    }
    assert reasons
    for reason in reasons:
        assert "agreement cannot be told from chance" in reason
        assert "nicht vom Zufall zu unterscheiden" in translate_message(reason)


def test_an_error_that_crosses_processes_keeps_its_template() -> None:
    line = Message("line {line}", line=3)
    error = pickle.loads(pickle.dumps(DivergedError("{path}, {place}", path="a", place=line)))  # noqa: S301
    assert isinstance(error, TrainerError)
    assert str(error) == "a, line 3"
    assert error.args[0].template == "{path}, {place}"
    assert error.args[0].values["place"].template == "line {line}"


def test_a_message_about_an_error_takes_its_message() -> None:
    message = Message("{path}: {error}", path="a", error=OSError(Message("it is packed")))
    assert message == "a: it is packed"
    assert isinstance(message.values["error"], Message)
    full = OSError(28, "kein Platz")
    assert Message("{error}", error=full) == "No space left on device"
    assert Message("{error}", error=OSError("odd")) == "odd"


def test_other_errors_and_texts_are_told_as_they_are() -> None:
    assert translate_error(ValueError("odd {x}")) == "odd {x}"
    assert translate_error(ValueError(np.float64(1), "b")) == str(ValueError(np.float64(1), "b"))
    assert translate_message("plain {x}") == "plain {x}"
