# SPDX-License-Identifier: GPL-3.0-or-later
"""The bottom of a text encoder: embeddings of token, place and segment are added, and a layer norm follows."""

import torch
from torch import nn

TEXTS = 64
TOKENS = 512
VOCABULARY = 30_000
WIDTH = 1024
SMALL = {"TEXTS": 2, "TOKENS": 7, "VOCABULARY": 41, "WIDTH": 12}


class Model(nn.Module):
    def __init__(self, vocabulary: int, tokens: int, width: int):
        super().__init__()
        self.token = nn.Embedding(vocabulary, width)
        self.place = nn.Parameter(torch.randn(tokens, width))
        self.segment = nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, tokens: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        return self.norm(self.token(tokens) + self.segment(segments) + self.place)


def get_inputs():
    return [torch.randint(0, VOCABULARY, (TEXTS, TOKENS)), torch.randint(0, 2, (TEXTS, TOKENS))]


def get_init_inputs():
    return [VOCABULARY, TOKENS, WIDTH]
