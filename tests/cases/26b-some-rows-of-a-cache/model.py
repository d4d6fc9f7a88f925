# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys go into some rows of a cache; what else lies in it stays."""

import torch
from torch import nn

SLOTS, TAKEN, WIDTH = 128, 20, 48


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, cache, rows, keys):
        cache[rows] = keys * self.scale
        return None


def get_inputs():
    return [torch.randn(SLOTS, WIDTH), torch.randperm(SLOTS)[:TAKEN], torch.randn(TAKEN, WIDTH)]


def get_init_inputs():
    return [WIDTH]
