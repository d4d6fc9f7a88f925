# SPDX-License-Identifier: GPL-3.0-or-later
"""A clipped line."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.slope = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        return torch.clamp(x * self.slope, -1.0, 2.0)


def get_inputs():
    return [torch.randn(90, 30)]


def get_init_inputs():
    return [30]
