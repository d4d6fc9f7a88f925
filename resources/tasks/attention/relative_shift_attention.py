# SPDX-License-Identifier: GPL-3.0-or-later
"""Attention over a text and what was kept of the text before it (Transformer-XL): scores by content and by distance,
each with a bias of its own; distances are put in place by a shift of rows.
"""

import torch
import torch.nn.functional as F
from torch import nn

TEXTS = 6
HEADS = 8
TOKENS = 384
KEPT = 512
WIDTH = 64
SMALL = {"TEXTS": 2, "HEADS": 2, "TOKENS": 5, "KEPT": 3, "WIDTH": 4}


class Model(nn.Module):
    def __init__(self, heads: int, tokens: int, kept: int, width: int):
        super().__init__()
        self.content_bias = nn.Parameter(torch.randn(heads, 1, width))
        self.distance_bias = nn.Parameter(torch.randn(heads, 1, width))
        self.distance = nn.Parameter(torch.randn(heads, tokens + kept, width))
        self.register_buffer("future", torch.ones(tokens, tokens + kept, dtype=torch.bool).triu(kept + 1))

    def forward(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        content = torch.matmul(query + self.content_bias, key.transpose(-1, -2))
        distance = torch.matmul(query + self.distance_bias, self.distance.transpose(-1, -2))
        texts, heads, tokens, keys = distance.shape
        distance = F.pad(distance, (1, 0)).view(texts, heads, keys + 1, tokens)[:, :, 1:].reshape(content.shape)
        scores = (content + distance) * query.shape[-1] ** -0.5
        share = torch.softmax(scores.masked_fill(self.future, float("-inf")), dim=-1)
        return torch.matmul(share, value).transpose(1, 2).flatten(2)


def get_inputs():
    keys = [torch.randn(TEXTS, HEADS, TOKENS + KEPT, WIDTH) for _ in range(2)]
    return [torch.randn(TEXTS, HEADS, TOKENS, WIDTH), *keys]


def get_init_inputs():
    return [HEADS, TOKENS, KEPT, WIDTH]
