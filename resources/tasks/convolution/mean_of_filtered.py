# SPDX-License-Identifier: GPL-3.0-or-later
"""A descriptor of a texture: a convolution without padding, whose every channel is averaged over the whole
picture.
"""

import torch
from torch import nn

IMAGES = 32
CHANNELS = 48
OUTPUTS = 96
SIZE = 96
SMALL = {"IMAGES": 2, "CHANNELS": 4, "OUTPUTS": 5, "SIZE": 7}


class Model(nn.Module):
    def __init__(self, channels: int, outputs: int):
        super().__init__()
        self.conv = nn.Conv2d(channels, outputs, kernel_size=3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(x).mean(dim=(2, 3))


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE) + torch.randn(IMAGES, CHANNELS, 1, 1)]


def get_init_inputs():
    return [CHANNELS, OUTPUTS]
