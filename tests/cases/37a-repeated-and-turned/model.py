# SPDX-License-Identifier: GPL-3.0-or-later
"""A product of a row that is repeated without memory (stride 0) and a matrix that is the transpose of what lies there."""

import torch
from torch import nn

ROWS, WIDTH = 130, 70


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, a, b):
        return torch.tanh(a * b) * self.gain


def get_inputs():
    row = torch.randn(1, WIDTH)
    turned = torch.randn(WIDTH, ROWS)
    return [row.expand(ROWS, WIDTH), turned.t()]


def get_init_inputs():
    return [WIDTH]
