# SPDX-License-Identifier: GPL-3.0-or-later
"""Attention that falls off with distance, at a slope for each head (ALiBi), projections included."""

import torch
from torch import nn

BATCH = 4
TOKENS = 2500
HEADS = 8
WIDTH = 512
SMALL = {"BATCH": 2, "TOKENS": 6, "HEADS": 2, "WIDTH": 12}


class Model(nn.Module):
    def __init__(self, heads: int, width: int, tokens: int):
        super().__init__()
        self.heads = heads
        self.joint = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width)
        place = torch.arange(tokens)
        slope = 2.0 ** -(1.0 + torch.arange(heads))
        self.register_buffer("bias", -slope[:, None, None] * (place[:, None] - place).abs())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        query, key, value = self.joint(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        scores = query @ key.mT / query.shape[-1] ** 0.5 + self.bias
        return self.out((torch.softmax(scores, dim=-1) @ value).transpose(1, 2).flatten(2))


def get_inputs():
    return [2.0 * torch.randn(BATCH, TOKENS, WIDTH)]


def get_init_inputs():
    return [HEADS, WIDTH, TOKENS]
