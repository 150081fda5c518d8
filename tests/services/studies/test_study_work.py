"""What windows have done about studies: sizes told before, made, reported, and merged."""

import json
from dataclasses import replace
from math import isnan
from pathlib import Path

import pytest
from toy_studies import ANNA, BEN, answer_all, at_work, opened, pool, sent, write_set
from toy_workspace import quiet

from termexplorer.errors import UserError
from termexplorer.services.agreement.agreement import AgreementReport
from termexplorer.services.agreement.rows import OVERALL, PAIRS, SETS, agreement_rows
from termexplorer.services.studies.answers import write_answers
from termexplorer.services.studies.merge_results import Merged
from termexplorer.services.studies.presets import find_scale
from termexplorer.services.studies.sizes import SECONDS, SetSize, count_sets, study_size
from termexplorer.services.studies.studies import StudyPlan, find_study, new_study, studies_of
from termexplorer.services.studies.work import (
    Refused,
    StudyRequest,
    make_study,
    merge_each,
    study_reports,
)
from termexplorer.workers.process.supervision import JobControl

PLAN = StudyPlan("A study", [ANNA, BEN], find_scale("same"), each=2, practice=2, seed=1)


@pytest.mark.parametrize("overlap", [None, 1, 2])
@pytest.mark.parametrize("repeat", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("per_kind", [1, 4, 30])
def test_what_is_told_before_is_what_is_made(
    tmp_path: Path, overlap: int | None, repeat: float, per_kind: int
) -> None:
    pools = [pool("one", 6, 3), pool("two", 5, 11)]
    sizes = [SetSize(6, 3), SetSize(5, 11)]
    names = ["Anna", "Ben", "Cleo"]
    plan = replace(
        PLAN, annotators=names, each=per_kind, practice=0, repeat=repeat, overlap=overlap
    )
    size = study_size(
        sizes, per_kind=per_kind, practice=0, repeat=repeat, overlap=overlap, annotators=len(names)
    )
    with opened(tmp_path / "workspace") as workspace:
        study = new_study(workspace, plan, pools)
    assert (size.pairs, size.asked) == (study.pairs, max(study.turns.values()))
    assert size.seconds == SECONDS * size.asked


def test_sets_are_counted_with_ratings_and_without(tmp_path: Path) -> None:
    first = write_set(tmp_path, "one", 3, 2)
    rated = tmp_path / "rated.tsv"
    rated.write_text("left\tright\tscore\na\tb\t2.5\nc\td\t1\n", encoding="utf-8")
    assert count_sets([first, rated], JobControl()) == (SetSize(3, 2), SetSize(0, 0, 2))
    size = study_size(
        [SetSize(0, 0, 3)], per_kind=2, practice=5, repeat=0, overlap=None, annotators=0
    )
    assert (size.pairs, size.asked, size.seconds) == (3, 0, 5 * SECONDS)
    with pytest.raises(UserError, match="no pair sets"):
        count_sets([first, _empty(tmp_path)], JobControl())


def _empty(folder: Path) -> Path:
    (folder / "empty").mkdir()
    return folder / "empty"


def test_a_study_is_made_with_a_glossary_or_not_at_all(tmp_path: Path) -> None:
    paths = (write_set(tmp_path, "one", 6, 6),)
    glossary = tmp_path / "glossary.txt"
    glossary.write_text("MI\tmyocardial infarction\n", encoding="utf-8")
    with opened(tmp_path / "workspace") as workspace:
        request = StudyRequest(workspace.folder, PLAN, paths, glossary)
        study = make_study(request, JobControl(), quiet)
        (entry,) = find_study(workspace, study.id).head.look_up.glossary
        assert (entry.term, entry.text) == ("MI", "myocardial infarction")
        for other in (request, replace(request, plan=replace(PLAN, title=" "))):
            with pytest.raises(UserError):
                make_study(other, JobControl(), quiet)
        assert len(studies_of(workspace)) == 1


def test_files_are_merged_one_by_one_and_reported(tmp_path: Path) -> None:
    with opened(tmp_path / "workspace") as workspace:
        request = StudyRequest(workspace.folder, PLAN, (write_set(tmp_path, "one", 6, 6),))
        study_id = make_study(request, JobControl(), quiet).id
        assert "nobody has judged" in str(
            study_reports(workspace, [study_id], JobControl())[study_id]
        )
        files = []
        for name in (ANNA, BEN):
            with opened(tmp_path / name) as opened_workspace:
                answer_all(at_work(opened_workspace, sent(workspace, study_id, name, tmp_path)))
                files.append(tmp_path / f"{name}.termanswers")
                write_answers(opened_workspace, 1, name, files[-1])
        bad = tmp_path / "bad.json"
        bad.write_text(json.dumps({}), encoding="utf-8")
        first, refused, second = merge_each(workspace, [files[0], bad, files[1]])
        assert isinstance(first, Merged)
        assert isinstance(second, Merged)
        assert (first.annotator, first.new_rows) == (ANNA, 6)
        assert isinstance(refused, Refused)
        assert refused.file == str(bad)
        assert "not an annotator's answers" in refused.why
        (again,) = merge_each(workspace, files[:1])
        assert isinstance(again, Merged)
        assert again.new_rows == 0
        report = study_reports(workspace, [study_id], JobControl())[study_id]
    assert isinstance(report, AgreementReport)
    rows = agreement_rows(report)
    alpha, raw = rows[0], rows[1]
    assert (alpha.part, alpha.of, alpha.figure) == (
        OVERALL,
        "all annotators",
        "Krippendorff's alpha",
    )
    assert isnan(alpha.value)
    assert alpha.note
    assert (raw.figure, raw.value, raw.high) == ("raw agreement", 1, 1)
    assert raw.low < 0.5  # as all agree on a few pairs alone
    assert [row.value for row in rows if row.part == PAIRS and row.figure == "raw agreement"] == [1]
    votes = {row.figure: row.value for row in rows if row.part == SETS}
    assert (votes["accuracy"], votes["recall"], votes["precision"]) == (0.5, 0.5, 1)
