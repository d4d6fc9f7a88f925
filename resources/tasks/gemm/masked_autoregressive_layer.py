# SPDX-License-Identifier: GPL-3.0-or-later
"""MADE: a layer whose weights are masked so that no output sees a later input; bias and ELU."""

import torch
import torch.nn.functional as F
from torch import nn

ROWS = 30_000
WIDTH = 2304
SMALL = {"ROWS": 5, "WIDTH": 14}


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(1.4 * torch.randn(width, width) / width**0.5)
        self.bias = nn.Parameter(0.5 * torch.randn(width))
        self.register_buffer("mask", torch.ones(width, width, dtype=torch.bool).tril())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.elu(F.linear(x, self.weight * self.mask, self.bias))


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH]
