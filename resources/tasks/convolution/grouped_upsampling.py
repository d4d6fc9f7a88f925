# SPDX-License-Identifier: GPL-3.0-or-later
"""A transposed convolution in four groups that makes an image three times as large, with bias."""

import torch
from torch import nn

IMAGES = 64
CHANNELS = 64
SIZE = 72
GROUPS = 4
SMALL = {"IMAGES": 2, "CHANNELS": 8, "SIZE": 4, "GROUPS": 2}


class Model(nn.Module):
    def __init__(self, channels: int, groups: int):
        super().__init__()
        self.up = nn.ConvTranspose2d(channels, channels, kernel_size=5, stride=3, padding=1, groups=groups)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.up(x)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, GROUPS]
