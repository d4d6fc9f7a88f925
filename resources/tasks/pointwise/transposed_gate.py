# SPDX-License-Identifier: GPL-3.0-or-later
"""A gate whose two sides lie across each other in memory: the first input is a transposed view, the second is
not.
"""

import torch
from torch import nn

ROWS = 7168
COLUMNS = 5000
SMALL = {"ROWS": 9, "COLUMNS": 13}


class Model(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(columns))

    def forward(self, x: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x + self.bias) * torch.sigmoid(gate) + 0.25 * x


def get_inputs():
    return [torch.randn(COLUMNS, ROWS).t(), torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return [COLUMNS]
