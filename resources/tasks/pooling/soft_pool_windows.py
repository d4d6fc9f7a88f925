# SPDX-License-Identifier: GPL-3.0-or-later
"""Pooling that lets all values of a window count, each by its own softmax weight in it; every channel has its own
sharpness.
"""

import torch
import torch.nn.functional as F
from torch import nn

PICTURES = 40
CHANNELS = 64
SIZE = 115
SMALL = {"PICTURES": 2, "CHANNELS": 3, "SIZE": 9}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.sharpness = nn.Parameter(0.3 + torch.rand(channels, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weight = torch.exp(x * self.sharpness)
        return F.avg_pool2d(x * weight, 3, stride=2) / F.avg_pool2d(weight, 3, stride=2)


def get_inputs():
    return [torch.randn(PICTURES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS]
