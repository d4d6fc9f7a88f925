# SPDX-License-Identifier: GPL-3.0-or-later
"""Heads talk to each other: scores are mixed over heads before the softmax, and weights after it."""

import torch
from torch import nn

BATCH = 24
HEADS = 12
TOKENS = 800
WIDTH = 64
SMALL = {"BATCH": 2, "HEADS": 3, "TOKENS": 6, "WIDTH": 8}


class Model(nn.Module):
    def __init__(self, heads: int):
        super().__init__()
        self.before = nn.Parameter(torch.eye(heads) + 0.3 * torch.randn(heads, heads))
        self.after = nn.Parameter(torch.eye(heads) + 0.3 * torch.randn(heads, heads))

    def forward(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        scores = query @ key.mT * query.shape[-1] ** -0.5
        scores = torch.einsum("bhqk,hg->bgqk", scores, self.before)
        weights = torch.einsum("bhqk,hg->bgqk", torch.softmax(scores, dim=-1), self.after)
        return weights @ value


def get_inputs():
    shape = (BATCH, HEADS, TOKENS, WIDTH)
    return [1.5 * torch.randn(shape), torch.randn(shape), torch.randn(shape)]


def get_init_inputs():
    return [HEADS]
