# SPDX-License-Identifier: GPL-3.0-or-later
"""LoRA: a frozen layer, and beside it a detour of rank 24, scaled, added to the same result."""

import torch
from torch import nn

ROWS = 5000
WIDTH = 2048
OUTPUTS = 3072
RANK = 24
SCALE = 2.0
SMALL = {"ROWS": 5, "WIDTH": 14, "OUTPUTS": 10, "RANK": 3}


class Model(nn.Module):
    def __init__(self, width: int, outputs: int, rank: int, scale: float):
        super().__init__()
        self.scale = scale
        self.base = nn.Linear(width, outputs)
        self.down = nn.Parameter(torch.randn(width, rank) / width**0.5)
        self.up = nn.Parameter(0.3 * torch.randn(rank, outputs) / rank**0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.base(x) + self.scale * (x @ self.down @ self.up)


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, OUTPUTS, RANK, SCALE]
