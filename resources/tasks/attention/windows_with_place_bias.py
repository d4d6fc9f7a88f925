# SPDX-License-Identifier: GPL-3.0-or-later
"""Attention inside many small windows of 49 tokens, with a learned bias for each head and pair of places."""

import torch
from torch import nn

WINDOWS = 2048
HEADS = 6
TOKENS = 49
WIDTH = 32
SMALL = {"WINDOWS": 3, "HEADS": 2, "TOKENS": 9, "WIDTH": 4}


class Model(nn.Module):
    def __init__(self, heads: int, tokens: int):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(heads, tokens, tokens))

    def forward(self, joint: torch.Tensor) -> torch.Tensor:
        query, key, value = joint.unbind(dim=2)
        scores = torch.einsum("wqhc,wkhc->whqk", query, key) * query.shape[-1] ** -0.5 + self.bias
        return torch.einsum("whqk,wkhc->wqhc", torch.softmax(scores, dim=-1), value).flatten(2)


def get_inputs():
    return [torch.randn(WINDOWS, TOKENS, 3, HEADS, WIDTH)]


def get_init_inputs():
    return [HEADS, TOKENS]
