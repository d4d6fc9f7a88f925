# SPDX-License-Identifier: GPL-3.0-or-later
"""Third powers with a gain."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        return x * x * x * self.gain


def get_inputs():
    return [torch.randn(90, 30)]


def get_init_inputs():
    return [30]
