"""What is rounded to nothing has no sign, wherever a figure is written."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from termexplorer import texts
from termexplorer.cli.output import print_table
from termexplorer.texts import figure_text, interval_text, number, tr

PACKAGE = Path(texts.__file__).parent
# files whose numbers are places on a drawing, versions of a format, sizes or times
NO_FIGURES = {"suggestion_files.py", "trial.py", "term_pairs_report.py", "item_tables.py"}


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (-0.0004, ".3f", "0.000"), (-0.0004, "+.3f", "0.000"), (0.0004, "+.3f", "0.000"),
        (-0.0, ",.2f", "0.00"), (-0.001, ".0%", "0%"), (-0.0006, ".3f", "-0.001"),
        (0.25, "+.3f", "+0.250"), (-1234.5, ",.1f", "-1,234.5"), (-0.0, "g", "0"),
    ],
)  # fmt: skip
def test_nothing_has_no_sign(value: float, spec: str, text: str) -> None:
    assert figure_text(value, spec) == number(value, spec) == text


def test_nothing_has_no_sign_in_sentences_intervals_and_tables(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert tr("{value:.3f}", value=-0.0001) == "0.000"
    assert interval_text(-0.0, -0.0001, 0.5) == "0.000 [0.000, 0.500]"
    print_table(("a",), [(-0.0001,)])
    assert "-0.000" not in capsys.readouterr().out


def bare_formats(path: Path) -> Iterator[str]:
    """F-strings that write a figure of three digits or more by themselves."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        spec = node.format_spec if isinstance(node, ast.FormattedValue) else None
        parts = spec.values if isinstance(spec, ast.JoinedStr) else []
        text = "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))
        if text.endswith((".3f", ".4f", ".5f", ".6f")):
            yield f"{path.name}:{node.lineno}"  # type: ignore[attr-defined]


def test_figures_are_written_by_the_one_function_that_knows() -> None:
    folders = ("cli", "services", "replicate", "models", "views", "exporters", "workers")
    paths = [path for folder in folders for path in (PACKAGE / folder).rglob("*.py")]
    wrong = [
        bare_format
        for path in paths
        for bare_format in bare_formats(path)
        if path.name not in NO_FIGURES
    ]
    assert wrong == []
