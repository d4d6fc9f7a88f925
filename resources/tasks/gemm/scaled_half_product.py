# SPDX-License-Identifier: GPL-3.0-or-later
"""Two halves that were scaled before rounding: the product in float16 gets a factor for each row and each
column, and bounds.
"""

import torch
from torch import nn

ROWS = 8192
INNER = 4096
COLUMNS = 7000
BOUND = 2.0
SMALL = {"ROWS": 5, "INNER": 16, "COLUMNS": 7}


class Model(nn.Module):
    def __init__(self, inner: int, columns: int, bound: float):
        super().__init__()
        self.bound = bound
        self.weight = nn.Parameter((torch.randn(inner, columns) / inner**0.5).to(torch.float16))
        self.column_scale = nn.Parameter((0.5 + torch.rand(columns)).to(torch.float16))

    def forward(self, x: torch.Tensor, row_scale: torch.Tensor) -> torch.Tensor:
        return (x @ self.weight * row_scale[:, None] * self.column_scale).clamp(-self.bound, self.bound)


def get_inputs():
    return [torch.randn(ROWS, INNER).to(torch.float16), (0.5 + torch.rand(ROWS)).to(torch.float16)]


def get_init_inputs():
    return [INNER, COLUMNS, BOUND]
