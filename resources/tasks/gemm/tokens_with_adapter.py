# SPDX-License-Identifier: GPL-3.0-or-later
"""One batch for several customers: all tokens go through the layer, and each takes a detour of rank 48 as much as its
customer's fine-tuning wants.
"""

import torch
from torch import nn

TOKENS = 9000
WIDTH = 2048
OUTPUTS = 2560
RANK = 48
SMALL = {"TOKENS": 5, "WIDTH": 12, "OUTPUTS": 10, "RANK": 3}


class Model(nn.Module):
    def __init__(self, width: int, outputs: int, rank: int):
        super().__init__()
        self.base = nn.Linear(width, outputs)
        self.enter = nn.Parameter(torch.randn(width, rank) / width**0.5)
        self.leave = nn.Parameter(torch.randn(rank, outputs) / rank**0.5)
        nn.init.normal_(self.base.weight, 0.0, width**-0.5)
        nn.init.normal_(self.base.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor, strength: torch.Tensor) -> torch.Tensor:
        return self.base(x) + strength[:, None] * (x @ self.enter @ self.leave)


def get_inputs():
    return [torch.randn(TOKENS, WIDTH), 2.0 * torch.rand(TOKENS)]


def get_init_inputs():
    return [WIDTH, OUTPUTS, RANK]
