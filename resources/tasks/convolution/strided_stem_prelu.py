# SPDX-License-Identifier: GPL-3.0-or-later
"""The stem of an image network: 5 by 5 windows at every second pixel of an odd size, then PReLU for each
channel.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 64
CHANNELS = 3
OUTPUTS = 40
SIZE = 385
SMALL = {"IMAGES": 2, "OUTPUTS": 5, "SIZE": 13}


class Model(nn.Module):
    def __init__(self, channels: int, outputs: int):
        super().__init__()
        self.conv = nn.Conv2d(channels, outputs, kernel_size=5, stride=2, padding=2)
        self.slope = nn.Parameter(0.3 * torch.randn(outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.prelu(self.conv(x), self.slope)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, OUTPUTS]
