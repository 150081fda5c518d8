from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.text.names import plain
from termexplorer.trainer.text.tokenizer import tokenize, tokenize_all, tokenized_lines


def test_words_and_punctuation_stand_apart_in_lower_case() -> None:
    tokens = tokenize("Crohn's disease (NOS), type-2; β_cell 2.5%")
    assert tokens == [
        *("crohn", "'", "s", "disease", "(", "nos", ")", ",", "type", "-", "2", ";"),
        *("β", "_", "cell", "2", ".", "5", "%"),
    ]


def test_accents_are_of_their_letters_however_they_are_typed() -> None:
    apart = "Me\u0301nie\u0300re, 2 m\u00b2"
    assert tokenize(apart) == ["m\u00e9ni\u00e8re", ",", "2", "m\u00b2"]
    assert plain(apart) == "m\u00e9ni\u00e8re, 2 m\u00b2"


@given(st.lists(st.text() | st.text("eE\u0301\n \u1100\u1161"), max_size=8))
def test_all_at_once_is_the_same_as_one_by_one(names: list[str]) -> None:
    table = tokenize_all(names)
    tokens = [
        [table.tokens[token] for token in table.token_index[start:end]]
        for start, end in zip(table.starts[:-1], table.starts[1:], strict=True)
    ]
    assert tokens == [tokenize(name) for name in names]
    assert len(set(table.tokens)) == len(table.tokens)


@pytest.mark.parametrize("name", ["text.txt", "text.txt.gz"])
def test_text_files_are_read_plain_and_packed(tmp_path: Path, name: str) -> None:
    content = "Acute Bronchitis.\n\nFièvre\n".encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    assert list(tokenized_lines(tmp_path / name)) == ["acute bronchitis .", "", "fièvre"]


def test_a_damaged_packed_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text.gz"
    path.write_bytes(gzip.compress(b"some text\n" * 100)[:-12])
    with pytest.raises(ValueError, match="cannot be read"):
        list(tokenized_lines(path))
