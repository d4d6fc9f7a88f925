# SPDX-License-Identifier: GPL-3.0-or-later
"""A soft threshold with a border for each column."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.border = nn.Parameter(0.2 + torch.rand(width))

    def forward(self, x):
        return torch.sign(x) * torch.relu(x.abs() - self.border)


def get_inputs():
    return [torch.randn(100, 64)]


def get_init_inputs():
    return [64]
