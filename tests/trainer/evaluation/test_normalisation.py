from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from termexplorer.trainer.corpora.dictionary import Dictionary
from termexplorer.trainer.corpora.pubtator import Document, Mention
from termexplorer.trainer.corpora.queries import MentionPreparation, Queries, prepare_queries
from termexplorer.trainer.evaluation.figures import TaskResult
from termexplorer.trainer.evaluation.normalisation import normalisation
from termexplorer.trainer.evaluation.scores import Scores, cosine_scores
from termexplorer.trainer.evaluation.sparse import best_weight, with_sparse
from termexplorer.trainer.representations.lexical_names import table_of
from termexplorer.trainer.representations.tfidf import TfidfNames
from termexplorer.trainer.text.names import LabelledNames

NAMES = ["breast cancer", "Breast  neoplasm", "ovarian cancer", "heart attack",
         "myocardial infarction", "cold", "rhinitis", "cold intolerance"]  # fmt: skip
OF = [[0], [0], [1], [2], [2], [3, 4], [3], [4]]
IDS = ("MESH:D1", "MESH:D2", "MESH:D3", "OMIM:4", "OMIM:5", "X:1", "Y:1", "MESH:unnamed")


def dictionary(order: Sequence[int] = range(len(NAMES))) -> Dictionary:
    pairs = [(new, concept) for new, old in enumerate(order) for concept in OF[old]]
    index = np.array(pairs, dtype=np.int64)
    extra = ("common", "rare")  # names of the two concepts that differ by their prefix alone
    names = (*(NAMES[old] for old in order), *extra)
    rows = np.concatenate([index[:, 0], [len(order), len(order) + 1]])
    labels = LabelledNames(names, IDS, rows, np.concatenate([index[:, 1], [5, 6]]))
    return Dictionary(labels, {"MESH:D33": "MESH:D3", "999": "OMIM:4", "MESH:D2": "MESH:D1"})


def document(*mentions: tuple[str, str], text: str = "") -> Document:
    """A document whose mentions stand in its title one after the other."""
    mention_list, title = [], ""
    for name, ids in mentions:
        start = len(title)
        title += name + " "
        concepts = tuple(filter(None, ids.split("|")))
        mention_list.append(Mention(start, start + len(name), name, "Disease", concepts))
    return Document("1", title, text, tuple(mention_list))


def test_ids_are_found_with_and_without_prefix_and_as_alternatives() -> None:
    known_names = dictionary()
    ids = ["MESH:D1", "d1", "mesh:d33", "D33", "OMIM:4", "4", "999", "OMIM:999", "D2"]
    assert [known_names.concept(name) for name in ids] == [0, 0, 2, 2, 3, 3, 3, 3, 1]
    unknown = ["D9", "X:D1", "1", "Z:1", "", "MESH:unnamed", "unnamed", ":"]
    assert {known_names.concept(name) for name in unknown} == {-1}
    assert known_names.is_name("BREAST cancer")
    assert not known_names.is_name("breast")
    with pytest.raises(ValueError, match="D7 stands for D8, which the dictionary does not have"):
        Dictionary(known_names.names, {"D7": "D8"})


def prepared(prepared_queries: Queries) -> list[list[tuple[str, int]]]:
    """The texts and answers of each mention."""
    queries = list(
        zip(prepared_queries.mention, prepared_queries.text, prepared_queries.answer, strict=True)
    )
    return [
        [
            (prepared_queries.texts[text], int(answer))
            for mention, text, answer in queries
            if mention == number
        ]
        for number in range(len(prepared_queries.mentions))
    ]


TEXT = "A myocardial infarction (MI) was seen."
SEEN = [("MI", "D3"), ("breast and ovarian cancer", "D1|D2"), ("cold", "OMIM:4")]


def test_each_step_can_be_left_out() -> None:
    documents = [document(*SEEN, text=TEXT)]
    plain = prepare_queries(documents, dictionary(), MentionPreparation(False, False))
    assert prepared(plain) == [
        [("MI", -1)], [("breast and ovarian cancer", -1)], [("cold", -1)],
    ]  # fmt: skip
    assert plain.exact.tolist() == [False, False, True]
    whole = prepare_queries(documents, dictionary(), MentionPreparation())
    assert prepared(whole) == [
        [("myocardial infarction", -1)], [("breast cancer", -1), ("ovarian cancer", -1)],
        [("cold", -1)],
    ]  # fmt: skip
    assert whole.exact.tolist() == [True, True, True]
    assert (whole.gold_mention.tolist(), whole.gold.tolist()) == ([0, 1, 1, 2], [2, 0, 1, 3])


def test_what_training_tells_wins() -> None:
    training = (
        document(("Cold", "OMIM:5"), ("COLD", "OMIM:5"), ("cold", "4"), ("both", "D2|D1")),
        document(("ovarian cancer", "D3"), ("fever", "D9"), ("pain", ""), ("breast x", "D1|D9")),
    )
    mentions = [("cold", "4"), ("both", "D1|D2"), ("breast and ovarian cancer", "D1|D2")]
    documents = [document(*mentions, ("fever", "D9"), ("breast x", "D1"))]
    result = prepare_queries(documents, dictionary(), MentionPreparation(training=training))
    assert prepared(result) == [
        [("cold", 4)], [("both", 0), ("both", 1)], [("breast cancer", -1), ("ovarian cancer", 2)],
        [("fever", -1)], [("breast x", -1)],
    ]  # fmt: skip
    assert result.exact.tolist() == [True, True, True, False, False]


def test_mentions_of_other_kinds_do_not_count() -> None:
    chemicals = MentionPreparation(kinds=frozenset({"Chemical"}))
    message = "no mentions of Chemical to normalise; there are some of Disease; choose another"
    with pytest.raises(ValueError, match=message):
        prepare_queries([document(*SEEN)], dictionary(), chemicals)
    diseases = MentionPreparation(kinds=frozenset({"disease"}))
    whole = prepare_queries(iter([document(*SEEN)]), dictionary(), diseases)
    assert len(whole.mentions) == len(SEEN)
    with pytest.raises(ValueError, match="there are no mentions to normalise"):
        prepare_queries([], dictionary(), MentionPreparation())


MENTIONS = [
    ("breast tumour", "D1"), ("breast and ovarian tumours", "D1|D2"), ("infarction", "D33"),
    ("both colds", "4|5"), ("known", "5"), ("known", "D1"), ("two", "D1|D2"), ("lost", "D9"),
    ("half lost", "D1|D9"), ("nothing", ""), ("pain or infarction", "D3"),
]  # fmt: skip
TRAINING = (document(("known", "5"), ("two", "D1|D3")),)


def some_queries(order: Sequence[int] = range(len(NAMES))) -> tuple[Queries, LabelledNames]:
    known_names = dictionary(order)
    options = MentionPreparation(training=TRAINING)
    return prepare_queries([document(*MENTIONS)], known_names, options), known_names.names


def scores_of(table: np.ndarray) -> Scores:
    return lambda mentions, candidates: table[mentions][:, candidates].astype(np.float32)


def naive_values(
    row: np.ndarray, names: LabelledNames, answer: int, gold: int
) -> tuple[float, float, float]:
    """The figures of one ranking without ties, from the definition."""
    membership = names.membership().toarray()
    row = row + 100 * membership[:, answer] if answer >= 0 else row
    best = [row[of].max() if of.any() else -np.inf for of in membership.T]
    if answer >= 0:
        best[answer] += 100
    rank = 1 + sum(other > best[gold] for other in best)
    right = membership[np.argsort(-row), gold]
    precisions = [right[: position + 1].mean() for position in np.flatnonzero(right)]
    return float(rank == 1), float(rank <= 5), float(np.mean(precisions))


def naive(queries: Queries, names: LabelledNames, table: np.ndarray) -> np.ndarray:
    seen = []
    for mention in range(len(queries.mentions)):
        of = np.flatnonzero(queries.mention == mention)
        golds = queries.gold[queries.gold_mention == mention]
        values = np.zeros((3, len(of), max(len(golds), 1)))
        for index, query in enumerate(of):
            for column, gold in enumerate(golds):
                if gold >= 0:
                    row, answer = table[queries.text[query]], int(queries.answer[query])
                    values[:, index, column] = naive_values(row, names, answer, gold)
        seen.append(np.minimum(values.max(1).mean(1), values.max(2).mean(1)))
    return np.array(seen).T


def test_figures_are_what_plain_loops_find() -> None:
    queries, names = some_queries()
    table = np.random.default_rng(5).random((len(queries.texts), len(names.names)))
    result = normalisation(queries, names, scores_of(table))
    expected = naive(queries, names, table)
    for values, metric in zip(expected, ["accuracy", "Acc@5", "mAP"], strict=True):
        np.testing.assert_allclose(result.items[metric], values, atol=1e-12)
    assert queries.unknown().tolist() == [False] * 7 + [True] * 3 + [False]
    assert [figure.primary for figure in result.figures] == [True, False, False, False]
    assert result.figures[0].value == pytest.approx(expected[0].mean())
    assert result.figures[0].n == len(MENTIONS)
    inexact = result.figures[3]
    assert inexact.n == (~queries.exact).sum() == 8
    assert inexact.value == pytest.approx(expected[0][~queries.exact].mean())


def test_mentions_that_the_dictionary_lacks_can_be_left_out() -> None:
    queries, names = some_queries()
    table = np.random.default_rng(5).random((len(queries.texts), len(names.names)))
    all_of_them = normalisation(queries, names, scores_of(table))
    known = normalisation(queries, names, scores_of(table), leave_out_unknown=True)
    assert known.figures[0].n == 8
    assert np.isnan(known.items["mAP"]).tolist() == queries.unknown().tolist()
    is_known = ~queries.unknown()
    np.testing.assert_array_equal(known.items["mAP"][is_known], all_of_them.items["mAP"][is_known])
    np.testing.assert_array_equal(all_of_them.items["accuracy"][[7, 9]], 0)


def test_queries_that_are_joined_come_to_what_each_of_them_does() -> None:
    matched, names = some_queries()
    plain = prepare_queries(
        [document(*MENTIONS)], dictionary(), MentionPreparation(composites=False)
    )
    both, asked = plain.joined(matched), []
    assert len(set(both.texts)) == len(both.texts) < len(plain.texts) + len(matched.texts)
    table = np.random.default_rng(6).random((len(both.texts), len(names.names)))

    def scores(queries: Queries) -> Scores:
        places = np.array([both.texts.index(text) for text in queries.texts])

        def counted(mentions: np.ndarray, candidates: np.ndarray) -> np.ndarray:
            asked.extend(mentions)
            return table[places[mentions]][:, candidates].astype(np.float32)

        return counted

    items = normalisation(both, names, scores(both)).items
    together = len(asked)
    for metric, values in items.items():
        parts = [
            normalisation(query_set, names, scores(query_set)).items
            for query_set in (plain, matched)
        ]
        np.testing.assert_array_equal(values, np.concatenate([part[metric] for part in parts]))
    assert together < (len(asked) - together) / len(items)


@settings(max_examples=20)
@given(st.permutations(range(len(NAMES))), st.floats(0.5, 20), st.integers(0, 2**31))
def test_neither_order_nor_scale_matters(order: list[int], scale: float, seed: int) -> None:
    queries, names = some_queries()
    table = np.random.default_rng(seed).integers(0, 3, (len(queries.texts), len(NAMES) + 2))
    first = normalisation(queries, names, scores_of(table))
    mixed, other_names = some_queries(order)
    again = normalisation(mixed, other_names, scores_of(scale * table[:, [*order, 8, 9]]))
    for metric, values in first.items.items():
        np.testing.assert_allclose(again.items[metric], values, atol=1e-9)
        inside = values[~np.isnan(values)]
        assert ((inside >= 0) & (inside <= 1 + 1e-9)).all()


def result_of(ids: str, scores: list[float], mention: str = "x") -> TaskResult:
    known_names = dictionary()
    queries = prepare_queries([document((mention, ids))], known_names, MentionPreparation())
    return normalisation(queries, known_names.names, scores_of(np.array([scores])))


def test_equals_share_the_place() -> None:
    name_of_two = [0, 0, 0, 0, 0, 9, 0, 0, 0, 0]
    assert result_of("4", name_of_two).items["accuracy"][0] == 0.5
    nothing_known = result_of("4", [0] * 10)
    assert nothing_known.items["accuracy"][0] == pytest.approx(1 / 7)
    assert nothing_known.items["Acc@5"][0] == pytest.approx(5 / 7)


def test_one_answer_for_two_concepts_is_half_right() -> None:
    assert result_of("D1|D2", [9, 0, 8, 0, 0, 0, 0, 0, 0, 0]).items["accuracy"][0] == 0.5
    assert result_of("D1|D2", [9, 0, 8, 0, 0, 0, 0, 0, 0, 0]).items["Acc@5"][0] == 1


def test_nothing_is_found_where_the_dictionary_knows_no_concept() -> None:
    nothing = result_of("D9", [1] * 10)
    assert [figure.value for figure in nothing.figures] == [0, 0, 0, 0]
    names = dictionary().names
    lost = prepare_queries([document(("lost", "D9"))], Dictionary(names), MentionPreparation())
    left = normalisation(lost, names, scores_of(np.ones((1, 10))), leave_out_unknown=True)
    assert [figure.n for figure in left.figures] == [0, 0, 0, 0]
    assert np.isnan([figure.value for figure in left.figures]).all()
    empty = LabelledNames((), (), np.zeros(0, np.int64), np.zeros(0, np.int64))
    none = prepare_queries([document(*MENTIONS)], Dictionary(empty), MentionPreparation())
    assert normalisation(none, empty, scores_of(np.ones((99, 0)))).figures[0].value == 0


def test_similarities_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="not numbers"):
        result_of("4", [float("nan")] * 10)


def test_it_can_be_stopped() -> None:
    def stop() -> None:
        raise InterruptedError

    queries, names = some_queries()
    with pytest.raises(InterruptedError):
        normalisation(queries, names, scores_of(np.zeros((99, 10))), tick=stop)


def test_encoders_are_scored_alone_and_with_a_sparse_part() -> None:
    known_names = dictionary()
    queries = prepare_queries(
        [document(("brest cancers", "D1"))], known_names, MentionPreparation()
    )
    vectors = np.eye(10, dtype=np.float32)
    dense = cosine_scores(vectors[[3]], vectors)  # heart attack
    sparse = table_of(TfidfNames.fit(known_names.names.names), queries.texts)
    assert normalisation(queries, known_names.names, dense).items["accuracy"][0] == 0
    assert normalisation(queries, known_names.names, sparse).items["accuracy"][0] == 1
    for weight, expected in ((0, 0), (0.1, 0), (9, 1)):
        together = with_sparse(dense, sparse, weight)
        assert normalisation(queries, known_names.names, together).items["accuracy"][0] == expected
    evaluate = partial(normalisation, queries, known_names.names)
    assert best_weight(dense, sparse, evaluate, (0, 9, 10)) == 9
    assert best_weight(dense, sparse, evaluate, (0, 0.1)) == 0
    with pytest.raises(ValueError, match="weight of the sparse part is -1"):
        with_sparse(dense, sparse, -1)
