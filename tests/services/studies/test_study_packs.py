"""Packs and answers: what is in them, what comes back, and what is refused."""

import gzip
import json
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from study_packs_steps import Change, linked, rewritten
from toy_studies import ANNA, BEN, SEEN, answer_all, at_work, make, opened, sent

from termexplorer.errors import UserError
from termexplorer.services.studies.answer_doubts import AnswersInDoubtError
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.merge_results import AnswersChoice, Differing
from termexplorer.services.studies.packs import open_pack
from termexplorer.services.studies.status import judgements, study_status
from termexplorer.services.verdicts.log import check_log
from termexplorer.workspace import Workspace


def answered(author: Workspace, folder: Path, say: str = "same") -> Path:
    """What comes back of Anna, who said the same of everything."""
    with opened(folder / "annas") as workspace:
        judging = at_work(workspace, sent(author, 1, ANNA, folder))
        answer_all(judging, lambda _place: say)
        write_answers(workspace, judging.study.id, ANNA, folder / "anna.json")
    return folder / "anna.json"


def test_a_pack_tells_nothing_of_where_pairs_came_from(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    pack = sent(empty, 1, ANNA, tmp_path)
    text = pack.read_text("utf-8")
    assert json.loads(text)["content"].keys() == {
        "study", "title", "question", "level", "guidelines", "answers", "annotator", "practice",
        "pairs",
    }  # fmt: skip
    for hidden_word in ("score", "label", "set_name", "seed", "similar", BEN):
        assert hidden_word not in text
    shown = [{"left", "right"}] * 2
    content = json.loads(text)["content"]
    assert [set(turn) for turn in content["practice"]] == shown
    assert len(content["pairs"]) == 9
    assert sent(empty, 1, ANNA, tmp_path).read_text("utf-8") == text


def test_a_pack_is_all_that_an_annotator_needs(empty: Workspace, tmp_path: Path) -> None:
    make(empty, each=3)
    answers = answered(empty, tmp_path, "not same")
    (merged,) = merge_answers(empty, [answers])
    assert (merged.annotator, merged.rows, merged.new_rows, merged.differing) == (ANNA, 16, 16, ())
    stored_judgements = judgements(empty, 1)
    assert {judgement.annotator for judgement in stored_judgements} == {ANNA}
    assert {judgement.answer.answer for judgement in stored_judgements} == {"not same"}
    assert {judgement.pair.set_name for judgement in stored_judgements} == {"one", "two"}
    assert sum(judgement.showing == 2 for judgement in stored_judgements) == 2
    turns = {turn.place: turn for turn in Judging(empty, 1, ANNA).turns}
    for judgement in stored_judgements:
        details = judgement.answer.details
        assert turns[details["place"]].left == details["left"]
        assert (details["active_ms"], details["wall_ms"]) == (1_500, 2_000)
        assert details["looked_up"] is False
    anna, ben = study_status(empty, 1).seats
    assert (anna.judged, anna.asked, anna.practised, anna.practice) == (14, 14, 2, 2)
    assert (ben.judged, ben.asked, ben.last_at) == (0, 14, "")
    assert study_status(empty, 1).complete == 0
    answer_all(Judging(empty, 1, BEN))
    assert study_status(empty, 1).complete == study_status(empty, 1).pairs == 12
    assert check_log(empty) == 32


def test_packs_of_several_annotators_and_answers_meet_in_one_place(
    empty: Workspace, tmp_path: Path
) -> None:
    make(empty)
    with opened(tmp_path / "clinic") as workspace:
        for name in (ANNA, BEN):
            assert open_pack(workspace, sent(empty, 1, name, tmp_path)).new
            assert not open_pack(workspace, sent(empty, 1, name, tmp_path)).new
            answer_all(Judging(workspace, 1, name))
            write_answers(workspace, 1, name, tmp_path / f"{name}.json")
        (again,) = merge_answers(workspace, [tmp_path / f"{ANNA}.json"])
        assert (again.rows, again.new_rows) == (11, 0)
        its_own = sent(workspace, 1, ANNA, tmp_path / "clinic").read_bytes()
        assert its_own == sent(empty, 1, ANNA, tmp_path).read_bytes()
    assert not open_pack(empty, sent(empty, 1, ANNA, tmp_path)).new
    merged = merge_answers(empty, [tmp_path / f"{name}.json" for name in (BEN, ANNA, BEN)])
    assert [outcome.new_rows for outcome in merged] == [11, 11, 0]
    assert study_status(empty, 1).complete == 8


def test_only_what_is_merged_is_worth_a_backup(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    answers = answered(empty, tmp_path)
    sound = answers.read_bytes()
    rewritten(answers, lambda content: content.update(title=1))
    with pytest.raises(UserError):
        merge_answers(empty, [answers])
    assert list(empty.folder.glob("backups/*")) == []
    answers.write_bytes(sound)
    merge_answers(empty, [answers])
    assert len(list(empty.folder.glob("backups/*"))) == 1


@pytest.mark.parametrize("moment", ["9999-12-31", "2026-13-01", "2026-02-30", "1601-01-01"])
@pytest.mark.parametrize("name", ["answered_at", "shown_at"])
def test_a_moment_that_cannot_be_is_refused(
    empty: Workspace, tmp_path: Path, name: str, moment: str
) -> None:
    make(empty)
    answers = answered(empty, tmp_path)

    def change(content: dict[str, Any]) -> None:
        content["rows"][0][name] = f"{moment}T10:00:00.000+00:00"
        linked(content)

    with pytest.raises(UserError):
        merge_answers(empty, [rewritten(answers, change)])
    assert check_log(empty) == 0


def test_an_annotator_goes_on_at_another_machine(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    pack = sent(empty, 1, ANNA, tmp_path)
    with opened(tmp_path / "ward") as ward, opened(tmp_path / "home") as home:
        first = at_work(ward, pack)
        for _ in range(4):
            first.judge(first.turns[len(first.said)], "same", SEEN)
        write_answers(ward, 1, ANNA, tmp_path / "half.json")
        open_pack(home, pack)
        merge_answers(home, [tmp_path / "half.json"])
        second = Judging(home, 1, ANNA)
        second.undo()
        answer_all(second, lambda _place: "not same")
        write_answers(home, 1, ANNA, tmp_path / "whole.json")
    merged = merge_answers(empty, [tmp_path / "whole.json", tmp_path / "half.json"])
    assert [(outcome.new_rows, outcome.differing) for outcome in merged] == [(13, ()), (0, ())]
    answers = Judging(empty, 1, ANNA).said
    assert [answer.answer for answer in answers.values()] == ["same"] * 3 + ["not same"] * 8


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_who_answers_twice_is_heard_last_and_differences_are_listed(
    empty: Workspace, tmp_path: Path, order: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    make(empty)
    pack = sent(empty, 1, ANNA, tmp_path)
    files = []
    for number, answer in enumerate(("same", "not same")):
        moments = (f"2026-03-0{number + 1}T10:00:{n:02}.000+00:00" for n in range(60))
        monkeypatch.setattr("termexplorer.services.studies.judging.now", moments.__next__)
        with opened(tmp_path / answer) as workspace:
            answer_all(
                at_work(workspace, pack), lambda at, say=answer: say if at < 5 else "don't know"
            )
            files.append(tmp_path / f"{answer}.json")
            write_answers(workspace, 1, ANNA, files[-1])
    monkeypatch.undo()
    both = [files[name] for name in order]
    with pytest.raises(AnswersInDoubtError):  # another key: another machine, or somebody else
        merge_answers(empty, both)
    assert judgements(empty, 1) == []
    first, second = merge_answers(empty, both, AnswersChoice.ADD)
    assert first.differing == ()
    assert len(second.differing) == 5
    assert {(difference.earlier, difference.later) for difference in second.differing} == {
        ("same", "not same")
    }
    assert isinstance(second.differing[0], Differing)
    answers = sorted(judgement.answer.answer for judgement in judgements(empty, 1))
    assert answers == ["don't know"] * 6 + ["not same"] * 5
    assert [json_answer.new_rows for json_answer in merge_answers(empty, files)] == [0, 0]


def zipped(name: str, content: bytes, flags: int = 0) -> bytes:
    raw = BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    packed = bytearray(raw.getvalue())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        packed[packed.index(mark) + at] |= flags
    return bytes(packed)


NO_FILES = {
    "a zip with a name that leads out": (zipped("../../evil", b"x"), "it is an archive; unpack it"),
    "a zip bomb": (zipped("pack.json", bytes(20_000_000)), "it is an archive; unpack it"),
    "an encrypted zip": (zipped("pack.json", b"x", 1), "it is an archive; unpack it"),
    "gzip": (gzip.compress(b"{}"), "it is an archive; unpack it"),
    "nothing": (b"", "line 1: it is cut off, damaged, or no file of a study"),
    "bytes": (bytes(range(128, 256)), "it is no text in UTF-8"),
    "lists in lists": (b"[" * 100_000, "lists in lists|cut off"),
    "a list": (b"[]", "the file is no object with fields"),
    "another object": (
        b'{"a": 1}', "it is not (a study pack|an annotator's answers) of termexplorer",
    ),
    "a field twice": (b'{"a": 1, "a": 2}', "it has a field twice"),
    "no number": (b'{"a": NaN}', "NaN is no number"),
    "a long number": (b"1" * 5_000, "Exceeds the limit|no object"),
    "a newer one": (
        b'{"termexplorer": "%s", "version": 4, "content": {}}', "written by a newer termexplorer",
    ),
    "another version of the form": (
        b'{"termexplorer": "%s", "version": "1"}', "version is no whole number",
    ),
}  # fmt: skip


def all_rows(workspace: Workspace) -> list[str]:
    with closing(sqlite3.connect(workspace.store.path)) as raw:
        return list(raw.iterdump())


def unchanged(workspace: Workspace, message: str, step: Callable[[], object]) -> None:
    """A step is refused in one line, and nothing is changed."""
    before = all_rows(workspace)
    with pytest.raises(UserError, match=message) as error:
        step()
    assert "\n" not in str(error.value)
    assert all_rows(workspace) == before


@pytest.mark.parametrize("subject", NO_FILES)
def test_what_is_no_file_of_a_study_is_refused(
    empty: Workspace, tmp_path: Path, subject: str
) -> None:
    content, message = NO_FILES[subject]
    path = tmp_path / "file"
    for kind, step in (
        (b"study pack", lambda: open_pack(empty, path)),
        (b"study answers", lambda: merge_answers(empty, [path])),
    ):
        path.write_bytes(content.replace(b"%s", kind))
        unchanged(empty, f"^{path}: .*({message})", step)


def test_a_file_of_another_kind_or_none_is_refused(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    answers, pack = answered(empty, tmp_path), sent(empty, 1, ANNA, tmp_path)
    unchanged(
        empty,
        "it is a study pack, not an annotator's answers; name that file",
        lambda: merge_answers(empty, [pack]),
    )
    unchanged(
        empty, "it is an annotator's answers, not a study pack", lambda: open_pack(empty, answers)
    )
    missing = tmp_path / "missing"
    unchanged(empty, "cannot be read", lambda: merge_answers(empty, [missing]))
    unchanged(empty, "cannot be read", lambda: open_pack(empty, tmp_path))


def drop(name: str) -> Change:
    return lambda content: content.pop(name)


def put(name: str, value: object) -> Change:
    return lambda content: content.update({name: value})


def in_row(number: int, **values: object) -> Change:
    return lambda content: content["rows"][number].update(values)


BAD_PACKS: dict[str, tuple[Change, str]] = {
    "without a title": (drop("title"), "title is missing"),
    "with more fields": (put("code", "print()"), "code does not belong there"),
    "without pairs": (put("pairs", []), "pairs is no list of 1 to"),
    "too long a term": (
        put("pairs", [{"left": "a" * 2_001, "right": "b"}]), "pairs, 1: left is no text of 1 to"
    ),
    "half a character": (put("title", "\ud800"), "title holds what is no character"),
    "a term twice": (put("pairs", [{"left": "a", "right": "a"}]), "twice the same term"),
    "asked too often": (put("pairs", [{"left": "a", "right": "b"}] * 3), "asked too often"),
    "a set": (
        put("pairs", [{"left": "a", "right": "b", "set": "x"}]), "pairs, 1: set does not belong"
    ),
    "no number": (
        put("answers", [{"answer": str(n), "meaning": "", "value": 1e300} for n in range(2)]),
        "no number that can be counted with",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD_PACKS)
def test_a_pack_that_is_not_as_packs_are_is_refused(
    empty: Workspace, tmp_path: Path, kind: str
) -> None:
    change, message = BAD_PACKS[kind]
    with opened(tmp_path / "author") as author:
        make(author)
        pack = rewritten(sent(author, 1, ANNA, tmp_path), change)
    unchanged(empty, message, lambda: open_pack(empty, pack))


def test_another_version_of_a_pack_is_refused(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    anna, ben = (sent(empty, 1, name, tmp_path) for name in (ANNA, BEN))
    rewritten(anna, lambda content: content["pairs"].reverse())
    unchanged(empty, "is another version of study 1", lambda: open_pack(empty, anna))
    rewritten(ben, put("guidelines", "other ones"))
    unchanged(empty, "is another version of study 1", lambda: open_pack(empty, ben))
    with opened(tmp_path / "clinic") as workspace:
        open_pack(workspace, sent(empty, 1, ANNA, tmp_path))
        unchanged(workspace, "is another version of study 1", lambda: open_pack(workspace, ben))


@pytest.mark.parametrize("cut", [1, 40, 0.5, -3])
def test_a_file_that_is_cut_off_is_refused(empty: Workspace, tmp_path: Path, cut: float) -> None:
    make(empty)
    path = answered(empty, tmp_path)
    raw = path.read_bytes()
    path.write_bytes(raw[: int(cut * len(raw)) if isinstance(cut, float) else cut])
    unchanged(empty, "cut off, damaged", lambda: merge_answers(empty, [path]))


def twice(content: dict[str, Any]) -> None:
    content["rows"].append(dict(content["rows"][3]))
    linked(content)


def twice_under_another_id(content: dict[str, Any]) -> None:
    content["rows"].append({**content["rows"][3], "id": "0" * 64})
    linked(content)


def relinked(change: Change) -> Change:
    def both(content: dict[str, Any]) -> None:
        change(content)
        linked(content)

    return both


BAD_ANSWERS: dict[str, tuple[Change, bool, str]] = {
    "changed": (in_row(3, answer="not same"), False, "it was changed after it was written"),
    "changed and sealed": (
        in_row(3, answer="not same"), True, "row 4 or one before it was changed after",
    ),
    "shortened and sealed": (lambda c: c["rows"].pop(2), True, "row 3 or one before it"),
    "duplicate verdicts": (twice, True, "row 12 is there twice"),
    "duplicates of another id": (twice_under_another_id, True, "row 12 is there twice"),
    "another study": (put("study", "0" * 64), True, "another version of the study 'A study'"),
    "an unknown study": (
        lambda c: c.update(study="0" * 64, title="Mine"), True, "another study, 'Mine'",
    ),
    "another version": (put("pack", "0" * 64), True, "another version of study 1; export"),
    "an unknown annotator": (
        put("annotator", "Eve"), True, "'Eve', who does not judge in study 1; Anna Berg, Ben do",
    ),
    "somebody else's": (put("annotator", BEN), True, "another version of study 1"),
    "an unknown pair": (
        relinked(in_row(3, left="x", right="y")), True, "'x' and 'y' are not what was asked at 4",
    ),
    "an unknown place": (relinked(in_row(3, place=11)), True, "place is no whole number from 0 to"),
    "no answer of the study": (
        relinked(in_row(3, answer="maybe")), True, "'maybe' is no answer of the study",
    ),
    "another time": (relinked(in_row(3, answered_at="now")), True, "no moment in UTC"),
    "a time without an end": (
        relinked(in_row(3, answered_at="9999-12-31T23:59:59.999+00:00")), True, "no moment in UTC",
    ),
    "no day": (
        relinked(in_row(3, answered_at="2026-13-01T10:00:00.000+00:00")), True, "month must be",
    ),
    "a time that is no number": (relinked(in_row(3, active_ms=-1)), True, "active_ms is no whole"),
    "taken back before": (
        relinked(lambda c: c["rows"].__setitem__(
            0, {"id": "0" * 64, "undoes": "1" * 64, "answered_at": "", "link": ""}
        )),
        True, "a row takes back what is no verdict before it",
    ),
    "more": (put("code", "print()"), True, "code does not belong there"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD_ANSWERS)
def test_answers_that_do_not_fit_are_refused(empty: Workspace, tmp_path: Path, kind: str) -> None:
    change, seal, message = BAD_ANSWERS[kind]
    make(empty)
    path = answered(empty, tmp_path)
    good = path.with_name("good.json")
    good.write_bytes(path.read_bytes())
    rewritten(path, change, seal)
    unchanged(empty, message, lambda: merge_answers(empty, [path]))
    # nor are sound files merged that come with it
    unchanged(empty, message, lambda: merge_answers(empty, [good, path]))


def test_a_row_that_says_something_else_than_when_it_was_merged_is_refused(
    empty: Workspace, tmp_path: Path
) -> None:
    make(empty)
    path = answered(empty, tmp_path)
    merge_answers(empty, [path])
    rewritten(path, relinked(in_row(3, answer="not same")))
    before = check_log(empty)
    with pytest.raises(AnswersInDoubtError, match="something else of rows that were merged before"):
        merge_answers(empty, [path])
    assert check_log(empty) == before
