# SPDX-License-Identifier: GPL-3.0-or-later
"""A block of a vision transformer: norm, self-attention and residual; norm, feed-forward with GELU and
residual.
"""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 192
TOKENS = 197
WIDTH = 768
HEADS = 12
SMALL = {"BATCH": 2, "TOKENS": 7, "WIDTH": 12, "HEADS": 3}


class Model(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.first = nn.LayerNorm(width)
        self.second = nn.LayerNorm(width)
        for norm in (self.first, self.second):
            nn.init.normal_(norm.weight, 1.5, 0.3)
            nn.init.normal_(norm.bias, 0.0, 0.3)
        self.joint = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        joint = self.joint(self.first(x)).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(*joint).transpose(1, 2).flatten(2)
        x = x + self.out(seen)
        return x + self.down(F.gelu(self.up(self.second(x))))


def get_inputs():
    return [torch.randn(BATCH, TOKENS, WIDTH)]


def get_init_inputs():
    return [WIDTH, HEADS]
