"""Studies: which pairs are drawn, who is asked what and in which order."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_studies import ANNA, BEN, answer_all, make, pool

from termexplorer.errors import UserError
from termexplorer.services.agreement.agreement import Reckoning
from termexplorer.services.pairs.files import read_pools
from termexplorer.services.pairs.sampling import PairPool, draw
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.presets import find_protocol, find_scale, protocols, scales
from termexplorer.services.studies.status import study_status
from termexplorer.services.studies.studies import StudyPlan, find_seat, find_study, new_study
from termexplorer.services.studies.truth import judged_study, measure_study
from termexplorer.services.studies.turns import hand_out
from termexplorer.store.judging import studies
from termexplorer.store.judging.studies import StudyPair
from termexplorer.workspace import Workspace


def terms(pair: StudyPair) -> frozenset[str]:
    return frozenset((pair.subject, pair.object))


@given(
    sizes=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=4),
    per_kind=st.integers(1, 5),
    practice=st.integers(0, 6),
    seed=st.integers(0, 5),
)
def test_as_many_of_each_kind_are_drawn_as_there_are(
    sizes: list[tuple[int, int]], per_kind: int, practice: int, seed: int
) -> None:
    pools = [pool(f"set {number}", *size) for number, size in enumerate(sizes)]
    drawn = draw(pools, per_kind, practice, seed)
    counts = Counter((p.set_name, p.score) for p in drawn.pairs if not p.practice)
    for pair_set, (similar, dissimilar) in zip(drawn.sets, sizes, strict=True):
        wanted = min(per_kind, similar), min(per_kind, dissimilar)
        assert (pair_set.similar, pair_set.dissimilar) == wanted
        assert (counts[pair_set.name, 1.0], counts[pair_set.name, 0.0]) == wanted
        assert bool(pair_set.short) == (wanted != (per_kind, per_kind))
    assert len({terms(pair) for pair in drawn.pairs}) == len(drawn.pairs)
    kinds = Counter(pair.score for pair in drawn.pairs if pair.practice)
    spare = [sum(max(0, size[kind] - per_kind) for size in sizes) for kind in (0, 1)]
    assert sum(kinds.values()) == min(practice, sum(spare))
    if min(spare) >= practice:
        assert (kinds[1.0], kinds[0.0]) == (practice - practice // 2, practice // 2)
    assert draw(pools, per_kind, practice, seed) == drawn


def test_a_pair_of_several_sets_is_drawn_once_whatever_its_case_and_order() -> None:
    pools = [
        PairPool("one", ["Heart", "a", "b"], ["COR", "a", "b"], [1.0, 1.0, 0.0]),
        PairPool("two", ["cor", "lung"], ["heart", "pulmo"], [1.0, 1.0]),
    ]
    drawn = draw(pools, 5, 0, 0)
    assert drawn.pairs == (
        StudyPair("COR", "Heart", False, "one", 1.0), StudyPair("lung", "pulmo", False, "two", 1.0),
    )  # fmt: skip
    short = "1 similar and 0 dissimilar pairs, not the 5 that were asked for"
    assert [pair_set.short.startswith(f"{pair_set.name}: {short}") for pair_set in drawn.sets] == [
        True
    ] * 2


def test_of_ratings_as_many_are_drawn_as_of_both_kinds() -> None:
    rated = PairPool("rated", [f"a{n}" for n in range(9)], ["b"] * 9, [n / 2 for n in range(9)])
    drawn = draw([rated], 3, 0, 0)
    assert len(drawn.pairs) == 6
    assert drawn.sets[0].short == ""
    assert "rated: 9 pairs, not the 10" in draw([rated], 5, 0, 0).sets[0].short


@given(
    pairs=st.integers(4, 30),
    people=st.integers(1, 5),
    data=st.data(),
    repeat=st.floats(0, 0.5),
    seed=st.integers(0, 5),
)
def test_pairs_are_shared_out_evenly_and_repeats_come_late(
    pairs: int, people: int, data: st.DataObject, repeat: float, seed: int
) -> None:
    overlap = data.draw(st.integers(1, people))
    names = [f"annotator {number}" for number in range(people)]
    practice = [StudyPair(f"p{n}", f"q{n}", True) for n in range(3)]
    asked = [StudyPair(f"a{n}", f"b{n}", False) for n in range(pairs)]
    handed = hand_out([*practice, *asked], names, overlap, repeat, seed)
    judges: Counter[frozenset[str]] = Counter()
    loads = []
    for turns in handed.values():
        assert [turn.place for turn in turns] == list(range(len(turns)))
        assert [turn.practice for turn in turns] == [True] * 3 + [False] * (len(turns) - 3)
        first = {frozenset((t.left, t.right)): t.place for t in turns if t.showing == 1}
        again = {frozenset((t.left, t.right)): t.place for t in turns if t.showing == 2}
        assert len(first) + len(again) == len(turns)
        loads.append(len(first) - 3)
        assert len(again) == min(round(repeat * loads[-1]), loads[-1] // 2)
        assert all(position - first[pair] >= loads[-1] / 2 for pair, position in again.items())
        judges.update(first.keys())
    assert max(loads) - min(loads) <= 1
    assert {judges[terms(pair)] for pair in asked} == {overlap}
    assert hand_out([*practice, *asked], names, overlap, repeat, seed) == handed


@pytest.mark.parametrize(("people", "shared", "each_set"), [(3, 0.2, 25), (4, 0.5, 10), (2, 0, 7)])
def test_a_share_is_judged_by_all_and_the_others_by_one_each(
    people: int, shared: float, each_set: int
) -> None:
    names = [f"annotator {number}" for number in range(people)]
    asked = [
        replace(StudyPair.of((f"{name} {label} a{n}", f"{name} {label} b{n}")), set_name=name,
                score=label)
        for name in ("one", "two")
        for label in (1.0, 0.0)
        for n in range(each_set)
    ]  # fmt: skip
    handed = hand_out(asked, names, people, 0, 1, shared)
    judges = Counter(frozenset((t.left, t.right)) for turns in handed.values() for t in turns)
    assert set(judges.values()) <= {people, 1}
    common = [pair for pair in asked if judges[terms(pair)] == people]
    assert len(common) == round(shared * len(asked))
    for name in ("one", "two"):
        for label in (1.0, 0.0):
            common_count = sum((pair.set_name, pair.score) == (name, label) for pair in common)
            assert abs(common_count - shared * each_set) <= 1
        loads = [sum(t.left.startswith(name) for t in turns) for turns in handed.values()]
        assert max(loads) - min(loads) <= 1
    whole = [len(turns) for turns in handed.values()]
    assert max(whole) - min(whole) <= 1
    assert hand_out(asked, names, people, 0, 1, shared) == handed
    assert hand_out(asked, names, people, 0, 2, shared) != handed


def test_agreement_is_of_what_several_judged_and_says_so(empty: Workspace) -> None:
    study_id = make(empty, annotators=["Anna", "Ben", "Cleo"], shared=0.5, repeat=0)
    assert study_status(empty, study_id).askers == ((3, 4), (1, 4))
    for name in ("Anna", "Ben", "Cleo"):
        answer_all(Judging(empty, study_id, name))
    report = measure_study(judged_study(empty, study_id), Reckoning(resamples=10))
    assert (report.items, report.overlapping) == (8, 4)
    assert "4 of 8 items" in report.overlap_told
    with pytest.raises(UserError, match="cannot be judged by several"):
        make(empty, shared=1.5)


def test_each_annotator_has_an_own_order_and_sides_of_their_own(empty: Workspace) -> None:
    study = find_study(empty, make(empty, each=6, practice=0, repeat=0))
    anna, ben = (find_seat(empty, study, name)[1] for name in (ANNA, BEN))
    orders = [[frozenset((t.left, t.right)) for t in turns] for turns in (anna, ben)]
    assert orders[0] != orders[1]
    assert set(orders[0]) == set(orders[1])
    assert len({(t.left, t.right) for t in anna} & {(t.left, t.right) for t in ben}) < len(anna)
    assert {t.left < t.right for t in anna} == {True, False}
    with pytest.raises(UserError, match=r"'Cleo' does not judge in study 1; Anna Berg, Ben do"):
        find_seat(empty, study, "Cleo")


def test_a_study_keeps_its_pairs_with_their_sets(empty: Workspace) -> None:
    study_id = make(empty)
    with empty.store.reading() as connection:
        pairs = studies.pairs_of(connection, study_id)
    assert Counter(
        (pair.set_name, pair.score) for pair in pairs if not pair.practice
    ) == dict.fromkeys([(name, score) for name in ("one", "two") for score in (0.0, 1.0)], 2)
    assert [pair.practice for pair in pairs] == [True] * 2 + [False] * 8


def test_the_same_plan_is_the_same_study_and_is_made_once(empty: Workspace) -> None:
    make(empty)
    with pytest.raises(UserError, match="study 1 is the same; give another title or seed"):
        make(empty)
    assert make(empty, seed=2) == 2
    keys = {find_study(empty, study_id).head.key for study_id in (1, 2)}
    assert len(keys) == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"title": " "}, "give the study a title"),
        ({"annotators": []}, "name the annotator"),
        ({"annotators": ["Anna", "Anna "]}, "named twice"),
        ({"each": 0}, "at least one pair"),
        ({"repeat": 0.6}, r"0\.6 of the pairs cannot be repeated; at most 0\.5 can"),
        ({"overlap": 3}, "3 cannot judge each pair; 2 annotators are named"),
        ({"annotators": list("abcdefghi"), "overlap": 1}, "fewer pairs than annotators"),
    ],
)
def test_what_cannot_be_a_study_is_told(
    empty: Workspace, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        make(empty, **changes)
    with pytest.raises(UserError, match="1: no such study"):
        find_study(empty, 1)


def test_sets_without_a_pair_to_judge_are_told(empty: Workspace) -> None:
    plan = StudyPlan("t", ["a"], find_scale("same"), 3)
    with pytest.raises(UserError, match="no pair of two different terms"):
        new_study(empty, plan, [PairPool("one", ["a"], ["A"], [1.0])])
    with pytest.raises(UserError, match="one: pair 1 has a term of more than 2,000 characters"):
        new_study(empty, plan, [PairPool("one", ["a" * 2_001], ["b"], [1.0])])


TITLES = "left\tright\tlabel\tleft_concept\tright_concept\tdistance\n"


def test_a_folder_of_sets_and_other_files_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "pairs"
    folder.mkdir()
    rows = "heart\tcor\t1\tA:1\tA:1\t4\nheart\tlung\t0\tA:1\tA:2\t5\n"
    (folder / "synonym_synonym-hard-nearest.tsv").write_text(TITLES + rows, "utf-8")
    (folder / "replaced_by-easy-random.tsv").write_text(TITLES + rows, "utf-8")
    (folder / "pairs.json").write_text("{}", "utf-8")
    single = tmp_path / "rated.csv"
    single.write_text("term1,term2,score\nheart,cor,3.5\nheart,lung,1\n", "utf-8")
    pools = list(read_pools([folder, single]))
    assert [pair_pool.name for pair_pool in pools] == [
        "replaced_by-easy-random", "synonym_synonym-hard-nearest", "rated",
    ]  # fmt: skip
    assert pools[0] == PairPool(
        "replaced_by-easy-random", ("heart", "heart"), ("cor", "lung"), [1.0, 0.0]
    )
    assert pools[2].scores == [3.5, 1.0]
    with pytest.raises(UserError, match="another set is called rated too"):
        list(read_pools([single, single]))
    bare = tmp_path / "bare"
    bare.mkdir()
    with pytest.raises(UserError, match="holds no pair sets"):
        list(read_pools([bare]))
    (bare / "a.tsv").write_text(TITLES + "heart\t\t1\t\t\t0\n", "utf-8")
    with pytest.raises(UserError, match=r"a\.tsv, line 2: column 2 has no term"):
        list(read_pools([bare]))


def test_presets_are_complete() -> None:
    assert list(scales()) == ["same", "relatedness", "one-to-four"]
    assert [answer.answer for answer in find_scale("same").answers] == [
        "same",
        "not same",
        "don't know",
    ]
    values = [answer.value for answer in find_scale("relatedness").answers]
    assert values == [0, 1, 2, 3, None]
    assert {name: protocol.each for name, protocol in protocols().items()} == {
        "doctors": 30,
        "one-hour": 5,
    }
    with pytest.raises(UserError, match="no protocol 'x'; there are doctors, one-hour"):
        find_protocol("x")
