# SPDX-License-Identifier: GPL-3.0-or-later
"""Bias, leaky relu with gain, clamp: the pointwise tail of an image generator's layers."""

import torch
from torch import nn

BATCH, CHANNELS, SIDE = 4, 32, 40


class Model(nn.Module):
    def __init__(self, channels, slope, gain, limit):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(channels))
        self.slope, self.gain, self.limit = slope, gain, limit

    def forward(self, x):
        y = torch.nn.functional.leaky_relu(x + self.bias[:, None, None], self.slope) * self.gain
        return y.clamp(-self.limit, self.limit)


def get_inputs():
    return [torch.randn(BATCH, CHANNELS, SIDE, SIDE)]


def get_init_inputs():
    return [CHANNELS, 0.2, 2.0**0.5, 2.5]
