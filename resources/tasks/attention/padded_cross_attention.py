# SPDX-License-Identifier: GPL-3.0-or-later
"""A decoder looks at an encoder's states, of which a mask hides the padding; projections by the library's
module.
"""

import torch
from torch import nn

BATCH = 16
QUERIES = 300
KEYS = 800
WIDTH = 768
HEADS = 12
SMALL = {"BATCH": 2, "QUERIES": 5, "KEYS": 7, "WIDTH": 12, "HEADS": 3}


class Model(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        nn.init.normal_(self.attention.in_proj_bias, 0.0, 0.3)
        nn.init.normal_(self.attention.out_proj.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor, states: torch.Tensor, is_padding: torch.Tensor) -> torch.Tensor:
        out, _ = self.attention(x, states, states, key_padding_mask=is_padding, need_weights=False)
        return x + out


def get_inputs():
    lengths = torch.randint(KEYS // 3, KEYS + 1, (BATCH, 1))
    is_padding = torch.arange(KEYS) >= lengths
    return [torch.randn(BATCH, QUERIES, WIDTH), 2.0 * torch.randn(BATCH, KEYS, WIDTH), is_padding]


def get_init_inputs():
    return [WIDTH, HEADS]
