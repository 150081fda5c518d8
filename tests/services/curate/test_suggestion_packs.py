"""Suggestions that go to a curator as a study pack, and come back as verdicts on them."""

import json
from pathlib import Path
from typing import Any

import pytest
from study_packs_steps import linked, rewritten
from toy_reviews import ANNA, BEN, keep, say, suggested
from toy_studies import SEEN, answer_all, at_work, opened
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.curate.answers.suggestion_packs import pack_suggestions
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.glossary import look_up
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.merge_results import AnswersChoice
from termexplorer.services.verdicts.log import (
    CURATORS,
    Answer,
    check_log,
    give_verdict,
    judged,
    now,
)
from termexplorer.workspace import Workspace

ROWS = [
    suggested("TOY:2", "TOY:1"),
    suggested("TOY:2", "TOY:1", term="lung infection"),
    suggested("TOY:1", "OTHER:1", object_label="disease of the lung"),
    suggested("TOY:1", "TOY:2", predicate="skos:exactMatch"),
]
LUNG, INFECTION = "lung disease [TOY:1]", "lung infection [TOY:2]"
Said = set[tuple[str, str, str, str]]


def answers_of(workspace: Workspace, path: Path) -> Path:
    judging = Judging(workspace, 1, "Anna Berg (0000-0002-1825-0097)")
    write_answers(workspace, judging.study.id, judging.annotator, path)
    return path


def said(workspace: Workspace) -> Said:
    return {
        (j.judge.name, j.subject.term, j.subject.object, j.answer.answer) for j in judged(workspace)
    }


def test_a_curator_judges_elsewhere_and_it_counts_here_once(
    workspace: Workspace, tmp_path: Path
) -> None:
    list_id = keep(workspace, ROWS)
    pack = tmp_path / "anna.termstudy"
    packed = pack_suggestions(workspace, list_id, ANNA, pack)
    assert (packed.study_id, packed.questions) == (1, 4)
    with opened(tmp_path / "elsewhere") as opened_workspace:
        judging = at_work(opened_workspace, pack)
        assert [(turn.left, turn.right) for turn in judging.turns] == [
            (INFECTION, f"narrower than: {LUNG}"),
            (f"“lung infection”, a name of {INFECTION}", f"narrower than: {LUNG}"),
            (LUNG, "narrower than: disease of the lung [OTHER:1]"),
            (LUNG, f"the same as: {INFECTION}"),
        ]
        (entry,) = look_up(judging.study.head.look_up.glossary, judging.turns[2].left)
        assert entry.text == "Also called: disease of the lung. Below: disease."
        for turn, answer in zip(judging.turns, ("correct", "wrong", "unsure"), strict=False):
            judging.judge(turn, answer, SEEN, "a note" if answer == "wrong" else "")
        judging.skip(judging.turns[3], SEEN)
        answers = answers_of(opened_workspace, tmp_path / "first")
        (merged,) = merge_answers(workspace, [answers])
        assert (merged.new_rows, merged.curated) == (4, 4)
        assert said(workspace) == {
            ("Anna Berg", "", "TOY:1", "correct"),
            ("Anna Berg", "lung infection", "TOY:1", "wrong"),
            ("Anna Berg", "", "OTHER:1", "unsure"),
            ("Anna Berg", "", "TOY:2", "later"),
        }
        (wrong,) = (verdict for verdict in judged(workspace) if verdict.answer.note)
        assert (wrong.judge, wrong.subject) == (ANNA, ROWS[1].about)
        assert wrong.answer.release_hash == find_ontology(workspace, "1").content_hash
        assert wrong.answer.shown_at == SEEN.shown_at
        (again,) = merge_answers(workspace, [answers])
        assert (again.new_rows, again.curated) == (0, 0)

        # what is taken back there, and said instead, is taken back and said here
        judging.undo()
        judging.undo()
        judging.judge(judging.turns[2], "correct", SEEN)
        (more,) = merge_answers(workspace, [answers_of(opened_workspace, tmp_path / "second")])
        assert (more.new_rows, more.curated) == (3, 3)
    assert said(workspace) == {
        ("Anna Berg", "", "TOY:1", "correct"),
        ("Anna Berg", "lung infection", "TOY:1", "wrong"),
        ("Anna Berg", "", "OTHER:1", "correct"),
    }
    assert check_log(workspace) == 14


def test_what_a_pack_does_not_ask_is_counted(workspace: Workspace, tmp_path: Path) -> None:
    twice = suggested("TOY:1", "TOY:2", predicate="skos:broadMatch")
    alone = suggested("TOY:1", "TOY:1")
    rows = [suggested("TOY:2", "TOY:1"), twice, alone, suggested("TOY:1", "OTHER:1")]
    list_id = keep(workspace, rows)
    say(workspace, ANNA, rows[0], "correct")
    pack = tmp_path / "anna.termstudy"
    packed = pack_suggestions(workspace, list_id, ANNA, pack)
    assert packed.questions == 1
    assert packed.left_out == {"repeated": 1, "identical": 1, "judged": 1}
    with opened(tmp_path / "elsewhere") as opened_workspace:
        assert len(at_work(opened_workspace, pack).turns) == 1
    words = ["suggestion", "pack", str(list_id), "--curator", BEN.name, "--orcid", BEN.orcid]
    words += ["--out", str(tmp_path / "ben.termstudy"), "--workspace", str(workspace.folder)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "2 pairs left out" in done.stdout


def test_what_was_said_here_later_stays(workspace: Workspace, tmp_path: Path) -> None:
    list_id = keep(workspace, ROWS)
    pack = tmp_path / "anna.termstudy"
    pack_suggestions(workspace, list_id, ANNA, pack)
    with opened(tmp_path / "elsewhere") as opened_workspace:
        answer_all(at_work(opened_workspace, pack), lambda _at: "correct")
        answers = answers_of(opened_workspace, tmp_path / "answers")
    late = "2999-01-01T00:00:00.000+00:00"
    give_verdict(workspace, ANNA, ROWS[0].about, Answer("wrong", "", late, late))
    (merged,) = merge_answers(workspace, [answers])
    assert merged.curated == 3
    assert [verdict.answer.answer for verdict in judged(workspace, CURATORS)] == ["wrong"] + [
        "correct"
    ] * 3


def test_a_pack_asks_what_is_open_and_stays_what_it_was(
    workspace: Workspace, tmp_path: Path
) -> None:
    list_id = keep(workspace, ROWS[:2])
    for row, answer in zip(ROWS, ("later", "wrong"), strict=False):
        say(workspace, ANNA, row, answer)
    anna, ben = tmp_path / "anna", tmp_path / "ben"
    assert pack_suggestions(workspace, list_id, ANNA, anna).questions == 1
    text = anna.read_text("utf-8")
    assert (
        json.loads(text)["content"]["question"]
        == "Does the left one belong below the right one rather than where it is?"
    )
    assert pack_suggestions(workspace, list_id, BEN, ben).study_id == 1
    say(workspace, ANNA, ROWS[0], "correct")
    pack_suggestions(workspace, list_id, ANNA, anna)
    assert anna.read_text("utf-8") == text
    say(workspace, BEN, ROWS[0], "correct")
    with pytest.raises(UserError, match="Ben has judged all of list 1"):
        pack_suggestions(workspace, list_id, BEN, ben, first=1)


def test_from_the_command_line(workspace: Workspace, tmp_path: Path) -> None:
    keep(workspace, ROWS)
    pack, workspace_option = tmp_path / "pack", ["--workspace", str(workspace.folder)]
    runner = CliRunner()
    done = runner.invoke(
        app, ["suggestion", "pack", "1", "--curator", "Ben", "--out", str(pack), *workspace_option]
    )
    assert done.output == f"{pack} asks Ben about 4 suggestions; study 1\n"
    with opened(tmp_path / "elsewhere") as elsewhere:
        answer_all(at_work(elsewhere, pack), lambda _at: "wrong")
        write_answers(elsewhere, 1, "Ben", tmp_path / "answers")
    done = runner.invoke(app, ["study", "merge", str(tmp_path / "answers"), *workspace_option])
    assert "Ben: 4 rows are verdicts on suggestions" in done.output
    assert {row[3] for row in said(workspace)} == {"wrong"}
    report = ["study", "report", "1", "--out", str(tmp_path / "report.html"), *workspace_option]
    done = runner.invoke(app, report)
    assert done.exit_code == 0, done.output
    assert "concepts of suggestions" in (tmp_path / "report.html").read_text("utf-8")


def test_of_two_files_of_a_curator_the_chosen_one_counts_among_suggestions(
    workspace: Workspace, tmp_path: Path
) -> None:
    pack = tmp_path / "anna.termstudy"
    pack_suggestions(workspace, keep(workspace, ROWS), ANNA, pack)
    files = []
    for answer in ("wrong", "correct"):
        with opened(tmp_path / answer) as opened_workspace:
            answer_all(at_work(opened_workspace, pack), lambda _place, answer=answer: answer)
            files.append(answers_of(opened_workspace, tmp_path / f"{answer}.json"))
    forged = tmp_path / "forged"
    forged.write_bytes(files[1].read_bytes())

    def change(content: dict[str, Any]) -> None:
        for number, row in enumerate(content["rows"]):
            row |= {"answer": "unsure", "answered_at": f"2999-01-01T10:00:0{number}.000+00:00"}
        linked(content)

    merge_answers(workspace, [rewritten(forged, change)])
    assert {answer for *_, answer in said(workspace)} == {"unsure"}
    assert all(verdict.answer.answered_at <= now() for verdict in judged(workspace))
    for path, answer in ((files[1], "correct"), (files[0], "wrong")):
        merge_answers(workspace, [path], AnswersChoice.ACCEPT)
        assert {answer for *_, answer in said(workspace)} == {answer}
    check_log(workspace)
