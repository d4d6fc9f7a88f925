# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights of a teacher follow those of a student, where a mask allows it; the rest is kept and slightly
shrunk.
"""

import torch
from torch import nn

ROWS = 5120
COLUMNS = 6400
SMALL = {"ROWS": 8, "COLUMNS": 11}


class Model(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.rate = nn.Parameter(torch.rand(columns))

    def forward(self, teacher: torch.Tensor, student: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return torch.where(mask, torch.lerp(teacher, student, self.rate), 0.95 * teacher)


def get_inputs():
    return [torch.randn(ROWS, COLUMNS), torch.randn(ROWS, COLUMNS), torch.rand(ROWS, COLUMNS) < 0.6]


def get_init_inputs():
    return [COLUMNS]
