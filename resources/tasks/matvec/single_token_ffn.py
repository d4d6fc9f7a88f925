# SPDX-License-Identifier: GPL-3.0-or-later
"""Decoding one token through a gated feed-forward layer in bfloat16: three large matrices, each read once."""

import torch
import torch.nn.functional as F
from torch import nn

WIDTH = 7168
HIDDEN = 20_480
SMALL = {"WIDTH": 24, "HIDDEN": 40}


class Model(nn.Module):
    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False, dtype=torch.bfloat16)
        self.up = nn.Linear(width, hidden, bias=False, dtype=torch.bfloat16)
        self.down = nn.Linear(hidden, width, bias=False, dtype=torch.bfloat16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(F.silu(self.gate(x)) * self.up(x))


def get_inputs():
    return [(2.0 * torch.randn(1, WIDTH)).to(torch.bfloat16)]


def get_init_inputs():
    return [WIDTH, HIDDEN]
