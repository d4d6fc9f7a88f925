# SPDX-License-Identifier: GPL-3.0-or-later
"""Retention: scores are damped by a power of the distance instead of a softmax, and each head's result is
normalised.
"""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 6
HEADS = 8
TOKENS = 1024
WIDTH = 96
SMALL = {"BATCH": 2, "HEADS": 2, "TOKENS": 7, "WIDTH": 6}


class Model(nn.Module):
    def __init__(self, heads: int, tokens: int, width: int):
        super().__init__()
        keep = 1.0 - 2.0 ** -(5.0 + torch.arange(heads))
        place = torch.arange(tokens)
        apart = (place[:, None] - place).clamp(min=0)
        self.register_buffer("decay", (keep[:, None, None] ** apart).tril())
        self.weight = nn.Parameter(1.0 + 0.2 * torch.randn(heads, 1, width))

    def forward(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        out = (query @ key.mT * self.decay) @ value
        return self.weight * F.layer_norm(out, out.shape[-1:])


def get_inputs():
    shape = (BATCH, HEADS, TOKENS, WIDTH)
    return [torch.randn(shape), torch.randn(shape) / WIDTH**0.5, torch.randn(shape)]


def get_init_inputs():
    return [HEADS, TOKENS, WIDTH]
