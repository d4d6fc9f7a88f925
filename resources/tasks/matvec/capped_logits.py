# SPDX-License-Identifier: GPL-3.0-or-later
"""The logits of four last tokens over a large vocabulary in half precision, softly capped by tanh."""

import torch
from torch import nn

TOKENS = 4
WIDTH = 3584
VOCABULARY = 128_256
CAP = 20.0
SMALL = {"WIDTH": 24, "VOCABULARY": 50}


class Model(nn.Module):
    def __init__(self, width: int, vocabulary: int, cap: float):
        super().__init__()
        self.cap = cap
        self.head = nn.Linear(width, vocabulary, bias=False, dtype=torch.float16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.cap * torch.tanh(self.head(x) / self.cap)


def get_inputs():
    return [(10.0 * torch.randn(TOKENS, WIDTH)).to(torch.float16)]


def get_init_inputs():
    return [WIDTH, VOCABULARY, CAP]
