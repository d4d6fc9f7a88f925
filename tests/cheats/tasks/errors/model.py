# SPDX-License-Identifier: GPL-3.0-or-later
"""The mean squared error of each head: few numbers of many, and no product."""

import torch
from torch import nn

HEADS = 8


def columns(few: int, many: int) -> int:
    """A GPU needs more work than a processor to be busy."""
    return many if torch.empty(0).device.type == "cuda" else few


class Model(nn.Module):
    def __init__(self, heads: int):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(heads) + 0.5)

    def forward(self, x: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        return self.weight * (x - target).square().mean(dim=1)


def get_inputs():
    count = columns(1 << 16, 1 << 20)
    return [(torch.rand(HEADS, 1) + 0.5) * torch.rand(HEADS, count), torch.rand(HEADS, count)]


def get_init_inputs():
    return [HEADS]
