# SPDX-License-Identifier: GPL-3.0-or-later
"""Likelihoods that end far below the smallest normal number."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        return torch.exp(-80.0 - 10.0 * x.abs()) * self.gain


def get_inputs():
    return [torch.rand(128, 100)]


def get_init_inputs():
    return [100]
