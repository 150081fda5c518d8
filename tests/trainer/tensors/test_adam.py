"""Adam is that of the paper, and of PyTorch to the last digit."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from termexplorer.trainer.tensors.adam import Adam


def gradients(steps: int) -> list[list[torch.Tensor]]:
    made = torch.Generator().manual_seed(0)
    return [[torch.randn(shape, generator=made) for shape in ((5, 3), (4,))] for _ in range(steps)]


def weights() -> list[torch.Tensor]:
    return [torch.linspace(-1, 1, 15).view(5, 3), torch.ones(4)]


def test_steps_are_those_of_the_formula() -> None:
    found, expected = weights(), [weight.double().numpy() for weight in weights()]
    adam = Adam(found, 0.01)
    first = [np.zeros_like(weight) for weight in expected]
    second = [np.zeros_like(weight) for weight in expected]
    for step, given in enumerate(gradients(7), start=1):
        for place, gradient in enumerate(given):
            found[place].grad = gradient
            g = gradient.double().numpy()
            first[place] = 0.9 * first[place] + 0.1 * g
            second[place] = 0.999 * second[place] + 0.001 * g**2
            mean, spread = first[place] / (1 - 0.9**step), second[place] / (1 - 0.999**step)
            expected[place] = expected[place] - 0.01 * mean / (np.sqrt(spread) + 1e-8)
        adam.step()
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.numpy(), other, rtol=1e-5, atol=1e-6)


def test_steps_are_those_of_torch_optim() -> None:
    found, expected = weights(), weights()
    adam, peer = Adam(found, 0.003), torch.optim.Adam(expected, lr=0.003, fused=True)
    for given in gradients(9):
        for one, other, gradient in zip(found, expected, given, strict=True):
            one.grad = other.grad = gradient
        adam.step()
        peer.step()
    for one, other in zip(found, expected, strict=True):
        assert torch.equal(one, other)
        for name, value in peer.state[other].items():
            assert torch.equal(adam.state[one][name], value), name


def test_a_weight_without_a_gradient_stays() -> None:
    moved, stays = weights()
    adam = Adam([moved, stays], 0.1)
    moved.grad = torch.ones_like(moved)
    adam.step()
    assert torch.equal(stays, weights()[1])
    assert stays not in adam.state
    assert float(adam.state[moved]["step"]) == 1
    assert moved.numpy() == pytest.approx(weights()[0].numpy() - 0.1, abs=1e-6)
