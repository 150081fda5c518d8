"""Who said it: signed packs and answers, what is in doubt, and what the author chooses."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from study_packs_steps import leave_keys_out, linked, rewritten
from toy_studies import ANNA, BEN, SEEN, answer_all, at_work, make, opened, sent

from termexplorer.errors import UserError
from termexplorer.services.signing.private_keys import author_key
from termexplorer.services.studies.answer_doubts import AnswersDoubt, AnswersInDoubtError
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.merge_results import AnswersChoice
from termexplorer.services.studies.packs import open_pack
from termexplorer.services.studies.set_aside import list_doubtful, list_study_keys
from termexplorer.services.studies.status import judgements, study_status
from termexplorer.services.studies.studies import find_study
from termexplorer.services.verdicts.log import check_log
from termexplorer.workspace import Workspace

ACCEPT, ADD, REJECT = AnswersChoice


def answers(author: Workspace, folder: Path, where: str, say: str, who: str = ANNA) -> Path:
    """What somebody sends back who judged at some machine."""
    path = folder / f"{who} {where}.termanswers"
    with opened(folder / where) as workspace:
        answer_all(at_work(workspace, sent(author, 1, who, folder)), lambda _place: say)
        write_answers(workspace, 1, who, path)
    return path


def said(author: Workspace, who: str = ANNA) -> set[str]:
    return {
        judgement.answer.answer for judgement in judgements(author, 1) if judgement.annotator == who
    }


def doubt_of(author: Workspace, path: Path) -> AnswersDoubt:
    """Why a file is not merged; nothing is added, and a copy of it is kept."""
    before = check_log(author)
    with pytest.raises(AnswersInDoubtError) as error:
        merge_answers(author, [path])
    assert "\n" not in str(error.value)
    assert check_log(author) == before
    result = list_study_keys(author, find_study(author, 1)).files
    assert path.read_bytes() in [copy.read_bytes() for _, copy in result]
    return error.value.answers.doubt


def signer(author: Workspace, who: str = ANNA) -> str:
    return next(seat.signed for seat in study_status(author, 1).seats if seat.annotator == who)


def relabel(path: Path, pack: Path, folder: Path) -> Path:
    """Make one annotator's file another's, with all hashes as they have to be."""
    whole = json.loads(pack.read_text("utf-8"))
    turns = [*whole["content"]["practice"], *whole["content"]["pairs"]]

    def change(content: dict[str, Any]) -> None:
        content |= {"annotator": whole["content"]["annotator"], "pack": whole["hash"]}
        for row, turn in zip(content["rows"], turns, strict=True):
            row |= {"left": turn["left"], "right": turn["right"]}
        linked(content)

    copy = folder / "relabelled"
    copy.write_bytes(path.read_bytes())
    return rewritten(copy, change)


def test_the_first_key_of_a_seat_is_its_own(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    assert signer(empty) == ""
    first = answers(empty, tmp_path, "clinic", "same")
    (merged,) = merge_answers(empty, [first])
    assert (merged.signed, signer(empty)) == ("signed", "signed")
    with opened(tmp_path / "clinic") as workspace:
        judging = at_work(workspace, sent(empty, 1, ANNA, tmp_path))
        judging.judge(judging.turns[0], "not same", SEEN)
        write_answers(workspace, 1, ANNA, first)
    (more,) = merge_answers(empty, [first])
    assert (more.new_rows, more.key) == (1, merged.key)
    seat = study_status(empty, 1).seats[0]
    assert seat.key == merged.key == json.loads(first.read_text("utf-8"))["signature"]["key"]


@pytest.mark.parametrize(
    ("choice", "counts", "state"),
    [(ACCEPT, {"not same"}, True), (ADD, {"not same"}, True), (REJECT, {"same"}, False)],
)
def test_of_two_keys_the_author_chooses_and_both_files_are_kept(
    empty: Workspace, tmp_path: Path, choice: AnswersChoice, counts: set[str], state: bool
) -> None:
    make(empty)
    first = answers(empty, tmp_path, "clinic", "same")
    second = answers(empty, tmp_path, "elsewhere", "not same")
    (merged,) = merge_answers(empty, [first])
    assert doubt_of(empty, second) is AnswersDoubt.OTHER_KEY
    assert signer(empty) == "doubtful"
    (waiting,) = list_doubtful(empty, find_study(empty, 1))
    assert (waiting.verdicts, waiting.verdicts_here, waiting.keys_here) == (11, 11, (merged.key,))
    (chosen,) = merge_answers(empty, [second], choice)
    assert chosen.choice == choice.value
    assert said(empty) == counts
    assert signer(empty) == "signed"
    assert list_doubtful(empty, find_study(empty, 1)) == []
    keys = {key.key: key.trusted for key in list_study_keys(empty, find_study(empty, 1)).keys}
    assert keys[chosen.key] is state
    assert keys[merged.key] is (choice is not ACCEPT)
    # and the other way round, as nothing is lost
    if choice is ACCEPT:
        merge_answers(empty, [first])  # it brings nothing new
        assert said(empty) == counts
    if choice is REJECT:
        with pytest.raises(AnswersInDoubtError, match="it was rejected on"):
            merge_answers(empty, [second])
        assert signer(empty) == "signed"
        merge_answers(empty, [second], ACCEPT)
        assert said(empty) == {"not same"}
    check_log(empty)


def test_a_choice_may_be_taken_back(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    first = answers(empty, tmp_path, "clinic", "same")
    second = answers(empty, tmp_path, "elsewhere", "not same")
    merge_answers(empty, [first])
    merge_answers(empty, [second], ACCEPT)
    with opened(tmp_path / "clinic") as workspace:
        judging = at_work(workspace, sent(empty, 1, ANNA, tmp_path))
        judging.judge(judging.turns[0], "don't know", SEEN)
        write_answers(workspace, 1, ANNA, first)
    assert doubt_of(empty, first) is AnswersDoubt.OTHER_KEY
    merge_answers(empty, [first], ACCEPT)
    assert sorted(judgement.answer.answer for judgement in judgements(empty, 1)) == [
        "don't know", *["same"] * 10,
    ]  # fmt: skip
    (again,) = merge_answers(empty, [first])
    assert (again.new_rows, again.choice) == (0, "")


def strip(path: Path) -> Path:
    return rewritten(path, lambda _content: None)


def forge(path: Path) -> Path:
    """Change what was said and make all hashes anew, but for the signature, which nobody can."""
    whole = json.loads(path.read_text("utf-8"))
    signature = whole["signature"]

    def change(content: dict[str, Any]) -> None:
        content["rows"][3]["answer"] = "not same"
        linked(content)

    rewritten(path, change)
    whole = json.loads(path.read_text("utf-8")) | {"signature": signature}
    path.write_text(json.dumps(whole), "utf-8")
    return path


def cut_tail(path: Path) -> Path:
    whole = json.loads(path.read_text("utf-8"))
    signature = whole["signature"]
    rewritten(path, lambda content: content.update(rows=content["rows"][:4]))
    whole = json.loads(path.read_text("utf-8")) | {"signature": signature}
    path.write_text(json.dumps(whole), "utf-8")
    return path


@pytest.mark.parametrize("attack", [forge, cut_tail])
def test_a_signature_that_does_not_fit_is_in_doubt_from_the_first_file_on(
    empty: Workspace, tmp_path: Path, attack: Callable[[Path], Path]
) -> None:
    make(empty)
    true = answers(empty, tmp_path, "clinic", "same")
    sound = true.read_bytes()
    assert doubt_of(empty, attack(true)) is AnswersDoubt.INVALID
    true.write_bytes(sound)
    (merged,) = merge_answers(empty, [true])
    assert merged.new_rows == 11


def test_unsigned_answers_after_signed_ones_are_in_doubt(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    merge_answers(empty, [answers(empty, tmp_path, "clinic", "same")])
    other = strip(answers(empty, tmp_path, "elsewhere", "not same"))
    assert doubt_of(empty, other) is AnswersDoubt.UNSIGNED
    (chosen,) = merge_answers(empty, [other], ACCEPT)
    assert (chosen.signed, said(empty), signer(empty)) == ("unsigned", {"not same"}, "unsigned")


@pytest.mark.parametrize("stripped", [True, False])
def test_answers_that_were_made_somebody_elses_are_not_merged_silently(
    empty: Workspace, tmp_path: Path, stripped: bool
) -> None:
    make(empty)
    anna = answers(empty, tmp_path, "clinic", "same")
    ben_pack = sent(empty, 1, BEN, tmp_path)
    swapped = relabel(anna, ben_pack, tmp_path)
    if not stripped:
        whole = json.loads(swapped.read_text("utf-8"))
        whole["signature"] = json.loads(anna.read_text("utf-8"))["signature"]
        swapped.write_text(json.dumps(whole), "utf-8")
    merge_answers(empty, [anna])
    assert doubt_of(empty, swapped) is (AnswersDoubt.COPIED if stripped else AnswersDoubt.INVALID)
    assert said(empty, BEN) == set()


def test_the_true_file_is_taken_after_a_forged_one_and_the_forged_one_stays_in_the_log(
    empty: Workspace, tmp_path: Path
) -> None:
    make(empty)
    true = answers(empty, tmp_path, "clinic", "same")
    forged = tmp_path / "forged"
    forged.write_bytes(true.read_bytes())

    def change(content: dict[str, Any]) -> None:
        for row in content["rows"]:
            row["answer"] = "not same"
        linked(content)

    merge_answers(empty, [rewritten(forged, change)])
    assert (said(empty), signer(empty)) == ({"not same"}, "unsigned")
    assert doubt_of(empty, true) is AnswersDoubt.CHANGED
    merge_answers(empty, [true], ACCEPT)
    assert (said(empty), signer(empty)) == ({"same"}, "signed")
    assert check_log(empty) == 3 * 11  # what was said, taken back, and said
    (again,) = merge_answers(empty, [true])
    assert again.new_rows == 0
    assert doubt_of(empty, forged) is AnswersDoubt.CHANGED
    # what the author's workspace writes itself is sound
    write_answers(empty, 1, ANNA, tmp_path / "again")
    (same,) = merge_answers(empty, [tmp_path / "again"])
    assert same.new_rows == 0


def test_one_key_for_two_annotators_is_in_doubt(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    anna = answers(empty, tmp_path, "clinic", "same")
    merge_answers(empty, [anna])
    with opened(tmp_path / "clinic") as workspace:
        judging = at_work(workspace, sent(empty, 1, BEN, tmp_path))
        answer_all(judging)
        keys = sorted(
            (workspace.folder / "keys").glob("*.key"), key=lambda key: key.stat().st_mtime_ns
        )
        keys[1].write_bytes(keys[0].read_bytes())
        write_answers(workspace, 1, BEN, tmp_path / "ben")
    assert doubt_of(empty, tmp_path / "ben") is AnswersDoubt.OTHER_SEAT


def test_signed_answers_that_lack_what_was_merged_unsigned_are_in_doubt(
    empty: Workspace, tmp_path: Path
) -> None:
    make(empty)
    merge_answers(empty, [strip(answers(empty, tmp_path, "elsewhere", "not same"))])
    assert doubt_of(empty, answers(empty, tmp_path, "clinic", "same")) is AnswersDoubt.BESIDE


def test_a_file_of_before_signatures_goes_on_signed(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    first = answers(empty, tmp_path, "clinic", "same")
    signed = first.read_bytes()
    (merged,) = merge_answers(empty, [strip(first)])
    assert (merged.signed, merged.key, signer(empty)) == ("unsigned", "", "unsigned")
    first.write_bytes(signed)
    (again,) = merge_answers(empty, [first])
    assert (again.new_rows, signer(empty)) == (0, "signed")


def test_without_keys_packs_and_answers_go_unsigned(
    empty: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(empty)
    signed = answers(empty, tmp_path, "clinic", "same")
    pack = sent(empty, 1, BEN, tmp_path)
    with monkeypatch.context() as patch:
        leave_keys_out(patch)
        (merged,) = merge_answers(empty, [signed])
        assert (merged.signed, merged.new_rows) == ("unchecked", 11)
        with opened(tmp_path / "ben") as workspace:
            result = open_pack(workspace, pack)
            assert (result.author, "cannot be checked" in result.doubt) == ("", True)
        ben = answers(empty, tmp_path, "without", "same", BEN)
    assert "signature" not in json.loads(ben.read_text("utf-8"))
    (merged,) = merge_answers(empty, [ben])
    assert (merged.signed, signer(empty, BEN)) == ("unsigned", "unsigned")


def test_nothing_is_rejected_that_is_in_no_doubt(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    path = answers(empty, tmp_path, "clinic", "same")
    with pytest.raises(UserError, match="in no doubt"):
        merge_answers(empty, [path], REJECT)
    assert check_log(empty) == 0


def test_a_pack_tells_its_author_and_another_author_is_told(
    empty: Workspace, tmp_path: Path
) -> None:
    make(empty)
    own_key = author_key(empty)
    assert own_key is not None
    packs = {who: sent(empty, 1, who, tmp_path) for who in (ANNA, BEN)}
    with opened(tmp_path / "clinic") as workspace:
        result = open_pack(workspace, packs[ANNA])
        assert (result.author, result.doubt) == (own_key.public, "")
        with opened(tmp_path / "other author") as other:
            make(other)
            strange = sent(other, 1, BEN, tmp_path / "other author")
        result = open_pack(workspace, strange)
        assert "with the key" in result.doubt
        assert "ask who sent it" in result.doubt
        assert open_pack(workspace, packs[BEN]).doubt == ""
        assert (
            "unsigned" in open_pack(workspace, rewritten(packs[BEN], lambda _content: None)).doubt
        )


def test_a_pack_whose_signature_does_not_fit_is_refused(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    pack = sent(empty, 1, ANNA, tmp_path)
    signature = json.loads(pack.read_text("utf-8"))["signature"]
    rewritten(pack, lambda content: content["pairs"].reverse())
    whole = json.loads(pack.read_text("utf-8")) | {"signature": signature}
    pack.write_text(json.dumps(whole), "utf-8")
    with opened(tmp_path / "clinic") as workspace, pytest.raises(UserError, match="its signature"):
        open_pack(workspace, pack)


@pytest.mark.parametrize(
    "signature",
    ["x", [], {}, {"key": "a" * 64}, {"key": "a" * 63, "value": "a" * 128},
     {"key": "A" * 64, "value": "a" * 128}, {"key": "a" * 64, "value": "x" * 128},
     {"key": "a" * 64, "value": "a" * 128, "more": 1}, {"key": 1, "value": "a" * 128}],
)  # fmt: skip
def test_what_is_no_signature_is_one_error(
    empty: Workspace, tmp_path: Path, signature: object
) -> None:
    make(empty)
    pack = sent(empty, 1, ANNA, tmp_path)
    whole = json.loads(pack.read_text("utf-8")) | {"signature": signature}
    pack.write_text(json.dumps(whole), "utf-8")
    with pytest.raises(UserError, match="signature") as error:
        open_pack(empty, pack)
    assert "\n" not in str(error.value)
