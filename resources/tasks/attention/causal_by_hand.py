# SPDX-License-Identifier: GPL-3.0-or-later
"""Causal self-attention as one writes it first: scores, a mask of the future, softmax, and the weighed values."""

import torch
from torch import nn

BATCH = 16
HEADS = 12
TOKENS = 1536
WIDTH = 64
SMALL = {"BATCH": 2, "HEADS": 2, "TOKENS": 7, "WIDTH": 8}


class Model(nn.Module):
    def __init__(self, tokens: int):
        super().__init__()
        self.register_buffer("future", torch.ones(tokens, tokens, dtype=torch.bool).triu(1))

    def forward(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        scores = query @ key.mT / query.shape[-1] ** 0.5
        weights = torch.softmax(scores.masked_fill(self.future, float("-inf")), dim=-1)
        return weights @ value


def get_inputs():
    shape = (BATCH, HEADS, TOKENS, WIDTH)
    return [1.5 * torch.randn(shape), torch.randn(shape), torch.randn(shape)]


def get_init_inputs():
    return [TOKENS]
