# SPDX-License-Identifier: GPL-3.0-or-later
"""Squares of what is positive."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        return torch.relu(x).square() * self.gain


def get_inputs():
    return [torch.randn(100, 50)]


def get_init_inputs():
    return [50]
