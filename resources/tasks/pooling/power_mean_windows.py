# SPDX-License-Identifier: GPL-3.0-or-later
"""Lp pooling: the root of summed squares over windows, between a mean and a maximum; channels have a weight."""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 32
CHANNELS = 64
SIZE = 150
SMALL = {"IMAGES": 2, "CHANNELS": 3, "SIZE": 11}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.weight = nn.Parameter(0.5 + torch.rand(channels, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sqrt(F.avg_pool2d((x * self.weight).square(), 3, stride=2) + 1e-6)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS]
