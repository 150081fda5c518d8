"""Texts that a spreadsheet would run are escaped, numbers are not, and all come back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.formulas import escape_formula, unescape_formula

SIGNS = st.text("'=+-@|0123456789.eE ()–a\t\r", max_size=12)


@given(st.one_of(SIGNS, st.text(max_size=8)))
def test_each_text_comes_back(text: str) -> None:
    assert unescape_formula(escape_formula(text)) == text


@pytest.mark.parametrize("number", ["-0.16986322402954102", "+3", "-1e-09", "-12"])
def test_a_number_with_a_sign_stays_a_number(number: str) -> None:
    assert escape_formula(number) == number
    assert unescape_formula(f"'{number}") == number  # as earlier versions wrote it


@pytest.mark.parametrize("text", ["-1+2", "=1", "+cmd", "-", "-0.029 (-0.714–0.657)", "-1.5.2"])
def test_what_begins_like_a_number_is_escaped(text: str) -> None:
    assert escape_formula(text) == f"'{text}"
