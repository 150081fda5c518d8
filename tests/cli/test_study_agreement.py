"""`study agreement` on the command line."""

import csv
import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.cli.main import run
from termexplorer.errors import UserError

ROWS = """\
pair\tset\tlabel\tdoctor_A\tdoctor_B\tdoctor_C
1\teasy\tsame\tsame\tsame\tunsure
2\teasy\tnot same\tnot same\tnot same\tnot same
3\thard\tsame\tsame\tnot same\tunsure
4\thard\tsame\tnot same\tnot same\tsame
1\teasy\tsame\tsame\tnot same\t
2\teasy\tnot same\tnot same\tnot same\tnot same
"""


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.tsv"
    path.write_text(ROWS)
    return path


def study(path: Path, *words: str) -> str:
    done = CliRunner().invoke(app, ["study", "agreement", "--ratings", str(path), *words])
    if done.exception is not None:
        raise done.exception
    return done.stdout


def test_figures_of_all_raters_of_each_two_and_of_each_set(ratings: Path) -> None:
    words = ("--dont-know", "unsure", "--item", "pair", "--set", "set", "--label", "label")
    asked = (*words, "--positive", "same", "--json")
    answer = json.loads(study(ratings, *asked))
    assert answer["raters"] == ["doctor_A", "doctor_B", "doctor_C"]
    assert (answer["items"], answer["labels"], answer["scale"]) == (
        4,
        ["not same", "same"],
        "nominal",
    )
    assert (answer["missing"], answer["dont_know"], answer["ratings"]) == (0, 2 / 12, 10)
    assert (answer["no_majority"], answer["dont_know_votes"]) == (0.25, True)
    metrics = ["alpha", "agreement", "cohen", "fleiss", "ac1"]
    assert [figure["metric"] for figure in answer["figures"]] == metrics
    assert [figure["value"] for figure in answer["figures"]] == [
        answer[metric] for metric in metrics
    ]
    assert answer["figures"][1]["value"] == pytest.approx((1 + 1 + 0 + 1 / 3) / 4)
    assert all(figure["low"] <= figure["value"] <= figure["high"] for figure in answer["figures"])
    assert [pair["raters"] for pair in answer["pairs"]] == [
        ["doctor_A", "doctor_B"], ["doctor_A", "doctor_C"], ["doctor_B", "doctor_C"],
    ]  # fmt: skip
    assert [share["dont_know"] for share in answer["shares"]] == [0, 0, 0.5]
    assert [agreement["rater"] for agreement in answer["within"]] == answer["raters"]
    assert [agreement["figures"][1]["value"] for agreement in answer["within"]] == [1, 0.5, 1]
    assert answer["within"][2]["figures"][0]["value"] is None
    assert "all ratings that can be compared" in answer["within"][2]["figures"][0]["undefined"]
    easy, hard = answer["sets"]
    assert (easy["set"], easy["items"], hard["set"]) == ("easy", 2, "hard")
    assert [figure["value"] for figure in easy["votes"]] == [0, 1, 1, 1]
    assert [figure["value"] for figure in hard["votes"]] == [0.5, 0, None, 0]
    assert [figure["metric"] for figure in hard["figures"]] == metrics


def test_shares_of_sets_have_intervals_in_the_table(ratings: Path) -> None:
    """All easy pairs that count agree with their labels, which a few pairs do not tell for sure."""
    words = ("--dont-know", "unsure", "--item", "pair", "--set", "set", "--label", "label")
    lines = study(ratings, *words, "--positive", "same").splitlines()
    (easy,) = (line for line in lines if line.startswith("easy"))
    assert "1.000 (0." in easy
    assert "1.000 (1.000" not in easy


def test_tables_for_people(ratings: Path) -> None:
    words = ("--rater", "doctor_A", "--rater", "doctor_B", "--item", "pair")
    text = study(ratings, *words, "--label", "label", "--positive", "same")
    assert "4 items, 2 raters (doctor_A, doctor_B), 8 ratings on the nominal scale" in text
    assert "Krippendorff's alpha" in text
    assert "doctor_A – doctor_B" in text
    assert "Each rater with themselves" in text
    assert "recall and precision are by the majority" in " ".join(text.split())
    alone = study(ratings, "--rater", "doctor_A")
    assert "alpha is undefined: doctor_A is the only rater" in alone


def test_numbers_on_a_scale_and_how_dont_know_votes(tmp_path: Path) -> None:
    path = tmp_path / "n.csv"
    path.write_text("Anna,Ben\n1,2\n3,3\n0,9\n2,1\n")
    words = ("--scale", "ordinal", "--dont-know", "9")
    text = study(path, *words)
    assert '0.750 (0.194–0.994) of the items have no majority ("don\'t know" is a vote' in text
    assert '0.125 (0.003–0.527) "don\'t know"' in text  # Clopper and Pearson: 1 of 8, 3 of 4
    assert "Gwet's AC2" in text
    text = study(path, *words, "--dont-know-missing")
    assert '0.500 (0.068–0.932) of the items have no majority ("don\'t know" is no vote)' in text


def test_what_items_count_for_that_one_or_nobody_rated_is_told(tmp_path: Path) -> None:
    both, once = "s,n\ns,n\ns,s\n", "s,\ns,\nn,\nn,\nn,\n"
    seen = []
    for name, rows in (("both", both), ("all", f"{both}{once}")):
        path = tmp_path / f"{name}.csv"
        path.write_text(f"A,B\n{rows}")
        seen.append(json.loads(study(path, "--json")))
    alone, among = seen
    assert alone["figures"] == alone["pairs"][0]["figures"] == among["pairs"][0]["figures"]
    assert (alone["fleiss"], alone["ac1"]) == pytest.approx((-0.5, -0.2))
    assert (among["fleiss"], among["ac1"]) == pytest.approx((-1 / 3, -1 / 3))  # chance is of all 8
    assert among["alpha"] == alone["alpha"]
    assert "expect by chance is of the labels of all" in " ".join(study(path).split())
    assert (among["items"], among["overlapping"]) == (8, 3)
    assert (among["no_majority_n"], among["unjudged"]) == (8, 0)
    path.write_text("item,A,B\n1,s,n\n2,s,s\n3,n,n\n4,,\n5,,\n")
    words = ("--rater", "A", "--rater", "B")
    among = json.loads(study(path, *words, "--json"))
    assert (among["no_majority"], among["no_majority_n"]) == (1 / 3, 3)
    assert (among["unjudged"], among["unjudged_n"]) == (2 / 5, 5)
    assert "2 items were rated by nobody" in study(path, *words)


def test_a_single_rating_beside_a_dont_know_is_no_majority_where_that_votes(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_text(
        "item,A,B,lab\n1,same,dk,same\n2,same,same,same\n3,not,not,not\n4,not,dk,same\n"
        "5,same,,same\n"
    )
    words = ("--dont-know", "dk", "--label", "lab", "--positive", "same")
    for more, single, undecided, truths in ((), 1, 2, 3), (("--dont-know-missing",), 3, 0, 5):
        answer = json.loads(study(path, *words, *more, "--json"))
        assert (answer["single"], answer["single_without_majority"]) == (single, undecided)
        accuracy = answer["sets"][0]["votes"][1]
        assert (accuracy["metric"], accuracy["n"]) == ("accuracy", truths)
        text = " ".join(study(path, *words, *more).split())
        counted = "1 item has" if single == 1 else "3 items have"
        assert f"{counted} a single rating, which is" in text
        beside = "2 items have a single rating and no majority, as a “dk” beside it"
        assert (beside in text) == bool(undecided)
        assert "don't know" not in text


def test_kappa_of_a_constant_rater_is_undefined_and_no_mean_hides_that(tmp_path: Path) -> None:
    path = tmp_path / "n.csv"
    rows = (f"a,{'ab'[at % 3 == 0]},{'ab'[at % 4 == 0]}" for at in range(24))
    path.write_text("\n".join(["Anna,Ben,Cleo", *rows]))
    answer = json.loads(study(path, "--json"))
    couples = {tuple(pair["raters"]): pair["figures"][2] for pair in answer["pairs"]}
    assert couples["Anna", "Ben"]["value"] is None
    assert "one label alone" in couples["Anna", "Ben"]["undefined"]
    assert answer["figures"][2]["couples_left_out"] == 2
    assert answer["cohen"] == couples["Ben", "Cleo"]["value"]
    text = study(path)
    assert "The mean of 1 couple of 3" in text
    assert "0.000 (0.000–0.000)" not in text


def test_a_set_says_of_how_many_items_its_figures_are(ratings: Path) -> None:
    words = ("--dont-know", "unsure", "--item", "pair", "--set", "set", "--label", "label")
    answer = json.loads(study(ratings, *words, "--positive", "same", "--json"))
    text = study(ratings, *words, "--positive", "same")
    votes = [(pair_set["items"], vote) for pair_set in answer["sets"] for vote in pair_set["votes"]]
    few = [vote for items, vote in votes if vote["n"] != items and vote["value"] is not None]
    assert few
    for vote in few:
        assert (
            f"{vote['value']:.3f} ({vote['low']:.3f}–{vote['high']:.3f}; n = {vote['n']})" in text
        )
    assert {vote["method"] for vote in few} == {"exact"}


def test_the_seed_tells_the_intervals(tmp_path: Path) -> None:
    path = tmp_path / "n.csv"
    rows = (f"{at % 5},{at % 7 % 5}" for at in range(60))
    path.write_text("\n".join(["Anna,Ben", *rows]))
    asked = ("--scale", "interval", "--json")
    assert study(path, *asked) == study(path, *asked, "--seed", "0")
    assert study(path, *asked) != study(path, *asked, "--seed", "1")


def test_a_study_or_a_file_is_asked_for(ratings: Path) -> None:
    for words in ([], ["1", "--ratings", str(ratings)]):
        done = CliRunner().invoke(app, ["study", "agreement", *words])
        assert done.exit_code == 2
        assert "a file of ratings with" in done.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--scale", "ordinal"], "ratings.tsv, line 2: 'same' is no number"),
        (["--scale", "likert"], "no scale 'likert'; take one of nominal, ordinal"),
        (["--rater", "Eve"], "no column 'Eve'"),
        (["--label", "label"], "say the column of labels and the positive one"),
        (["--positive", "same"], "say the column of labels and the positive one"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_1(
    words: list[str],
    message: str,
    ratings: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(UserError, match=message):
        study(ratings, *words)
    command = ["termexplorer", "study", "agreement", "--ratings", str(ratings), *words]
    monkeypatch.setattr(sys, "argv", command)
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == 1
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)


def test_three_raters_are_a_matrix_printed_and_written(tmp_path: Path) -> None:
    path, out = tmp_path / "ratings.csv", tmp_path / "couples.csv"
    path.write_text(
        "rater_A,rater_B,rater_C\n" + "yes,yes,no\nno,no,no\nyes,no,yes\nno,no,\n" * 5, "utf-8"
    )
    text = study(path, "--couples", str(out))
    assert "Krippendorff's alpha of each two" in text
    assert "Cohen's kappa of each two" in text
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    figures_by_couple = {
        tuple(e["raters"]): e["figures"] for e in json.loads(study(path, "--json"))["pairs"]
    }
    assert len(figures_by_couple) == 3
    for row in rows:
        assert row[row["rater"]] == ""
        for other in {"rater_A", "rater_B", "rater_C"} - {row["rater"]}:
            (figures,) = (
                figures_by_couple[two]
                for two in figures_by_couple
                if set(two) == {row["rater"], other}
            )
            (figure,) = (
                own_figure for own_figure in figures if own_figure["metric"] == row["figure"]
            )
            value = figure["n" if row["part"] == "items" else row["part"]]
            assert float(row[other]) == pytest.approx(value)
    assert {row["figure"] for row in rows} >= {"alpha", "cohen"}
    assert {row["part"] for row in rows} == {"value", "low", "high", "items"}
    with pytest.raises(UserError, match="name the file"):
        study(path, "--couples", str(tmp_path / "couples.doc"))


@pytest.mark.parametrize("sign", ["*", "."])
def test_signs_of_missing_values_are_no_labels_and_are_told(tmp_path: Path, sign: str) -> None:
    signed, empty = tmp_path / "signed.csv", tmp_path / "empty.csv"
    rows = "rater_A,rater_B\n" + f"1,1\n2,{sign}\n{sign},3\n3,3\n1,2\n"
    signed.write_text(rows, "utf-8")
    empty.write_text(rows.replace(sign, ""), "utf-8")
    for scale in ("nominal", "ordinal"):
        words = ["study", "agreement", "--scale", scale, "--json", "--ratings"]
        done = CliRunner().invoke(app, [*words, str(signed)])
        assert done.exit_code == 0, done.output
        assert f"2 ratings are “{sign}”" in done.stderr
        answer = json.loads(done.stdout)
        assert answer["labels"] == ["1", "2", "3"]
        assert (
            answer["alpha"]
            == json.loads(CliRunner().invoke(app, [*words, str(empty)]).stdout)["alpha"]
        )
    content = json.loads(study(signed, "--missing", "none", "--json"))
    assert sign in content["labels"]


ITEMS_IN_SEVERAL_ROWS = """\
item,A,B,lab
1,same,same,Same
1,not,same,same
1,same,Same,same
2,not,not,not
2,not,,not
3,same,Same,same
"""


@pytest.mark.parametrize(
    ("words", "items", "taken"),
    [
        ((), 6, "they count as 5 items; --item"),
        (("--item", "item"), 3, "a rater's first rating of each counts"),
    ],
)
def test_items_in_several_lines_and_labels_in_two_spellings_are_counted(
    tmp_path: Path, words: tuple[str, ...], items: int, taken: str
) -> None:
    path = tmp_path / "g.csv"
    path.write_text(ITEMS_IN_SEVERAL_ROWS)
    command = ["study", "agreement", "--ratings", str(path), "--label", "lab", "--positive", "same"]
    done = CliRunner().invoke(app, [*command, *words, "--json"])
    assert json.loads(done.stdout)["items"] == items
    repeats, spellings = done.stderr.splitlines()
    assert "2 items are repeated (by “item”), in 5 lines, 1 of them contradicting" in repeats
    assert taken in repeats
    assert "“Same” (3), “same” (8)" in spellings


def test_a_repeated_item_contradicts_itself_by_its_label_too(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_text(ITEMS_IN_SEVERAL_ROWS.replace("2,not,,not", "2,not,,same"))
    command = ["study", "agreement", "--ratings", str(path), "--label", "lab", "--positive", "same"]
    done = CliRunner().invoke(app, command)
    assert "in 5 lines, 2 of them contradicting" in done.stderr


def test_terms_tell_items_apart_where_no_column_does(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    command = ["study", "agreement", "--ratings", str(path)]
    path.write_text("term 1,term 2,A,B\na,b,s,s\na,c,n,n\na,b,n,s\n")
    assert "(by “term 1”, “term 2”), in 2 lines" in CliRunner().invoke(app, command).stderr
    path.write_text("term 1,term 2,A,B\na,b,s,s\na,c,n,n\nd,b,n,s\n")
    assert CliRunner().invoke(app, command).stderr == ""
