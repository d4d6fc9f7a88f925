# SPDX-License-Identifier: GPL-3.0-or-later
"""All hidden states and the last of them: the second result is a view of the first."""

import torch
from torch import nn

WIDTH = 36


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        y = torch.tanh(x * self.gain)
        return y, y[:, -1]


def get_inputs():
    return [torch.randn(20, 30, WIDTH)]


def get_init_inputs():
    return [WIDTH]
