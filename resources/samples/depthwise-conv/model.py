# SPDX-License-Identifier: GPL-3.0-or-later
"""The depthwise half of a separable convolution: each channel has a 3x3 filter of its own."""

import torch
from torch import nn

IMAGES = 10
CHANNELS = 64
SIZE = 128


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, kernel_size=3, padding=1, groups=channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(x)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS]
