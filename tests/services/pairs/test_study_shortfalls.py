"""What a new study leaves out is counted by why, in text, JSON and on the page."""

import json
from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from toy_studies import ANNA, opened, pool
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.services.pairs.repeats import find_repeats
from termexplorer.services.pairs.sampling import PairPool, draw
from termexplorer.services.studies.presets import find_scale
from termexplorer.services.studies.studies import StudyPlan, new_study

SET = PairPool(
    "set",
    ["heart", "Heart", "cor", "lung", "pulmo", "flu", "a", "b"],
    ["cor", "heart", "HEART", "pulmo", "lung", "grippe", "x", "y"],
    [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0],
)
WHY = {"identical": 1, "repeated": 1, "contradicting": 2}


def test_pairs_that_nobody_is_asked_about_are_counted_by_reason(tmp_path: Path) -> None:
    other = PairPool("other", ["COR", "x"], ["heart", "z"], [1.0, 1.0])
    checks = PairPool("known", ["flu", "q", "q", "r", "s"], ["Grippe", "t", "T", "r", "u"],
                      [1.0, 0.0, 0.0, 1.0, None])  # fmt: skip
    plan = StudyPlan("T", [ANNA], find_scale("same"), 9)
    with opened(tmp_path) as workspace:
        study = new_study(workspace, plan, [SET, other], [checks])
    assert [pair_set.left_out for pair_set in study.sets] == [WHY, {"elsewhere": 1}]
    assert (study.sets[0].similar, study.sets[0].dissimilar, study.pairs) == (2, 2, 5)
    assert study.checks == 1
    assert study.checks_left_out == {
        "known": {
            "studied": 1, "repeated": 1, "identical": 1, "unanswerable": 1,
        }
    }  # fmt: skip
    message = " ".join(study.shortfalls())
    assert "known, known answers: 4 pairs left out" in message
    assert "set: 4 pairs left out (a term with itself: 1" in message


def test_the_command_tells_it_in_text_and_json(tmp_path: Path) -> None:
    for name, rows in {
        "set": "heart\tcor\t1\nheart\tHeart\t1\nlung\tpulmo\t1\nhead\ttoe\t0\n",
        "known": "cor\theart\t1\nflu\tgrippe\t1\n",
    }.items():
        (tmp_path / f"{name}.tsv").write_text(f"left\tright\tlabel\n{rows}", "utf-8")
    words = ["study", "new", "--pairs", str(tmp_path / "set.tsv"), "--title", "T", "--practice"]
    words += ["1", "--annotator", ANNA, "--checks", str(tmp_path / "known.tsv")]
    words += ["--workspace", str(tmp_path / "w")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "a term with itself: 1" in done.stdout
    assert "in the study already: 1" in done.stdout
    assert "0 practice pairs, not the 1" in done.stdout
    answer = json.loads(CliRunner().invoke(app, [*words, "--seed", "2", "--json"]).stdout)
    assert answer["sets"][0]["left_out"] == {"identical": 1}
    assert answer["checks_left_out"] == {"known": {"studied": 1}}
    assert (answer["practice"], answer["practice_asked"]) == (0, 1)


terms = st.sampled_from(["a", "A", "b", "c"])


@given(rows=st.lists(st.tuples(terms, terms, st.sampled_from([0.0, 1.0])), min_size=1))
def test_every_pair_is_drawn_or_left_out_for_a_reason(rows: list[tuple[str, str, float]]) -> None:
    left, right, scores = zip(*rows, strict=True)
    pools = [PairPool("one", left, right, scores), pool("two", 1, 1)]
    drawn = draw(pools, len(rows), 0, 0)
    (first_set, _) = drawn.sets
    asked = Counter(pair.set_name for pair in drawn.pairs)["one"]
    assert asked + sum(first_set.left_out.values()) == len(rows)
    reasons = find_repeats(left, right, scores)
    assert Counter(filter(None, reasons)) == first_set.left_out
