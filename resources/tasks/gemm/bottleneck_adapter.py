# SPDX-License-Identifier: GPL-3.0-or-later
"""An adapter between frozen layers: layer norm, down to 96 columns, SiLU, up again, and the residual."""

import torch
import torch.nn.functional as F
from torch import nn

TOKENS = 20_000
WIDTH = 1600
NARROW = 96
SMALL = {"TOKENS": 5, "WIDTH": 16, "NARROW": 4}


class Model(nn.Module):
    def __init__(self, width: int, narrow: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        self.down = nn.Linear(width, narrow)
        self.up = nn.Linear(narrow, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.up(F.silu(self.down(self.norm(x))))


def get_inputs():
    return [torch.randn(TOKENS, WIDTH)]


def get_init_inputs():
    return [WIDTH, NARROW]
