# SPDX-License-Identifier: GPL-3.0-or-later
"""A memory for each sample is asked with a query of its own: a batch of matrices, each times one vector, then
softmax.
"""

import torch
from torch import nn

BATCH = 300
SLOTS = 1111
WIDTH = 384
SMALL = {"BATCH": 3, "SLOTS": 9, "WIDTH": 7}


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.sharpness = nn.Parameter((0.5 + torch.rand(width)) / width**0.5)

    def forward(self, memory: torch.Tensor, query: torch.Tensor) -> torch.Tensor:
        scores = torch.einsum("bsw,bw->bs", memory, query * self.sharpness)
        return torch.softmax(2.0 * scores, dim=-1)


def get_inputs():
    return [torch.randn(BATCH, SLOTS, WIDTH), torch.randn(BATCH, WIDTH)]


def get_init_inputs():
    return [WIDTH]
