# SPDX-License-Identifier: GPL-3.0-or-later
"""The first half of a transformer's feed-forward block: a linear layer and GELU."""

import torch
from torch import nn

ROWS = 2048
INNER = 1024
COLUMNS = 2048


class Model(nn.Module):
    def __init__(self, inner: int, columns: int):
        super().__init__()
        self.linear = nn.Linear(inner, columns)
        self.gelu = nn.GELU(approximate="tanh")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.gelu(self.linear(x))


def get_inputs():
    return [torch.randn(ROWS, INNER)]


def get_init_inputs():
    return [INNER, COLUMNS]
