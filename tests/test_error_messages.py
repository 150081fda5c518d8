"""What an error quotes of a file does not make more of it than one line."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.errors import StoreError, UserError


@given(st.text(max_size=40))
def test_an_error_is_one_line_without_control_characters(text: str) -> None:
    shown = str(UserError(f"a.csv: {text!s} is no number; mend it"))
    assert len(shown.splitlines()) == 1
    assert not any((sign < " " and sign != "\t") or "\x7f" <= sign <= "\x9f" for sign in shown)
    assert shown.startswith("a.csv: ")
    assert shown.endswith(" is no number; mend it")


def test_a_plain_error_is_as_it_was() -> None:
    text = "Lösung „größer“ 肺炎: wrong; do this"
    assert str(UserError(text)) == text
    copied = pickle.loads(pickle.dumps(StoreError(text)))  # noqa: S301 - our own
    assert str(copied) == text


@pytest.mark.parametrize("sign", ["a", "\0", "\u202e"])
def test_a_long_error_keeps_where_and_what_to_do(sign: str) -> None:
    shown = str(UserError(f"a.csv, line 7: {sign * 1_000_000} is no number; mend it"))
    assert len(shown) < 20_000
    assert shown.startswith("a.csv, line 7: ")
    assert shown.endswith("; mend it")
