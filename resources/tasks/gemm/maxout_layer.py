# SPDX-License-Identifier: GPL-3.0-or-later
"""Maxout: five linear pieces for each output, of which the largest counts."""

import torch
from torch import nn

ROWS = 5000
WIDTH = 900
OUTPUTS = 1001
PIECES = 5
SMALL = {"ROWS": 5, "WIDTH": 9, "OUTPUTS": 7}


class Model(nn.Module):
    def __init__(self, width: int, outputs: int, pieces: int):
        super().__init__()
        self.pieces = pieces
        self.linear = nn.Linear(width, outputs * pieces)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x).unflatten(-1, (-1, self.pieces)).amax(dim=-1)


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, OUTPUTS, PIECES]
