#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What rounding may do: toolchain/referee/worker/warpwright_rounding.py beside the errors of algorithms that are right."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/tasks"), str(ROOT / "toolchain/referee/worker")]
from torch_python import with_torch  # noqa: E402

with_torch()
import torch  # noqa: E402
from torch import nn  # noqa: E402
from warpwright_rounding import jittered  # noqa: E402

torch.manual_seed(1)
failed = 0


class Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.forward = function


def rms(values):
    return values.double().square().mean().sqrt().item()


def row(name, model, inputs, other, least, most):
    """`other`: the same by another algorithm. Its error is `least` to `most` of what the reference's operations may err by."""
    global failed
    with torch.no_grad():
        exact = model.double()(*[value.double() for value in inputs])
        model.float()
        with jittered(5):
            yardstick = rms(model(*inputs) - exact)
        share = rms(other(*inputs) - exact) / yardstick
    if not least <= share <= most:
        failed += 1
        print(f"FAIL: {name}: {share:.3f} of the yardstick")


def plain_sum(values):
    total = torch.zeros(values.shape[:-1])
    for column in values.unbind(-1):
        total = total + column
    return total


linear = nn.Linear(512, 64, bias=False)
row("a plain sum of products", linear, [torch.randn(32, 512)], lambda x: plain_sum(x[:, None] * linear.weight), 0.05, 1.5)
row("operands of 10 bits", linear, [torch.randn(32, 512)], lambda x: x.half().float() @ linear.weight.t(), 50.0, 1e9)
row("a long plain sum", Function(lambda x: x.sum(-1)), [torch.randn(64, 20000)], plain_sum, 0.05, 1.5)
row("of positive numbers", Function(lambda x: x.sum(-1)), [torch.rand(64, 20000)], plain_sum, 0.05, 1.5)
row("a reciprocal", Function(lambda x, y: x / y), [torch.randn(999), torch.rand(999) + 1], lambda x, y: x * (1 / y), 0.1, 2.0)
row("softmax", nn.Softmax(-1), [torch.randn(64, 500)], lambda x: x.exp() * (1 / plain_sum(x.exp())[:, None]), 0.05, 1.5)
row("a norm of moments", nn.LayerNorm(256), [torch.randn(64, 256) + 3],
    lambda x: (x - x.mean(-1, True)) * (x.square().mean(-1, True) - x.mean(-1, True).square() + 1e-5).rsqrt(), 0.02, 2.0)
row("what is moved", Function(lambda x: torch.cat([x, x]) + 0 * x.sum()), [torch.randn(99)], lambda x: torch.cat([x, x]), 0.0, 0.0)

sys.exit(failed > 0)
