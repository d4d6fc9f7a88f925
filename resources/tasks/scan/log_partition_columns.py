# SPDX-License-Identifier: GPL-3.0-or-later
"""Running log-sum-exp down the columns: the forward variable of a left-to-right model, for many words at once."""

import torch
from torch import nn

STEPS = 3000
WORDS = 12_001
SMALL = {"STEPS": 13, "WORDS": 9}


class Model(nn.Module):
    def __init__(self, words: int):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(words))

    def forward(self, score: torch.Tensor) -> torch.Tensor:
        return torch.logcumsumexp(score * self.bias, dim=0) - self.bias


def get_inputs():
    return [2.0 * torch.randn(STEPS, WORDS)]


def get_init_inputs():
    return [WORDS]
