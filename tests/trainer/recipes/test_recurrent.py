from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from trainer_controls import After
from trainer_words import CPU, WIDTH, Words, data_of, parts_of, synonyms, vectors_of

from termexplorer.trainer.data.words import NameWords, alphabet_of
from termexplorer.trainer.encoders.own_words import OwnWordsEncoder
from termexplorer.trainer.encoders.recurrent import RecurrentEncoder, Sizes
from termexplorer.trainer.recipes.bne import BiomedicalNameEncoder
from termexplorer.trainer.recipes.bne_words import BiLSTMOverWords
from termexplorer.trainer.recipes.paraphrase import Paraphrase
from termexplorer.trainer.recipes.recurrent import (
    concept_means,
    drawn_in_batch,
    training_words,
)
from termexplorer.trainer.representations.word_vectors import WordVectors
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.training.run import BEST, train

RECIPES = [
    replace(BiomedicalNameEncoder.quick(), hidden=16, characters=6, spelling=5, batch=16),
    replace(BiLSTMOverWords.quick(), hidden=16, batch=16),
    replace(Paraphrase.quick(), hidden=16, batch=16),
]
AnyRecipe = BiomedicalNameEncoder | BiLSTMOverWords | Paraphrase


def one_by_one(encoder: RecurrentEncoder, name: str) -> Tensor:
    """The encoder's formula for a single name: nothing filled up, nothing in batches."""
    words = NameWords.of_names([name], Words(), encoder.alphabet, CPU)
    rows = []
    for word in words.words.tolist():
        row = words.vectors[word]
        if encoder.sizes.characters:
            spelled = words.characters[word, : int(words.spelled[word])]
            states, _ = encoder.spelling(encoder.characters(spelled))
            half = encoder.sizes.spelling
            row = torch.cat((row, states[-1, :half], states[0, half:]))
        rows.append(row)
    states, _ = encoder.sequence(torch.stack(rows))
    return encoder.linear(states.max(dim=0).values)


@pytest.mark.parametrize("characters", [0, 4])
def test_a_batch_is_encoded_as_each_name_by_the_formula(characters: int) -> None:
    names = ["pneumonia", "acute viral pneumonia", "type 2", "x", "acute viral pneumonia", "Ω-3"]
    sizes = Sizes(WIDTH, 5, 7, characters, 3)
    encoder = RecurrentEncoder.initial(sizes, alphabet_of(names[:3]), RandomState(0, CPU))
    encoded = encoder.encode_names(names, Words())
    assert encoded.shape == (6, 7)
    assert encoded.dtype == np.float32
    for row, name in zip(encoded, names, strict=True):
        assert row == pytest.approx(one_by_one(encoder, name).detach().numpy(), abs=1e-6)


@given(st.lists(st.text(max_size=12), min_size=1, max_size=8), st.randoms())
def test_encoding_does_not_depend_on_the_other_names(names: list[str], random: object) -> None:
    encoder = RecurrentEncoder.initial(Sizes(WIDTH, 4, 5, 3, 2), "abc", RandomState(1, CPU))
    order = list(range(len(names)))
    random.shuffle(order)  # type: ignore[attr-defined]
    straight = encoder.encode_names(names, Words())
    shuffled = encoder.encode_names([names[index] for index in order], Words())
    assert np.isfinite(straight).all()
    assert shuffled == pytest.approx(straight[order], abs=1e-6)


def test_no_names_and_words_of_another_width() -> None:
    encoder = RecurrentEncoder.initial(Sizes(WIDTH + 1, 4, 5), "", RandomState(0, CPU))
    assert encoder.encode_names([], Words()).shape == (0, 5)
    with pytest.raises(ValueError, match=f"takes words of {WIDTH + 1}, not {WIDTH}"):
        encoder.encode_names(["pneumonia"], Words())


@pytest.mark.parametrize("characters", [0, 4])
def test_a_saved_encoder_encodes_the_same(characters: int, tmp_path: Path) -> None:
    sizes = Sizes(WIDTH, 4, 5, characters, 3)
    encoder = RecurrentEncoder.initial(sizes, "abcé", RandomState(0, CPU))
    encoder.save(tmp_path / "encoder")
    opened = RecurrentEncoder.load(tmp_path / "encoder")
    names = ["a café", "bac", "zzz"]
    assert (opened.encode_names(names, Words()) == encoder.encode_names(names, Words())).all()
    (tmp_path / "encoder" / "weights.safetensors").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="weights"):
        RecurrentEncoder.load(tmp_path / "encoder")


def test_own_word_vectors_stand_in_for_the_sources(tmp_path: Path) -> None:
    words = data_of(synonyms(4)).words
    assert words is not None
    encoder = OwnWordsEncoder.of_words(Sizes(WIDTH, 4, 5), words[0], RandomState(0, CPU))
    before = encoder.encode_names(["acute fever", "fever"], Words())
    with torch.no_grad():
        encoder.vectors[encoder.vocabulary.index("acute")] += 1
    after = encoder.encode_names(["acute fever", "fever"], Words())
    assert (before[0] != after[0]).any()
    assert (before[1] == after[1]).all()
    encoder.save(tmp_path / "encoder")
    opened = OwnWordsEncoder.load(tmp_path / "encoder")
    assert (opened.encode_names(["acute fever", "fever"], Words()) == after).all()


@given(st.integers(0, 10_000))
def test_negatives_come_from_the_allowed_places(seed: int) -> None:
    allowed = torch.from_numpy(np.random.default_rng(seed).random((6, 9)) < 0.3)
    column, is_drawn = drawn_in_batch(allowed, RandomState(seed, CPU))
    assert is_drawn.tolist() == allowed.any(dim=1).tolist()
    assert all(allowed[row, column[row]] for row in range(6) if is_drawn[row])


def test_negatives_of_a_batch_are_drawn_evenly() -> None:
    allowed = torch.tensor([[False, True, False, True, True]]).repeat(3000, 1)
    column, _ = drawn_in_batch(allowed, RandomState(0, CPU))
    counts = torch.bincount(column, minlength=5).tolist()
    assert counts[0] == counts[2] == 0
    assert all(900 < counts[index] < 1100 for index in (1, 3, 4))


def test_bne_of_words_learns_every_ordered_pair_of_synonyms_in_an_epoch() -> None:
    data, noise = data_of(synonyms(5)), RandomState(0, CPU)
    recipe = replace(BiLSTMOverWords.quick(), hidden=4)
    plan = recipe.plan(data, recipe.encoder(data, noise), noise, lambda: None)
    pairs = list(zip(plan["anchor"].tolist(), plan["positive"].tolist(), strict=True))
    assert sorted(pairs) == [
        (anchor, other)
        for anchor in range(15)  # three training names of each concept
        for other in range(15)
        if anchor != other and anchor // 3 == other // 3
    ]
    assert plan["class"].tolist() == [anchor // 3 for anchor, _ in pairs]
    assert all(other // 3 != anchor // 3 for (anchor, _), other in zip(
        pairs, plan["negative"].tolist(), strict=True))  # fmt: skip
    some = replace(recipe, pairs=7).plan(data, recipe.encoder(data, noise), noise, lambda: None)
    assert len(some["anchor"]) == 7


def test_means_are_of_known_words() -> None:
    class Some:
        def token_vectors(self, tokens: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
            known = np.array([token.startswith("a") for token in tokens])
            rows = [[float(len(token)), 1.0] for token in tokens]
            return np.array(rows, np.float32) * known[:, None], known

    names = ["a aaa", "a bbb", "bb", ""]
    means = NameWords.of_names(names, Some(), "", CPU).means()
    assert means.tolist() == [[2, 1], [1, 1], [0, 0], [0, 0]]


def test_concepts_are_the_means_of_their_names() -> None:
    data = data_of(synonyms(5))
    contexts = training_words(data).means()
    means = concept_means(data, contexts)
    for concept in range(5):
        rows = contexts[3 * concept : 3 * concept + 3]  # the fourth name is for validation
        assert means[concept].numpy() == pytest.approx(rows.mean(0).numpy(), abs=1e-6)


def l(x: float) -> float:  # noqa: E743 - the paper's letter
    return math.log1p(math.exp(-x))


def test_the_losses_of_bne_are_those_of_the_paper() -> None:
    """Naively, with the negatives that the same random numbers draw."""
    recipe, noise = RECIPES[0], RandomState(3, CPU)
    assert isinstance(recipe, BiomedicalNameEncoder)
    data = recipe.prepared(data_of(synonyms(5)))
    encoder = recipe.encoder(data, noise)
    plan = recipe.plan(data, encoder, noise, lambda: None)
    batch = {name: column[:8] for name, column in plan.items()}
    names = training_words(data)
    encoded = encoder.encode_words(names)

    def forward(inputs: Tensor) -> Tensor:
        return encoded[inputs]

    losses = recipe.losses(data, batch, forward, RandomState(5, CPU))  # type: ignore[arg-type]
    anchor, positive = batch["anchor"].tolist(), batch["positive"].tolist()
    allowed = torch.tensor([[a // 3 != b // 3 for b in anchor] for a in anchor])
    again = RandomState(5, CPU)
    for name in ("synonym", "concept", "context"):
        negative = drawn_in_batch(allowed, again)[0].tolist()
        near, far = [], []
        for row, (a, p) in enumerate(zip(anchor, positive, strict=True)):
            own_vector, other_vector = {
                "synonym": (encoded[p], encoded[anchor[negative[row]]]),
                "concept": (data.prototypes[a // 3], data.prototypes[anchor[negative[row]] // 3]),
                "context": (data.names[a], data.names[anchor[negative[row]]]),
            }[name]
            near.append(l(float(encoded[a] @ own_vector)))
            far.append(l(-float(encoded[a] @ other_vector)))
        assert float(losses[name]) == pytest.approx(np.mean(near) + np.mean(far), abs=1e-5)


@pytest.mark.parametrize("negatives", ["sampled", "hardest"])
def test_the_paraphrase_loss_takes_another_name_of_the_batch(negatives: str) -> None:
    recipe, noise = RECIPES[2], RandomState(3, CPU)
    assert isinstance(recipe, Paraphrase)
    recipe = replace(recipe, negatives=negatives)
    data = data_of(synonyms(4))
    encoder = recipe.encoder(data, noise)
    plan = recipe.plan(data, encoder, noise, lambda: None)
    batch = {name: column[:6] for name, column in plan.items()}
    step = encoder.step(data, noise, 0.0)
    losses = recipe.losses(data, batch, step, RandomState(5, CPU))
    encoded = encoder.encode_words(training_words(data)).double().numpy()
    units = encoded / np.linalg.norm(encoded, axis=1, keepdims=True)
    anchors, positives = batch["anchor"].tolist(), batch["positive"].tolist()
    both, total = anchors + positives, 0.0
    allowed = torch.tensor([[other // 3 != name // 3 for other in both] for name in both])
    drawn, _ = drawn_in_batch(allowed, RandomState(5, CPU))
    for name, partner, column in zip(both, positives + anchors, drawn.tolist(), strict=True):
        other_products = [units[name] @ units[other] for other in both if other // 3 != name // 3]
        sampled = units[name] @ units[both[column]]
        negative = max(other_products) if negatives == "hardest" else sampled
        total += max(0.0, recipe.margin - units[name] @ units[partner] + negative)
    values = {name: float(loss.detach()) for name, loss in losses.items()}
    assert values["margin"] == pytest.approx(total / len(anchors), abs=1e-5)
    layers = sum(float(w.detach().square().sum()) for w in encoder.layers())
    assert values["layers"] == pytest.approx(recipe.layer_decay * layers, rel=1e-5)
    assert values["drift"] == 0
    torch.autograd.backward(torch.stack(list(losses.values())).sum())
    step.backward()
    norm = torch.stack([w.grad.norm() for w in encoder.weights().values() if w.grad is not None])
    assert 0 < float(norm.norm()) <= 5.0001


@pytest.mark.parametrize("recipe", RECIPES)
def test_training_brings_synonyms_together(recipe: AnyRecipe, tmp_path: Path) -> None:
    labels = synonyms(30)
    recipe = replace(recipe, maximum_epochs=12, patience=12, learning_rate=0.01, dropout=0.1)
    reports = list(
        train(
            recipe, labels, parts_of(labels), vectors_of(labels.names),
            seed=1, device="cpu", state_dir=tmp_path, source=Words(),
        )
    )  # fmt: skip
    values = [report.validation for report in reports]
    assert max(values) > values[0]
    assert max(values) > 0.5


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_run_repeats_itself_on_two_threads(recipe: AnyRecipe, tmp_path: Path) -> None:
    labels, recipe = synonyms(90), replace(recipe, maximum_epochs=2, hidden=40, batch=256)
    words = sorted({word for name in labels.names for word in name.split()})
    rows = np.random.default_rng(0).normal(size=(len(words), 300)).astype(np.float32)
    source = WordVectors(rows, words)  # so wide that gradients are added up by both
    vectors, threads = source.encode(labels.names), torch.get_num_threads()
    torch.set_num_threads(2)
    seen = []
    for number in range(3):
        options = {"seed": 2, "device": "cpu", "state_dir": tmp_path / str(number)}
        reports = train(recipe, labels, parts_of(labels), vectors, **options, source=source)  # type: ignore[arg-type]
        seen.append([report.losses for report in reports])
    torch.set_num_threads(threads)
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_stopped_run_goes_on_to_the_same_end(recipe: AnyRecipe, tmp_path: Path) -> None:
    labels, recipe = synonyms(12), replace(recipe, maximum_epochs=4, patience=4)

    def run(folder_name: str, **more: object) -> list[float]:
        options = {
            "seed": 2,
            "device": "cpu",
            "state_dir": tmp_path / folder_name,
            "source": Words(),
        }
        vectors = vectors_of(labels.names)
        reports = train(recipe, labels, parts_of(labels), vectors, **options, **more)  # type: ignore[arg-type]
        return [report.validation for report in reports]

    whole = run("whole")
    first = run("broken", control=After(7))
    assert len(first) < len(whole)
    assert first + run("broken", resume=True) == whole
    kind = OwnWordsEncoder if isinstance(recipe, Paraphrase) else RecurrentEncoder
    ends = [kind.load(tmp_path / folder_name / BEST) for folder_name in ("whole", "broken")]
    left, right = (end.encode_names(labels.names, Words()) for end in ends)
    assert (left == right).all()


def test_words_that_the_source_does_not_know_are_zero() -> None:
    source = WordVectors(np.ones((1, 3), dtype=np.float32), ["viral"])
    words = NameWords.of_names(["viral xyz", "xyz"], source, "", CPU)
    known = dict(zip(words.spellings, words.vectors.any(dim=1).tolist(), strict=True))
    assert known == {"viral": True, "xyz": False}
