"""Answers that a study's author has written: read, sent out, merged, and measured."""

import json
import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from study_packs_steps import rewritten
from toy_studies import ANNA, BEN, SEEN, answer_all, at_work, make, opened, sent
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.replicate.study.protocol import annotators_section, protocol_section
from termexplorer.services.agreement.agreement import Reckoning, report_agreement
from termexplorer.services.agreement.rows import agreement_rows
from termexplorer.services.studies.adjudication.deciding import decide
from termexplorer.services.studies.adjudication.decisions import Decision
from termexplorer.services.studies.adjudication.disputed_pairs import disputed
from termexplorer.services.studies.answer_lines import (
    LEVELS,
    check_answers,
    read_answers,
    write_answer,
)
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.packs import open_pack
from termexplorer.services.studies.presets import AnswerChoice, Scale, scales
from termexplorer.services.studies.ratings import rated_study
from termexplorer.services.studies.report import report_study
from termexplorer.services.studies.status import judgements
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

WORDS = st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=9).map("a {}".format)
KINSHIP = (
    "e: equal [you would write either]", "i: wider", "n: narrower", "o: other", "u: unsure = ?",
)  # fmt: skip
CLEO = "Cleo"


@given(st.data(), st.sampled_from(LEVELS))
def test_answers_are_read_as_they_are_written(data: st.DataObject, level: str) -> None:
    count = data.draw(st.integers(2, 6))
    words = data.draw(st.lists(WORDS, min_size=count, max_size=count, unique_by=str.casefold))
    keys = data.draw(st.permutations("ABDEF12"))
    extra = st.one_of(st.just(""), WORDS)
    similar = data.draw(st.sampled_from(["", words[0]]))
    lines, wanted = [], []
    for at, (word, key) in enumerate(zip(words, keys, strict=False)):
        meaning, hint, own_key = (
            data.draw(extra),
            data.draw(extra),
            data.draw(st.sampled_from([key, ""])),
        )
        value: float = data.draw(st.integers(-9, 9)) + at * 20
        if level == "nominal":
            value = 1 if word == similar else (0, 2, 3, 4, 5, 6)[at - bool(similar)]
        wanted.append(AnswerChoice(word, meaning, value, own_key, hint))
        number = f"  = {value}" if level != "nominal" else ""
        line = f"{own_key.lower()}: {word}" if own_key else word
        lines += ["", line + number + (f" ({meaning})" if meaning else "")]
        lines[-1] += f" [{hint}]" if hint else ""
    wanted.append(AnswerChoice("don't know"))
    result = read_answers([*lines, " don't know = ?"], level, similar)
    assert result == tuple(wanted)
    assert (
        read_answers([write_answer(answer, level) for answer in result], level, similar) == result
    )


def test_presets_come_back_as_they_are() -> None:
    for scale in scales().values():
        lines = [write_answer(answer, scale.level) for answer in scale.answers]
        assert read_answers(lines, scale.level, scale.similar) == scale.answers
    assert lines[:2] == ["1 (unrelated)", "2 (marginally related)"]


@pytest.mark.parametrize(
    ("lines", "level", "message"),
    [
        ("one", "nominal", "1 answers are asked for; 2 to 20"),
        ("don't know|unsure = ?", "nominal", "fewer than two answers are ratings"),
        ("mild|severe", "ordinal", "give them numbers, such as “mild = 1”"),
        ("a = 1|b = 1.0", "interval", "two answers have the number '1'"),
        ("Yes|yes", "nominal", "two answers have the answer 'yes'"),
        ("y: yes|Y: no", "nominal", "two answers have the key 'Y'"),
        ("g: good|bad", "nominal", "'G' cannot be a key"),
        ("skipped = 1|b = 2", "ordinal", "'skipped' stands for no rating"),
        ("NA|b", "nominal", "'NA' stands for no rating; use another word"),
        ("don't know = 3|b = 2|c = 1", "ordinal", "stands for no rating"),
        ("a" * 101 + "|b", "nominal", "more than 100 characters"),
        ("a|b", "cardinal", "no level 'cardinal'"),
    ],
)
def test_answers_that_cannot_be_asked_for_are_told(lines: str, level: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_answers(lines.split("|"), level)


def test_which_one_means_similar_has_to_be_a_rating(empty: Workspace) -> None:
    answers = read_answers(["a = 1", "b = 2", "c"], "ordinal")
    with pytest.raises(ValueError, match="'c' is no answer that could mean similar"):
        check_answers(answers, "ordinal", "c")
    with pytest.raises(UserError, match="'d' is no answer that could mean similar"):
        make(empty, scale=Scale("How?", "ordinal", "", answers, "d"))
    with pytest.raises(UserError, match="say what is asked of each pair"):
        make(empty, scale=Scale(" ", "ordinal", "", answers))


def test_packs_of_presets_are_those_of_before_and_others_are_looked_at(
    empty: Workspace, tmp_path: Path
) -> None:
    make(empty)
    pack = sent(empty, 1, ANNA, tmp_path)
    content = json.loads(pack.read_text("utf-8"))["content"]
    assert {name for answer in content["answers"] for name in answer} == {
        "answer",
        "meaning",
        "value",
    }

    def twice(content: dict[str, list[dict[str, str]]]) -> None:
        content["answers"][1] = content["answers"][0]

    message = "two answers have the answer 'same'"
    with opened(tmp_path / "other") as other, pytest.raises(UserError, match=message):
        open_pack(other, rewritten(pack, twice))


def say(left: str, annotator: str) -> str:
    """Anna is right; Ben tells wider ones from other ones; Cleo sees narrower ones everywhere."""
    if " s" in left:
        return "unsure" if annotator == CLEO else "equal"
    return {ANNA: "other", BEN: "wider", CLEO: "narrower"}[annotator]


def test_kinds_of_an_author_from_the_pack_to_the_report(tmp_path: Path) -> None:
    scale = Scale("How?", "nominal", "", read_answers(KINSHIP, "nominal", "equal"), "equal")
    with opened(tmp_path / "author") as author:
        make(author, scale=scale, annotators=[ANNA, BEN, CLEO], repeat=0)
        for name in (ANNA, BEN, CLEO):
            with opened(tmp_path / name) as workspace:
                judging = at_work(workspace, sent(author, 1, name, tmp_path))
                assert judging.study.head.answers == scale.answers
                answer_all(judging, lambda at: say(judging.turns[at].left, name))  # noqa: B023
                write_answers(workspace, 1, name, tmp_path / f"{name}.json")
        merge_answers(author, [tmp_path / f"{name}.json" for name in (ANNA, BEN, CLEO)])
        report = report_agreement(rated_study(author, 1), Reckoning(resamples=10))
        assert (report.scale, report.labels) == ("nominal", ("equal", "narrower", "other", "wider"))
        assert report.no_majority.value == 0.5  # all kinds of what is not similar
        open_ones = disputed(author, 1)
        assert len(open_ones) == 4
        decide(author, 1, open_ones[0].number, Decision("Dora", "wider", "", "", False))
        whole = report_study(author, 1, (), Reckoning(resamples=10), JobControl(), lambda _: None)
    votes = [{vote.metric: vote.value for vote in pair_set.votes} for pair_set in report.sets]
    assert [(vote["accuracy"], vote["recall"], vote["precision"]) for vote in votes] == [
        (1, 1, 1), (1, 1, 1),
    ]  # fmt: skip
    (own_labels,) = whole.labels
    assert Counter(own_labels.given.labels) == {"similar": 4, "not similar": 4}
    assert [figure.value for figure in own_labels.overall] == [1, 1, 1]
    assert [decision.answer for decision in whole.truth.decided.values()] == ["wider"]
    # raw agreement in two kinds: Cleo is unsure of the similar ones, and all agree on the others
    assert own_labels.beside[1].raters.value == 1


def test_what_is_no_rating_is_called_as_the_study_calls_it(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    scale = Scale("How?", "nominal", "", read_answers(KINSHIP, "nominal", "equal"), "equal")
    with opened(folder) as workspace:
        make(workspace, scale=scale, repeat=0)
        for name, similar in ((ANNA, "equal"), (BEN, "unsure")):
            judging = at_work(workspace, sent(workspace, 1, name, tmp_path))
            for turn in judging.turns:
                judging.judge(turn, similar if " s" in turn.left else "wider", SEEN)
        whole = report_study(
            workspace, 1, (), Reckoning(resamples=10), JobControl(), lambda _: None
        )
    done = CliRunner().invoke(app, ["study", "agreement", "1", "--workspace", str(folder)])
    assert done.exit_code == 0, done.output
    assert "as a “unsure” beside it" in " ".join(done.stdout.split())
    names = {row.figure for row in agreement_rows(whole.agreement)}
    page = f"{protocol_section(whole)} {annotators_section(whole)}"
    assert "unsure" in names
    assert "“Unsure”" in page
    assert "Means similar" in page
    for text in (done.stdout, page, *names):
        assert "don't know" not in text.lower()


def test_steps_of_an_author_are_measured_on_their_level(tmp_path: Path) -> None:
    folder, pairs = tmp_path / "workspace", tmp_path / "set.tsv"
    rows = [f"left {n}\tright {n}\t{n % 2}" for n in range(8)]
    pairs.write_text("\n".join(["left\tright\tlabel", *rows, ""]), "utf-8")
    new = ["study", "new", "--pairs", str(pairs), "--title", "t", "--annotator", ANNA]
    new += ["--annotator", BEN, "--practice", "0", "--question", "How far?", "--level", "interval"]
    for line in ("0", "h: halfway = 50", "100 [all the way]", "don't know"):
        new += ["--answer", line]
    runner = CliRunner()
    done = runner.invoke(app, [*new, "--similar", "halfway", "--workspace", str(folder)])
    assert done.exit_code == 0, done.output
    with opened(folder) as workspace:
        for name, high in ((ANNA, "100"), (BEN, "halfway")):
            judging = at_work(workspace, sent(workspace, 1, name, tmp_path))
            for turn in judging.turns:
                number = int(turn.left.split()[1])
                judging.judge(turn, high if number % 2 else "0", SEEN)
        report = report_agreement(rated_study(workspace, 1), Reckoning(resamples=10))
        assert len(judgements(workspace, 1)) == 16
    assert (report.scale, report.labels) == ("interval", ("0", "50", "100"))
    # alpha by hand: 4 pairs (0, 0) and 4 (100, 50); 8 zeros, 4 fifties, 4 hundreds
    observed = 4 * 2 * 50**2 / 16
    expected = 2 * (8 * 4 * 50**2 + 8 * 4 * 100**2 + 4 * 4 * 50**2) / (16 * 15)
    assert math.isclose(report.overall.figures[0].value, 1 - observed / expected)
    assert {vote.metric: vote.value for vote in report.sets[0].votes}["accuracy"] == 1
