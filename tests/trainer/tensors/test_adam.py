"""Adam is that of the paper, and of PyTorch to the last digit."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from termexplorer.trainer.tensors.adam import Adam


def gradients(steps: int) -> list[list[torch.Tensor]]:
    generator = torch.Generator().manual_seed(0)
    return [
        [torch.randn(shape, generator=generator) for shape in ((5, 3), (4,))] for _ in range(steps)
    ]


def weights() -> list[torch.Tensor]:
    return [torch.linspace(-1, 1, 15).view(5, 3), torch.ones(4)]


def test_steps_are_those_of_the_formula() -> None:
    parameters, expected = weights(), [weight.double().numpy() for weight in weights()]
    adam = Adam(parameters, 0.01)
    first = [np.zeros_like(weight) for weight in expected]
    second = [np.zeros_like(weight) for weight in expected]
    for step, given in enumerate(gradients(7), start=1):
        for index, gradient in enumerate(given):
            parameters[index].grad = gradient
            g = gradient.double().numpy()
            first[index] = 0.9 * first[index] + 0.1 * g
            second[index] = 0.999 * second[index] + 0.001 * g**2
            mean, spread = first[index] / (1 - 0.9**step), second[index] / (1 - 0.999**step)
            expected[index] = expected[index] - 0.01 * mean / (np.sqrt(spread) + 1e-8)
        adam.step()
    for left, right in zip(parameters, expected, strict=True):
        np.testing.assert_allclose(left.numpy(), right, rtol=1e-5, atol=1e-6)


def test_steps_are_those_of_torch_optim() -> None:
    parameters, expected = weights(), weights()
    adam, peer = Adam(parameters, 0.003), torch.optim.Adam(expected, lr=0.003, fused=True)
    for given in gradients(9):
        for parameter, peer_parameter, gradient in zip(parameters, expected, given, strict=True):
            parameter.grad = peer_parameter.grad = gradient
        adam.step()
        peer.step()
    for parameter, peer_parameter in zip(parameters, expected, strict=True):
        assert torch.equal(parameter, peer_parameter)
        for name, value in peer.state[peer_parameter].items():
            assert torch.equal(adam.state[parameter][name], value), name


def test_a_weight_without_a_gradient_stays() -> None:
    moved, stays = weights()
    adam = Adam([moved, stays], 0.1)
    moved.grad = torch.ones_like(moved)
    adam.step()
    assert torch.equal(stays, weights()[1])
    assert stays not in adam.state
    assert float(adam.state[moved]["step"]) == 1
    assert moved.numpy() == pytest.approx(weights()[0].numpy() - 0.1, abs=1e-6)
