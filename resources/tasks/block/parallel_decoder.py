# SPDX-License-Identifier: GPL-3.0-or-later
"""Attention and feed-forward side by side from one norm and one joint product, in float; the residual takes
both.
"""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 20
TOKENS = 900
WIDTH = 1024
HEADS = 16
SMALL = {"BATCH": 2, "TOKENS": 6, "WIDTH": 12, "HEADS": 2}


class Model(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        nn.init.normal_(self.norm.weight, 1.5, 0.3)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)
        self.joint = nn.Linear(width, 7 * width, bias=False)
        self.out = nn.Linear(5 * width, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        width = x.shape[-1]
        joint, hidden = self.joint(self.norm(x)).split([3 * width, 4 * width], dim=-1)
        query, key, value = joint.unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        both = torch.cat([seen.transpose(1, 2).flatten(2), F.gelu(hidden)], dim=-1)
        return x + self.out(both)


def get_inputs():
    return [torch.randn(BATCH, TOKENS, WIDTH)]


def get_init_inputs():
    return [WIDTH, HEADS]
