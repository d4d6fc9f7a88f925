# SPDX-License-Identifier: GPL-3.0-or-later
"""The first half of a Primer's feed-forward block: a product, bias, and the square of ReLU."""

import torch
from torch import nn

ROWS = 6000
WIDTH = 1536
HIDDEN = 6144
SMALL = {"ROWS": 5, "WIDTH": 12, "HIDDEN": 18}


class Model(nn.Module):
    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.up = nn.Linear(width, hidden)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.up(x)).square()


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, HIDDEN]
