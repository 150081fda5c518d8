"""Pair sets are looked at, and exported without pairs that are left out."""

from pathlib import Path

import pytest

from termexplorer.errors import UserError
from termexplorer.services.judge.set_pairs import PairSetReader, export_pair_sets, export_pairs
from termexplorer.services.pairs.filter import PairFilter

TITLES = "left\tright\tlabel\tleft_concept\tright_concept\tdistance\n"
ROWS = (
    "measles\trubeola\t1\tA:1\tA:1\t7\n",
    "COPD\tchronic bronchitis\t1\tA:2\tA:2\t16\n",
    "measles\tJ12.9\t0\tA:1\tA:3\t7\n",
)
CODES = PairFilter(codes=True)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "sets" / "one.tsv"
    path.parent.mkdir()
    path.write_text(TITLES + "".join(ROWS), encoding="utf-8")
    return path


def test_pairs_are_shown_with_why_they_are_left_out(source: Path) -> None:
    reader, leave_out = PairSetReader(), PairFilter(codes=True, abbreviations=True)
    shown_pairs = reader.look_at_pairs(source, leave_out, left_out=False)
    assert [(pair.left, reason) for pair, reason in shown_pairs.pairs] == [("measles", "")]
    assert (shown_pairs.remaining, shown_pairs.left_out) == (1, {"abbreviations": 1, "codes": 1})
    gone = reader.look_at_pairs(source, leave_out, left_out=True, most=1)
    assert [(pair.left, reason) for pair, reason in gone.pairs] == [("COPD", "abbreviations")]
    source.write_text(TITLES + ROWS[0], encoding="utf-8")
    again = reader.look_at_pairs(source, leave_out, left_out=True)
    assert (again.pairs, again.remaining) == ((), 1), "a file that changed is read again"
    source.write_text(f"{TITLES}one\t\t1\n", encoding="utf-8")
    with pytest.raises(UserError, match="line 2"):
        reader.look_at_pairs(source, leave_out, left_out=True)


def test_an_export_has_the_rows_as_they_were_without_those_left_out(
    source: Path, tmp_path: Path
) -> None:
    out = tmp_path / "fewer.tsv"
    exported = export_pairs(source, out, CODES)
    assert out.read_text("utf-8") == TITLES + ROWS[0] + ROWS[1]
    assert (exported.pairs, exported.left_out) == (2, {"codes": 1})
    with pytest.raises(UserError, match="itself"):
        export_pairs(source, source, CODES)
    with pytest.raises(UserError, match="left out"):
        export_pairs(source, tmp_path / "none.tsv", PairFilter(longest=1))
    assert not (tmp_path / "none.tsv").exists()


def test_sets_of_a_folder_are_exported_but_those_with_nothing_left(
    source: Path, tmp_path: Path
) -> None:
    codes = source.with_name("codes.tsv")
    codes.write_text(TITLES + ROWS[2], encoding="utf-8")
    out = tmp_path / "out"
    out.mkdir()
    exported = export_pair_sets((codes, source), out, CODES)
    assert (exported.pairs, exported.left_out) == (2, {"codes": 2})
    assert [path.name for path in out.glob("*.tsv")] == ["one.tsv"]
    with pytest.raises(UserError, match="already"):
        export_pair_sets((codes, source), out, CODES)
    with pytest.raises(UserError, match="left out"):
        export_pair_sets((codes,), tmp_path, CODES)
