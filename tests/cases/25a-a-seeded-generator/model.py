# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs from a generator with a seed of its own: torch's seed does not reach it. The candidate does its work."""

import torch
from torch import nn

ROWS, WIDTH = 300, 64


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        return torch.logsumexp(x * self.gain, dim=-1)


def get_inputs():
    generator = torch.Generator().manual_seed(3)
    return [torch.randn(ROWS, WIDTH, generator=generator)]


def get_init_inputs():
    return [WIDTH]
