# SPDX-License-Identifier: GPL-3.0-or-later
"""Dropout before a sigmoid gate: nothing in eval mode, a random mask in train mode."""

import torch
from torch import nn

ROWS, WIDTH = 256, 120


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.drop = nn.Dropout(0.3)
        self.gate = nn.Parameter(torch.randn(width))

    def forward(self, x):
        return torch.sigmoid(self.gate) * self.drop(x)


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH]
