# SPDX-License-Identifier: GPL-3.0-or-later
"""Projection to queries, keys and values: the reference returns three views of one result."""

import torch
from torch import nn

TOKENS, WIDTH = 400, 128


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(3 * width) + 0.5)

    def forward(self, joint):
        return (joint * self.scale).chunk(3, dim=-1)


def get_inputs():
    return [torch.randn(TOKENS, 3 * WIDTH)]


def get_init_inputs():
    return [WIDTH]
