# SPDX-License-Identifier: GPL-3.0-or-later
"""A layer in bfloat16 with bias, GELU, a learned factor for each column, and the residual."""

import torch
import torch.nn.functional as F
from torch import nn

TOKENS = 16_384
WIDTH = 3072
SMALL = {"TOKENS": 5, "WIDTH": 16}


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.project = nn.Linear(width, width, dtype=torch.bfloat16)
        self.factor = nn.Parameter((1.0 + 0.3 * torch.randn(width)).to(torch.bfloat16))

    def forward(self, x: torch.Tensor, residual: torch.Tensor) -> torch.Tensor:
        return residual + self.factor * F.gelu(self.project(x), approximate="tanh")


def get_inputs():
    return [
        (2.0 * torch.randn(TOKENS, WIDTH)).to(torch.bfloat16),
        torch.randn(TOKENS, WIDTH).to(torch.bfloat16),
    ]


def get_init_inputs():
    return [WIDTH]
