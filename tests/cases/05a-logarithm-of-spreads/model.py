# SPDX-License-Identifier: GPL-3.0-or-later
"""Log-likelihood under normal distributions with one spread a feature: the logarithm wants spreads above zero."""

import torch
from torch import nn

ROWS, WIDTH = 600, 75


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mean = nn.Parameter(torch.randn(width))
        self.spread = nn.Parameter(0.5 + torch.rand(width))

    def forward(self, x):
        z = (x - self.mean) / self.spread
        return -(0.5 * z * z + torch.log(self.spread)).sum(-1)


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH]
