# SPDX-License-Identifier: GPL-3.0-or-later
"""One large matrix times one vector, bias and tanh: a readout of a reservoir, of odd width."""

import torch
from torch import nn

ROWS = 12_000
COLUMNS = 10_001
SMALL = {"ROWS": 19, "COLUMNS": 33}


class Model(nn.Module):
    def __init__(self, rows: int, columns: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(rows, columns) / columns**0.5)
        self.bias = nn.Parameter(0.5 * torch.randn(rows))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(torch.mv(self.weight, x) + self.bias)


def get_inputs():
    return [torch.randn(COLUMNS)]


def get_init_inputs():
    return [ROWS, COLUMNS]
