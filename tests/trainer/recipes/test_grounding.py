from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
import torch
from grounding_steps import CPU, distance, nothing, synonym_sets
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from termexplorer.trainer import encoders
from termexplorer.trainer.data.sampling import some_members
from termexplorer.trainer.data.splits import TEST, TRAIN, VALIDATION, ZERO_SHOT, concept_split
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.cca import fit_to
from termexplorer.trainer.encoders.network import DAN, Tape
from termexplorer.trainer.evaluation.scores import cosine_scores
from termexplorer.trainer.evaluation.synonym_retrieval import synonym_retrieval
from termexplorer.trainer.recipes.base import meanings
from termexplorer.trainer.recipes.grounding import ConceptualGrounding
from termexplorer.trainer.tensors.objectives import HINGES, means_of_groups, taken
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.text.names import LabelledNames
from termexplorer.trainer.training.run import BEST, EpochReport, train

SMALL = replace(ConceptualGrounding.quick(), hidden=20, precision="float32")


def prepared(recipe: ConceptualGrounding, seed: int = 0) -> TrainingData:
    labels, vectors = synonym_sets(seed=seed)
    parts = concept_split(labels, 0.1, 1, 1, 0)
    return recipe.prepared(TrainingData.prepare(labels, parts, vectors, CPU))


@pytest.mark.parametrize("hinge", HINGES)
@pytest.mark.parametrize("cca", [True, False])
def test_losses_are_the_papers(hinge: str, cca: bool) -> None:
    recipe = replace(SMALL, hinge=hinge, cca=cca, semantic_weight=2.0, prototype_weight=3.0)
    data, noise = prepared(recipe), RandomState(0, CPU)
    encoder = recipe.encoder(data, noise)
    plan = recipe.plan(data, encoder, noise, nothing)
    batch = {key: column[:50] for key, column in plan.items()}
    losses = recipe.losses(data, batch, encoder.encode_units, RandomState(1, CPU))
    f = encoder.encode_units(data.names)
    number = data.of_names.classes.tolist()
    pair, kept_members = some_members(data, batch["class"], 0.5, RandomState(1, CPU))
    triplets, prototypes = [], []
    for at in range(50):
        a, p, n, c = (int(batch[key][at]) for key in ("anchor", "positive", "negative", "class"))
        assert number[a] == number[p] == c != number[n]
        assert a != p
        triplets.append((distance(f[a], f[p]), distance(f[a], f[n])))
        mean = torch.stack([f[name] for name in kept_members[pair == at].tolist()]).mean(0)
        prototypes.append(distance(mean, data.prototypes[c]))
    if hinge == "batch-mean":
        triplets = [tuple(np.mean(triplets, axis=0))]
    semantic = np.mean([max(positive - negative + 0.1, 0) for positive, negative in triplets])
    assert float(losses["semantic"]) == pytest.approx(2 * semantic, abs=1e-5)
    assert float(losses["prototype"]) == pytest.approx(3 * np.mean(prototypes), abs=1e-5)


def test_an_epoch_has_every_ordered_pair_of_synonyms() -> None:
    data = prepared(SMALL)
    plan = SMALL.plan(data, SMALL.encoder(data, RandomState(0, CPU)), RandomState(0, CPU), nothing)
    number = data.of_names.classes.tolist()
    expected = {
        (a, p)
        for a in range(len(number))
        for p in range(len(number))
        if a != p and number[a] == number[p]
    }
    pairs = list(zip(plan["anchor"].tolist(), plan["positive"].tolist(), strict=True))
    assert len(pairs) == len(expected)
    assert set(pairs) == expected
    assert pairs != sorted(pairs)


def test_an_epoch_of_some_pairs_draws_them_anew_from_all() -> None:
    data, noise = prepared(SMALL), RandomState(0, CPU)
    some = replace(SMALL, pairs=30)
    encoder = SMALL.encoder(data, noise)

    def epoch(recipe: ConceptualGrounding) -> set[tuple[int, ...]]:
        columns = recipe.plan(data, encoder, noise, nothing)
        rows = zip(*(columns[key].tolist() for key in ("anchor", "positive")), strict=True)
        return set(rows)

    first, second = epoch(some), epoch(some)
    assert len(first) == len(second) == 30
    assert first != second
    assert first | second < epoch(SMALL)
    with pytest.raises(ValueError, match="pairs is -1"):
        replace(SMALL, pairs=-1)


def test_gradients_are_those_of_automatic_differentiation() -> None:
    """Names that a step uses more than once are encoded once, with one mask of dropout."""
    recipe = replace(SMALL, semantic_weight=0.7)
    data, noise = prepared(recipe), RandomState(0, CPU)
    encoder = recipe.encoder(data, noise)
    plan = recipe.plan(data, encoder, noise, nothing)
    batch = {key: column[:40] for key, column in plan.items()}
    tape = Tape(encoder, RandomState(2, CPU), 0.0)
    torch.stack(
        list(recipe.losses(data, batch, tape, RandomState(1, CPU)).values())
    ).sum().backward()
    tape.backward()
    weights = [weight.clone().requires_grad_() for weight in encoder.parameters()]

    def plain(rows: Tensor) -> Tensor:
        w1, b1, w2, b2 = weights
        return torch.relu(rows @ w1.T + b1) @ w2 + b2

    losses = recipe.losses(data, batch, plain, RandomState(1, CPU))
    torch.stack(list(losses.values())).sum().backward()
    for gradient, weight in zip(encoder.gradients(), weights, strict=True):
        torch.testing.assert_close(gradient, weight.grad, atol=1e-6, rtol=1e-4)


def test_gradients_are_finite_differences() -> None:
    recipe = replace(SMALL, hinge="batch-mean")
    data, noise = prepared(recipe), RandomState(0, CPU)
    plan = recipe.plan(data, recipe.encoder(data, noise), noise, nothing)
    batch = {key: column[:6] for key, column in plan.items()}
    rows: list[Tensor] = []

    def remember(inputs: Tensor) -> Tensor:
        rows.append(inputs.double())
        return rows[0]

    recipe.losses(data, batch, remember, RandomState(1, CPU))
    data = replace(data, prototypes=data.prototypes.double())
    start = (rows[0] + 0.1).requires_grad_()

    def total(outputs: Tensor) -> Tensor:
        losses = recipe.losses(data, batch, lambda _: outputs, RandomState(1, CPU))
        return torch.stack(list(losses.values())).sum()

    assert torch.autograd.gradcheck(total, (start,))


@pytest.mark.parametrize("left_out", ["semantic", "prototype"])
def test_a_loss_of_weight_nought_is_not_computed(left_out: str) -> None:
    recipe = replace(SMALL, **{f"{left_out}_weight": 0.0})
    data, noise = prepared(recipe), RandomState(0, CPU)
    encoder = recipe.encoder(data, noise)
    plan = recipe.plan(data, encoder, noise, nothing)
    assert ("negative" in plan) == (left_out != "semantic")
    seen: list[int] = []

    def forward(names: Tensor) -> Tensor:
        seen.append(len(names))
        return encoder.encode_units(names)

    batch = {key: column[:3] for key, column in plan.items()}
    losses = recipe.losses(data, batch, forward, noise)
    assert losses.keys() == {"semantic", "prototype"} - {left_out}
    assert seen[0] <= 9


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.integers(0, 119), min_size=1, max_size=30),
    st.sampled_from([0.0, 0.25, 0.5, 0.9]),
    st.integers(0, 100),
)
def test_members_drawn_are_some_of_the_class_rounded_up(
    wanted: list[int], dropout: float, seed: int
) -> None:
    data = DATA
    numbers = torch.tensor([n for n in wanted if data.class_sizes[n]], dtype=torch.int64)
    item, names = some_members(data, numbers, dropout, RandomState(seed, CPU))
    for at, number in enumerate(numbers.tolist()):
        drawn = names[item == at].tolist()
        own_names = np.flatnonzero((data.of_names.classes == number).numpy())
        assert (
            len(set(drawn)) == len(drawn) == int(np.ceil(round(len(own_names) * (1 - dropout), 6)))
        )
        assert set(drawn) <= set(own_names.tolist())


DATA = prepared(replace(SMALL, cca=False))


def test_members_are_drawn_evenly_and_anew_for_each() -> None:
    number = int(DATA.class_sizes.argmax())
    size = int(DATA.class_sizes[number])
    item, names = some_members(DATA, torch.full((4000,), number), 0.5, RandomState(0, CPU))
    counts = names.bincount()
    counts = counts[counts > 0]
    assert len(counts) == size
    assert float(counts.min() / counts.max()) > 0.9
    sets = {frozenset(names[item == at].tolist()) for at in range(200)}
    assert len(sets) > 1


def test_means_of_groups_are_means() -> None:
    rows = torch.randn(7, 3, generator=torch.Generator().manual_seed(0))
    groups = torch.tensor([2, 0, 0, 1, 2, 2, 0])
    result = means_of_groups(rows, groups, 3)
    for number in range(3):
        torch.testing.assert_close(result[number], rows[groups == number].mean(0))


@given(st.lists(st.integers(0, 5), max_size=12), st.integers(0, 100))
def test_means_of_groups_pass_a_share_of_the_gradient_to_each_row(
    groups: list[int], seed: int
) -> None:
    generator = torch.Generator().manual_seed(seed)
    rows = torch.randn(len(groups), 2, generator=generator, dtype=torch.float64)
    weights = torch.randn(6, 2, generator=generator, dtype=torch.float64)
    result = means_of_groups(rows.requires_grad_(), torch.tensor(groups, dtype=torch.int64), 6)
    torch.autograd.backward((result * weights).sum())
    for number in range(6):
        own_rows = [row for row, group in enumerate(groups) if group == number]
        expected = rows[own_rows].mean(0) if own_rows else torch.zeros(2, dtype=torch.float64)
        torch.testing.assert_close(result[number], expected)
        for row in own_rows:
            torch.testing.assert_close(rows.grad[row], weights[number] / len(own_rows))


def test_gradients_of_rows_that_are_taken_again_add_up_alike_on_two_threads() -> None:
    generator = torch.Generator().manual_seed(0)
    rows = torch.randn(300, 300, generator=generator).requires_grad_()
    places = torch.randint(0, 300, (40, 100), generator=generator)
    weights = torch.randn(40, 100, 300, generator=generator)
    seen = []
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    for _ in range(6):
        rows.grad = None
        torch.autograd.backward((taken(rows, places) * weights).sum())
        assert rows.grad is not None
        seen.append(rows.grad)
    torch.set_num_threads(threads)
    assert all(torch.equal(tensor, seen[0]) for tensor in seen)
    expected = torch.zeros(300, 300, dtype=torch.float64)
    for row, weight in zip(places.flatten(), weights.view(-1, 300).double(), strict=True):
        expected[row] += weight
    torch.testing.assert_close(seen[0].double(), expected, atol=1e-4, rtol=1e-4)
    assert torch.equal(taken(rows, places), rows[places])


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=12), st.integers(0, 100))
def test_a_row_may_be_in_several_groups_and_twice_in_one(
    places: list[tuple[int, int]], seed: int
) -> None:
    generator = torch.Generator().manual_seed(seed)
    rows = torch.randn(4, 2, generator=generator, dtype=torch.float64)
    weights = torch.randn(6, 2, generator=generator, dtype=torch.float64)
    groups, members = torch.tensor(places, dtype=torch.int64).reshape(-1, 2).T
    leaf, gathered = (tensor.clone().requires_grad_() for tensor in (rows, rows))
    means = means_of_groups(leaf, groups, 6, members)
    expected = means_of_groups(gathered[members], groups, 6)
    torch.testing.assert_close(means, expected)
    for tensor in (means, expected):
        torch.autograd.backward((tensor * weights).sum())
    torch.testing.assert_close(leaf.grad, gathered.grad)


def test_cca_projects_names_and_prototypes_once() -> None:
    labels, vectors = synonym_sets()
    parts = concept_split(labels, 0.1, 1, 1, 0)
    raw = TrainingData.prepare(labels, parts, vectors, CPU)
    cca = fit_to(raw, 3.0)
    data = replace(SMALL, cca_power=3.0).prepared(raw)
    torch.testing.assert_close(data.names, cca.names(raw.names))
    torch.testing.assert_close(data.validation, cca.names(raw.validation))
    torch.testing.assert_close(data.prototypes, cca.concepts(raw.prototypes))
    assert replace(SMALL, cca=False).prepared(raw) is raw


def test_it_stops_at_the_first_epoch_that_is_worse() -> None:
    assert not SMALL.stops([0.3])
    assert not SMALL.stops([0.3, 0.3, 0.4])
    assert SMALL.stops([0.3, 0.4, 0.39])


def test_the_papers_settings() -> None:
    paper = ConceptualGrounding.paper()
    assert (paper.hidden, paper.batch, paper.learning_rate) == (38_400, 64, 0.001)
    assert (paper.dropout, paper.synonym_dropout, paper.margin) == (0.5, 0.5, 0.1)
    assert paper.cca_power == 0
    assert (paper.cca, paper.hinge, paper.negatives, paper.nearest) == (
        True, "triplet", "nearest", 200,
    )  # fmt: skip
    assert list(meanings(paper)) == [field.name for field in fields(paper)]
    assert all(meanings(paper).values())


def test_settings_that_train_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="no loss is left"):
        ConceptualGrounding(semantic_weight=0, prototype_weight=0)
    with pytest.raises(ValueError, match="choose a number from 0 to below 1"):
        ConceptualGrounding(synonym_dropout=1.0)


def test_classes_far_too_large_for_pairs_are_refused() -> None:
    of = np.arange(10_000) % 2
    labels = LabelledNames(tuple(map(str, of)), ("a", "b"), np.arange(len(of)), of)
    parts = np.full(len(of), TRAIN, dtype=np.uint8)
    parts[:2] = VALIDATION
    vectors = np.random.default_rng(0).normal(size=(len(of), 2)).astype(np.float32)
    data = TrainingData.prepare(labels, parts, vectors, CPU)
    with pytest.raises(ValueError, match="pairs of names"):
        SMALL.plan(data, DAN.initial(2, 4, RandomState(0, CPU)), RandomState(0, CPU), nothing)


@pytest.mark.parametrize("cca", [True, False])
def test_it_learns_and_keeps_its_best_epoch(cca: bool, tmp_path: Path) -> None:
    labels, vectors = synonym_sets(300)
    parts = concept_split(labels, 0.1, 1, 1, 0)
    recipe = replace(SMALL, cca=cca, hidden=128, batch=64, maximum_epochs=8)
    options = {"seed": 3, "device": "cpu"}
    reports = list(train(recipe, labels, parts, vectors, state_dir=tmp_path / "a", **options))  # type: ignore[arg-type]
    encoder = encoders.load(tmp_path / "a" / BEST)
    assert mean_precision(labels, parts, encoder.encode(vectors), VALIDATION) == pytest.approx(
        reports[reports[-1].best_epoch - 1].validation, abs=1e-6
    )
    for part in (TEST, ZERO_SHOT):
        before = mean_precision(labels, parts, vectors, part)
        assert mean_precision(labels, parts, encoder.encode(vectors), part) > before + 0.02
    again = list(train(recipe, labels, parts, vectors, state_dir=tmp_path / "b", **options))  # type: ignore[arg-type]
    assert figures(again) == figures(reports)


def figures(reports: list[EpochReport]) -> list[tuple[int, dict[str, float], float]]:
    return [(report.epoch, report.losses, report.validation) for report in reports]


def mean_precision(
    labels: LabelledNames, parts: np.ndarray, vectors: np.ndarray, part: int
) -> float:
    of_part = np.flatnonzero(parts == part)
    results = synonym_retrieval(
        labels, cosine_scores(vectors), train=np.flatnonzero(parts == TRAIN), test=of_part,
        zero_shot=of_part,
    )  # fmt: skip
    task = results["zero-shot" if part == ZERO_SHOT else "test"]
    return next(figure.value for figure in task.figures if figure.metric == "mAP")
