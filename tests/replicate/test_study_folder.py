"""What a study's folder is of: it goes on with the same data, and with nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest
from replicate_toy import PAIRS, run, toy_study

from termexplorer.errors import UserError
from termexplorer.replicate.studies import Study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A small study that nothing was done for yet."""
    return toy_study(tmp_path, "FSL", seeds=1)


def pieces(said: list[str]) -> list[str]:
    """Those that were run, of all that was said."""
    return [text for text in said if text.startswith("untrained") or "sample" in text]


def test_another_benchmark_of_the_same_name_is_another_study(study: Study, tmp_path: Path) -> None:
    run(study)
    other = tmp_path / "other" / study.benchmarks[0].name
    other.parent.mkdir()
    other.write_text("\n".join(reversed(PAIRS[1:])) + "\n", encoding="utf-8")
    with pytest.raises(UserError, match="another --out"):
        run(replace(study, benchmarks=(other,)))


def test_ids_of_a_workspace_do_not_tell_what_a_study_is_of(study: Study) -> None:
    run(study)
    (study.out / "made.json").unlink()  # all is imported and opened again, under other ids
    _, said = run(study)
    assert not pieces(said)
