"""Whatever becomes a study can be sent, opened, judged, and merged; all else is refused at once."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from toy_studies import ANNA, answer_all, at_work, make, opened, pool

from termexplorer.errors import UserError
from termexplorer.services.pairs.sampling import PairPool
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.changes import add_annotator, rename_study
from termexplorer.services.studies.glossary import Entry
from termexplorer.services.studies.packs import write_pack
from termexplorer.services.studies.presets import find_scale
from termexplorer.services.studies.status import study_status
from termexplorer.services.studies.studies import LookUp, StudyPlan, new_study, studies_of
from termexplorer.store.judging.studies import AnswerChoice
from termexplorer.workspace import Workspace

SAME = find_scale("same")
SIGNS = st.one_of(
    st.characters(codec="utf-8"),
    st.sampled_from("\0\x07\x1b\t\n\r\x85\u2028\u202e\u2066\u200b\u00a0\ud800aAäa\u0308ﬁ "),
)


def texts(longest: int) -> st.SearchStrategy[str]:
    """Short texts of any characters, and now and then a long one."""
    return st.one_of(
        st.text(SIGNS, min_size=1, max_size=6),
        st.sampled_from(["x" * longest, "x" * (longest + 1), "ä" * longest]),
    )


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Workspace, Workspace, Path]]:
    folder = tmp_path_factory.mktemp("places")
    with opened(folder / "author") as author, opened(folder / "clinic") as clinic:
        yield author, clinic, folder


@st.composite
def plans(draw: st.DrawFn) -> tuple[StudyPlan, list[PairPool], list[PairPool]]:
    """A plan of which one part, or several, may be what nobody can send."""
    odd = draw(st.sets(st.sampled_from(["title", "people", "question", "rules", "answers", "terms",
                                        "checks", "glossary"]), max_size=3))  # fmt: skip

    def one(part: str, longest: int, usual: str) -> str:
        return draw(texts(longest)) if part in odd else usual

    answers = (
        AnswerChoice(one("answers", 100, "yes"), one("answers", 500, "so it is"), 1.0),
        AnswerChoice("no", "", 0.0, "", one("answers", 500, "a hint")),
    )
    scale = replace(
        SAME, question=one("question", 2_000, "Same?"), similar=answers[0].answer,
        guidelines=one("rules", 200_000, "Judge\nalone."), answers=answers,
    )  # fmt: skip
    entry = Entry(one("glossary", 2_000, "flu"), one("glossary", 2_000, "influenza"))
    plan = StudyPlan(
        one("title", 2_000, "T"), [ANNA, one("people", 200, "Ben")], scale, 1,
        seed=draw(st.integers(0, 2**60)), look_up=LookUp(glossary=(entry,)), tell_practice=True,
        practice=1, repeat=0.5,
    )  # fmt: skip
    term, check = one("terms", 2_000, "a term"), one("checks", 2_000, "a check")
    pools = [pool("one", 2, 2), PairPool("odd", [term], ["another"], [1.0])]
    return plan, pools, [PairPool("known", [check], ["known"], [0.0])]


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(plan_and_pools=plans())
def test_what_is_made_is_opened_judged_and_merged(
    places: tuple[Workspace, Workspace, Path],
    plan_and_pools: tuple[StudyPlan, list[PairPool], list[PairPool]],
) -> None:
    author, clinic, folder = places
    before = len(studies_of(author))
    try:
        study_id = new_study(author, *plan_and_pools).id
    except UserError:
        assert len(studies_of(author)) == before
        return
    for seat in study_status(author, study_id).seats:
        write_pack(author, study_id, seat.annotator, folder / "pack")
        judging = at_work(clinic, folder / "pack")
        answers = judging.study.head.answers
        answer_all(
            judging, lambda position, given_answers=answers: given_answers[position % 2].answer
        )
        write_answers(clinic, judging.study.id, seat.annotator, folder / "answers")
        (merged,) = merge_answers(author, [folder / "answers"])
        assert merged.new_rows == len(judging.turns)


LONG, TURNED = "x" * 2_001, "safe\u202egpj.exe"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"title": LONG}, "the title has 2,001 characters"),
        ({"title": TURNED}, r"the title holds .* U\+202E at 5"),
        ({"annotators": ["Anna", "x" * 201]}, "has 201 characters"),
        ({"annotators": ["Anna", "Be\0n"]}, r"'Be\\x00n' holds .* U\+0000"),
        ({"annotators": ["Anna", "ANNA"]}, "named twice"),
        ({"annotators": ["J\u00f6rg", "Jo\u0308rg"]}, "named twice"),
        ({"scale": replace(SAME, guidelines="x" * 250_000)}, "the guidelines has 250,000"),
        ({"scale": replace(SAME, guidelines="a\0b")}, r"the guidelines holds .* U\+0000 at 2"),
        ({"scale": replace(SAME, question="Same?\x1b[2J")}, r"the question holds .* U\+001B"),
    ],
)
def test_what_nobody_could_open_is_refused_when_it_is_made(
    empty: Workspace, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        make(empty, **changes)
    assert studies_of(empty) == []


def test_changes_of_a_study_are_checked_alike(empty: Workspace) -> None:
    make(empty)
    with pytest.raises(UserError, match="the title has 2,001"):
        rename_study(empty, 1, LONG)
    with pytest.raises(UserError, match=r"U\+202E"):
        add_annotator(empty, 1, TURNED)
    with pytest.raises(UserError, match="judges in study 1 already"):
        add_annotator(empty, 1, ANNA.upper())
