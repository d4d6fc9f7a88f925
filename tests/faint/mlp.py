# SPDX-License-Identifier: GPL-3.0-or-later
"""Thirty linear layers."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


def get_inputs():
    return [torch.rand(16, 128)]


def get_init_inputs():
    return [128, 30]
