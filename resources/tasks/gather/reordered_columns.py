# SPDX-License-Identifier: GPL-3.0-or-later
"""Each row is put into an order of its own, as after sorting by another key, and weighed by the new place."""

import torch
from torch import nn

ROWS = 10_000
COLUMNS = 3001
SMALL = {"ROWS": 5, "COLUMNS": 19}


class Model(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(columns))

    def forward(self, x: torch.Tensor, order: torch.Tensor) -> torch.Tensor:
        return torch.gather(x, 1, order) * self.weight


def get_inputs():
    return [torch.randn(ROWS, COLUMNS), torch.randint(0, COLUMNS, (ROWS, COLUMNS))]


def get_init_inputs():
    return [COLUMNS]
