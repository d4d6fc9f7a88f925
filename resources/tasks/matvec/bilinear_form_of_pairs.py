# SPDX-License-Identifier: GPL-3.0-or-later
"""How well do a few queries and answers fit? x A y + b with one large matrix between them, per pair."""

import torch
from torch import nn

PAIRS = 3
WIDTH = 12_288
SMALL = {"PAIRS": 3, "WIDTH": 26}


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.form = nn.Parameter(torch.randn(width, width) / width)
        self.linear = nn.Parameter(torch.randn(width) / width**0.5)

    def forward(self, query: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
        return ((query @ self.form + self.linear) * answer).sum(dim=-1)


def get_inputs():
    return [torch.randn(PAIRS, WIDTH), torch.randn(PAIRS, WIDTH)]


def get_init_inputs():
    return [WIDTH]
