"""Tables of a report say how each interval was made, and write no sign before nothing."""

import re
from typing import Any

import pytest
from report_blocks import render_blocks

from termexplorer.replicate.interval_words import describe_method
from termexplorer.replicate.report import Value, make_table
from termexplorer.trainer.evaluation.figures import BCA, DELONG, EXACT, INTERVAL_METHODS, PERCENTILE


def html_of(*args: Any, **options: Any) -> str:
    return render_blocks(make_table(*args, **options))


def notes(message: str) -> list[str]:
    return re.findall(r"<small>([^<]*95 % intervals: [^<]*)</small>", message)


def test_each_interval_says_its_method_where_there_are_several() -> None:
    values_shown = (Value(0.5, 0.4, 0.6, method=method) for method in (DELONG, EXACT, DELONG))
    shown_text = html_of(("a", "b", "c"), [list(values_shown)])
    marks = re.findall(r"0\.400 – 0\.600 (\(.\))", shown_text)
    assert marks == ["(a)", "(b)", "(a)"]
    assert [note[:3] for note in notes(shown_text)] == ["(a)", "(b)"]
    assert describe_method(DELONG) in notes(shown_text)[0]
    assert describe_method(EXACT) in notes(shown_text)[1]


@pytest.mark.parametrize("method", [PERCENTILE, BCA])
def test_one_method_is_said_once_and_undefined_figures_have_none(method: str) -> None:
    undefined = Value(float("nan"), undefined="no pair", method=EXACT)
    shown_text = html_of(("a", "b"), [[Value(0.5, 0.4, 0.6, method=method), undefined]])
    assert notes(shown_text) == [f"95 % intervals: {describe_method(method)}"]
    assert not notes(html_of(("a", "b"), [["", undefined]]))


def test_every_method_has_words() -> None:
    assert len({describe_method(method) for method in INTERVAL_METHODS}) == len(INTERVAL_METHODS)


def test_nothing_has_no_sign() -> None:
    shown_text = html_of(("a",), [[Value(-0.0001, -0.0004, -0.0, spread=-0.0)]])
    assert "0.000" in shown_text
    assert "-0.000" not in shown_text


@pytest.mark.parametrize(
    ("values", "chance", "bold"),
    [((0.1, 0.4), 0.0, "0.400"), ((-0.4, -0.1), 0.0, ""), ((0.3, 0.468), 0.5, ""),
     ((0.3, 0.6), 0.5, "0.600")],
)  # fmt: skip
def test_the_best_is_bold_only_where_it_is_above_chance_and_of_ten_items(
    values: tuple[float, float], chance: float, bold: str
) -> None:
    for count in (9, 10):
        shown_text = html_of(
            ("a",), [[Value(value, count=count)] for value in values], chance=chance
        )
        assert re.findall(r"<b>([^<]*)</b>", shown_text) == ([bold] if bold and count > 9 else [])
