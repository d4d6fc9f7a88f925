# SPDX-License-Identifier: GPL-3.0-or-later
"""RMS norm of each row, with a weight per column."""

import torch
from torch import nn

ROWS = 4096
COLUMNS = 1536
EPSILON = 1e-6


class Model(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.weight = nn.Parameter(1.0 + 0.2 * torch.randn(columns))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        mean_square = x.pow(2).mean(dim=-1, keepdim=True)
        return x * torch.rsqrt(mean_square + EPSILON) * self.weight


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return [COLUMNS]
