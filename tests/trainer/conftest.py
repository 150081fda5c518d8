from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from trainer_toy import Toy, make_toy


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> Iterator[None]:
    """Small products are no faster on more, and far slower where others keep the machine busy."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def toy() -> Toy:
    return make_toy(240, 6, 16, 20)


@pytest.fixture
def clear_toy() -> Toy:
    return make_toy(240, 6, 16, 0)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from termexplorer.trainer.representations.fasttext_training import write_corpus

    rng = np.random.default_rng(3)
    words = [
        "viral",
        "pneumonia",
        "acute",
        "chronic",
        "naïve",
        "β-cell",
        "fièvre",
        "肺炎",
        "type",
        "2",
    ]
    lines = [" ".join(rng.choice(words, 8)) for _ in range(400)]
    path = tmp_path_factory.mktemp("text") / "corpus.txt"
    assert write_corpus(lines, [], path) == 400
    return path
