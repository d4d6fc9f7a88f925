# SPDX-License-Identifier: GPL-3.0-or-later
"""The places of positive elements: how many there are depends on the values."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(32) + 0.5)

    def forward(self, x):
        return (x * self.gain > 0.3).nonzero()


def get_inputs():
    return [torch.randn(40, 32)]


def get_init_inputs():
    return []
