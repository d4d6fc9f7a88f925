# SPDX-License-Identifier: GPL-3.0-or-later
"""Queries and keys are turned by an angle that grows with their place, then attention sees only how far they
are apart.
"""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 4
HEADS = 16
TOKENS = 1500
WIDTH = 80
SMALL = {"BATCH": 2, "HEADS": 2, "TOKENS": 7, "WIDTH": 8}


class Model(nn.Module):
    def __init__(self, tokens: int, width: int):
        super().__init__()
        frequency = 10_000.0 ** (-torch.arange(0, width, 2) / width)
        angle = torch.arange(tokens)[:, None] * frequency
        self.register_buffer("cosine", torch.cos(angle).repeat(1, 2))
        self.register_buffer("sine", torch.sin(angle).repeat(1, 2))

    def turned(self, x: torch.Tensor) -> torch.Tensor:
        left, right = x.chunk(2, dim=-1)
        return x * self.cosine + torch.cat([-right, left], dim=-1) * self.sine

    def forward(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        return F.scaled_dot_product_attention(self.turned(query), self.turned(key), value)


def get_inputs():
    shape = (BATCH, HEADS, TOKENS, WIDTH)
    return [1.5 * torch.randn(shape), torch.randn(shape), torch.randn(shape)]


def get_init_inputs():
    return [TOKENS, WIDTH]
