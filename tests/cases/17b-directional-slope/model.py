# SPDX-License-Identifier: GPL-3.0-or-later
"""A directional derivative by forward mode: torch.func.jvp inside forward."""

import torch
from torch import nn

ROWS, WIDTH = 200, 96


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x, along):
        return torch.func.jvp(lambda v: torch.tanh(self.gain * v) * v, (x,), (along,))


def get_inputs():
    return [torch.randn(ROWS, WIDTH), torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH]
