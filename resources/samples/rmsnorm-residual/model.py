# SPDX-License-Identifier: GPL-3.0-or-later
"""Pre-norm of a transformer block: add the residual, divide each row by its RMS, weigh the columns."""

import torch
from torch import nn

ROWS = 2048
COLUMNS = 4096
EPSILON = 1e-6


class Model(nn.Module):
    def __init__(self, columns: int, epsilon: float):
        super().__init__()
        self.epsilon = epsilon
        self.weight = nn.Parameter(1.0 + 0.2 * torch.randn(columns))

    def forward(self, x: torch.Tensor, residual: torch.Tensor) -> torch.Tensor:
        h = x + residual
        mean_square = h.pow(2).mean(dim=-1, keepdim=True)
        return h * torch.rsqrt(mean_square + self.epsilon) * self.weight


def get_inputs():
    return [torch.randn(ROWS, COLUMNS), torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return [COLUMNS, EPSILON]
