"""How far an evaluation is never goes back, and says so until it is to stop."""

from dataclasses import dataclass, field
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.errors import UserError
from termexplorer.trainer.search.all_pairs import PairsPlan
from termexplorer.workers.evaluate.steps import EvaluationSteps
from termexplorer.workers.process.child import Channel


@dataclass
class Told:
    """A channel that keeps what it is told."""

    fractions: list[float | None] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    ended: bool = False

    def progress(self, fraction: float | None, text: str) -> None:
        self.fractions.append(fraction)
        self.texts.append(text)

    def stopped(self) -> bool:
        return self.ended


@given(st.lists(st.integers(0, 5), min_size=1, max_size=4), st.integers(1, 4), st.booleans())
def test_progress_rises_from_encoder_to_encoder(
    blocks: list[int], tasks: int, before: bool
) -> None:
    channel = Told()
    steps = EvaluationSteps(cast(Channel, channel))
    steps.plan(len(blocks), tasks)
    for number, several in enumerate(blocks):
        if number or not before:
            steps.begin("first")
        for block in range(several):
            steps.encoding(block, several)
        for _ in range(tasks - (number > 0 or not before)):
            steps.begin("next")
    fractions = [fraction for fraction in channel.fractions if fraction is not None]
    assert len(fractions) == len(channel.fractions)
    assert fractions == sorted(fractions)
    assert all(0 <= fraction < 1 for fraction in fractions)


def test_texts_that_are_compared_one_by_one_are_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("termexplorer.workers.evaluate.steps._PAUSE", -1)
    channel = Told()
    steps = EvaluationSteps(cast(Channel, channel))
    steps.plan(1, 2)
    steps.row()  # before any step: nothing is known of how many
    for step in ("mean, level 1", "mean, level 2"):
        steps.begin(step, 4)
        for _ in range(5):  # one more than was said
            steps.row()
    assert channel.texts[2] == "1 of 4 texts compared: mean, level 1"
    assert channel.texts[5] == "Computing figures: mean, level 1"
    assert channel.fractions == [n / 8 for n in (0, 0, 1, 2, 3, 4, 4, 4, 5, 6, 7, 8)]
    channel.ended = True
    with pytest.raises(UserError, match="stopped"):
        steps.row()


def test_names_come_first_in_the_text_and_a_stop_ends_it() -> None:
    channel = Told()
    steps = EvaluationSteps(cast(Channel, channel))
    steps.encoding(0, 3000)
    steps.plan(1, 2)
    steps.begin("mean, level 1")
    steps.encoding(1024, 3000)
    assert channel.texts[0] == "0 of 3,000 names encoded"
    assert channel.texts[-1] == "1,024 of 3,000 names encoded: mean, level 1"
    assert channel.fractions == [None, 0, pytest.approx(1024 / 3000 / 2)]
    channel.ended = True
    for go_on in (steps.tick, lambda: steps.begin("next"), lambda: steps.encoding(2048, 3000)):
        with pytest.raises(UserError, match="stopped"):
            go_on()


def test_a_plan_stands_in_the_text_of_its_step_alone() -> None:
    channel = Told()
    steps = EvaluationSteps(cast(Channel, channel))
    steps.plan(2, 1)
    steps.begin("mean")
    plan = PairsPlan(
        rows=2_000_000,
        columns=3_000_000,
        width=256,
        device="cpu",
        operations=2 * 2_000_000 * 3_000_000 * 256,
        blocks=717_000,
        memory=0,
        seconds=7_200,
    )
    for _ in range(2):  # of two parts of an encoder the later one is told
        steps.announce(plan)
    assert channel.texts[-1].startswith("mean: 3.1 × 10¹⁵ operations in 717,000 blocks on cpu")
    assert channel.texts[-1].endswith("about 2.0 h")
    assert channel.texts[-1].count("operations") == 1
    assert steps.is_rounded
    steps.begin("TF-IDF")
    assert (channel.texts[-1], steps.is_rounded) == ("TF-IDF", False)
