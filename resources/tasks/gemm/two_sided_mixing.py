# SPDX-License-Identifier: GPL-3.0-or-later
"""A small matrix from the left and another from the right mix rows and columns of each sample, then softsign."""

import torch
import torch.nn.functional as F
from torch import nn

SAMPLES = 512
ROWS = 196
COLUMNS = 400
SMALL = {"SAMPLES": 3, "ROWS": 6, "COLUMNS": 9}


class Model(nn.Module):
    def __init__(self, rows: int, columns: int):
        super().__init__()
        self.left = nn.Parameter(torch.randn(rows, rows) / rows**0.5)
        self.right = nn.Parameter(torch.randn(columns, columns) / columns**0.5)
        self.bias = nn.Parameter(0.5 * torch.randn(rows, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.softsign(self.left @ x @ self.right + self.bias)


def get_inputs():
    return [torch.randn(SAMPLES, ROWS, COLUMNS)]


def get_init_inputs():
    return [ROWS, COLUMNS]
