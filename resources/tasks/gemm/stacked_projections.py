# SPDX-License-Identifier: GPL-3.0-or-later
"""Two layers one after the other with nothing between them, as a factorised projection is often written."""

import torch
from torch import nn

ROWS = 4000
WIDTH = 2000
MIDDLE = 2400
OUTPUTS = 300
SMALL = {"ROWS": 5, "WIDTH": 9, "MIDDLE": 11, "OUTPUTS": 4}


class Model(nn.Module):
    def __init__(self, width: int, middle: int, outputs: int):
        super().__init__()
        self.first = nn.Linear(width, middle)
        self.second = nn.Linear(middle, outputs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.second(self.first(x)))


def get_inputs():
    return [2.0 * torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, MIDDLE, OUTPUTS]
