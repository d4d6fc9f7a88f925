# SPDX-License-Identifier: GPL-3.0-or-later
"""Metric learning: an anchor has to be nearer to its partner than to a stranger by a margin, after a learned
weighting.
"""

import torch
from torch import nn

ROWS = 60_000
WIDTH = 770
MARGIN = 4.0
SMALL = {"ROWS": 9, "WIDTH": 14}


class Model(nn.Module):
    def __init__(self, width: int, margin: float):
        super().__init__()
        self.margin = margin
        self.metric = nn.Parameter(0.5 + torch.rand(width))

    def forward(self, anchor: torch.Tensor, partner: torch.Tensor, stranger: torch.Tensor) -> torch.Tensor:
        near = ((anchor - partner) * self.metric).square().sum(dim=-1).sqrt()
        far = ((anchor - stranger) * self.metric).square().sum(dim=-1).sqrt()
        return torch.relu(near - far + self.margin)


def get_inputs():
    return [torch.randn(ROWS, WIDTH), torch.randn(ROWS, WIDTH), torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, MARGIN]
