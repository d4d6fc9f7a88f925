# SPDX-License-Identifier: GPL-3.0-or-later
"""gMLP: no attention; one half of the channels is mixed over all places by a matrix and gates the other half."""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 24
TOKENS = 256
WIDTH = 384
HIDDEN = 1536
SMALL = {"BATCH": 2, "TOKENS": 6, "WIDTH": 8, "HIDDEN": 12}


class Model(nn.Module):
    def __init__(self, tokens: int, width: int, hidden: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, hidden)
        self.gate_norm = nn.LayerNorm(hidden // 2)
        self.mix = nn.Conv1d(tokens, tokens, 1)
        self.down = nn.Linear(hidden // 2, width)
        for norm in (self.norm, self.gate_norm):
            nn.init.normal_(norm.weight, 1.0, 0.2)
            nn.init.normal_(norm.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        kept, gate = F.gelu(self.up(self.norm(x))).chunk(2, dim=-1)
        return x + self.down(kept * self.mix(self.gate_norm(gate)))


def get_inputs():
    return [torch.randn(BATCH, TOKENS, WIDTH)]


def get_init_inputs():
    return [TOKENS, WIDTH, HIDDEN]
