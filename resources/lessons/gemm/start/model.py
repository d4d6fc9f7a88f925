# SPDX-License-Identifier: GPL-3.0-or-later
"""The first half of a transformer's feed-forward block: a linear layer and GELU."""

import torch
from torch import nn

# Sizes for a CPU in seconds; on a GPU take some ten times as many rows. Neither rows nor columns are whole tiles: on purpose.
ROWS = 500
INNER = 512
COLUMNS = 1000


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
