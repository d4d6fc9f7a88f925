# SPDX-License-Identifier: GPL-3.0-or-later
"""A network that answers with a mixture of Gaussians: one product, split into shares, means and deviations."""

import torch
import torch.nn.functional as F
from torch import nn

ROWS = 40_000
WIDTH = 640
MIXTURES = 120
SMALL = {"ROWS": 5, "WIDTH": 9, "MIXTURES": 4}


class Model(nn.Module):
    def __init__(self, width: int, mixtures: int):
        super().__init__()
        self.head = nn.Linear(width, 3 * mixtures)

    def forward(self, x: torch.Tensor):
        share, mean, deviation = self.head(x).chunk(3, dim=-1)
        return torch.softmax(share, dim=-1), mean.contiguous(), F.softplus(deviation) + 1e-3


def get_inputs():
    return [2.0 * torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, MIXTURES]
