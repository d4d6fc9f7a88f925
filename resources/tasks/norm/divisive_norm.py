# SPDX-License-Identifier: GPL-3.0-or-later
"""Learned image compression: each channel of a pixel is divided by the root of a weighed sum of all channels' energies
there (generalised divisive normalisation).
"""

import torch
import torch.nn.functional as F
from torch import nn

PICTURES = 12
CHANNELS = 192
HEIGHT = 96
WIDTH = 136
SMALL = {"PICTURES": 2, "CHANNELS": 6, "HEIGHT": 5, "WIDTH": 7}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.floor = nn.Parameter(0.5 + torch.rand(channels))
        self.weight = nn.Parameter((0.05 + torch.rand(channels, channels, 1, 1)) / channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(F.conv2d(x.square(), self.weight, self.floor))


def get_inputs():
    return [(0.5 + 2.0 * torch.rand(PICTURES, 1, HEIGHT, WIDTH)) * torch.randn(PICTURES, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [CHANNELS]
