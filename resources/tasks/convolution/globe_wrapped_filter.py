# SPDX-License-Identifier: GPL-3.0-or-later
"""Weather on a globe: a map's east joins its west, and at the poles the last row is repeated. A convolution over such
borders, GELU, a factor for each latitude, the residual.
"""

import torch
import torch.nn.functional as F
from torch import nn

MAPS = 4
CHANNELS = 128
LATITUDES = 121
LONGITUDES = 240
SMALL = {"MAPS": 2, "CHANNELS": 4, "LATITUDES": 7, "LONGITUDES": 10}


class Model(nn.Module):
    def __init__(self, channels: int, latitudes: int):
        super().__init__()
        self.filter = nn.Conv2d(channels, channels, kernel_size=(3, 5))
        self.latitude = nn.Parameter(0.5 + torch.rand(latitudes, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        wrapped = F.pad(x, (2, 2, 0, 0), mode="circular")
        wrapped = F.pad(wrapped, (0, 0, 1, 1), mode="replicate")
        return x + self.latitude * F.gelu(self.filter(wrapped))


def get_inputs():
    return [torch.randn(MAPS, CHANNELS, LATITUDES, LONGITUDES)]


def get_init_inputs():
    return [CHANNELS, LATITUDES]
