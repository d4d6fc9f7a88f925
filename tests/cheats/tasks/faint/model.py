# SPDX-License-Identifier: GPL-3.0-or-later
"""Many linear layers as the library makes them, and a softmax: with those parameters the result moves by less than its
own rounding, whatever comes in."""

import torch
from torch import nn

WIDTH = 128
DEPTH = 28


class Model(nn.Module):
    def __init__(self, width: int, depth: int):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x)
        return torch.softmax(x, dim=-1)


def get_inputs():
    return [torch.randn(64, WIDTH)]


def get_init_inputs():
    return [WIDTH, DEPTH]
