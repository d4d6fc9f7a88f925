# SPDX-License-Identifier: GPL-3.0-or-later
"""Windows of 7 by 7 for each channel by itself, colour last in memory, a bias, and a learned factor: spatial
mixing.
"""

import torch
from torch import nn

IMAGES = 32
CHANNELS = 168
SIZE = 80
SMALL = {"IMAGES": 2, "CHANNELS": 4, "SIZE": 9}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, kernel_size=7, padding=3, groups=channels)
        self.factor = nn.Parameter(torch.randn(channels, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.factor * self.conv(x)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE).to(memory_format=torch.channels_last)]


def get_init_inputs():
    return [CHANNELS]
