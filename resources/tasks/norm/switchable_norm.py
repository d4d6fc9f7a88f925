# SPDX-License-Identifier: GPL-3.0-or-later
"""Switchable norm of a detector: the statistics of a picture's channel, of the whole picture, and those of training
are mixed by two learned softmaxes, one for means and one for variances.
"""

import torch
from torch import nn

PICTURES = 20
CHANNELS = 96
HEIGHT = 100
WIDTH = 132
SMALL = {"PICTURES": 2, "CHANNELS": 6, "HEIGHT": 5, "WIDTH": 7}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.register_buffer("running_mean", 0.3 * torch.randn(channels, 1, 1))
        self.register_buffer("running_var", 0.5 + torch.rand(channels, 1, 1))
        self.mean_mix = nn.Parameter(torch.randn(3))
        self.variance_mix = nn.Parameter(torch.randn(3))
        self.factor = nn.Parameter(0.5 + torch.rand(channels, 1, 1))
        self.offset = nn.Parameter(0.3 * torch.randn(channels, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        variance_here, mean_here = torch.var_mean(x, dim=(2, 3), keepdim=True, correction=0)
        mean_all = mean_here.mean(dim=1, keepdim=True)
        variance_all = (variance_here + mean_here.square()).mean(dim=1, keepdim=True) - mean_all.square()
        first, second, third = torch.softmax(self.mean_mix, dim=0).unbind()
        mean = first * mean_here + second * mean_all + third * self.running_mean
        first, second, third = torch.softmax(self.variance_mix, dim=0).unbind()
        variance = first * variance_here + second * variance_all + third * self.running_var
        return (x - mean) * torch.rsqrt(variance + 1e-5) * self.factor + self.offset


def get_inputs():
    spread = 0.3 + torch.rand(PICTURES, CHANNELS, 1, 1)
    return [spread * torch.randn(PICTURES, CHANNELS, HEIGHT, WIDTH) + torch.randn(PICTURES, CHANNELS, 1, 1)]


def get_init_inputs():
    return [CHANNELS]
