# SPDX-License-Identifier: GPL-3.0-or-later
"""One level of a U-shaped network: a convolution, pooling, a deeper one, up again by a transposed one, joined
with the skip.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 64
CHANNELS = 48
SIZE = 144
SMALL = {"IMAGES": 2, "CHANNELS": 3, "SIZE": 8}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.enter = nn.Conv2d(channels, channels, 3, padding=1)
        self.deep = nn.Conv2d(channels, 2 * channels, 3, padding=1)
        self.up = nn.ConvTranspose2d(2 * channels, channels, 2, stride=2)
        self.leave = nn.Conv2d(2 * channels, channels, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        skip = torch.relu(self.enter(x))
        deep = torch.relu(self.deep(F.max_pool2d(skip, 2)))
        return torch.relu(self.leave(torch.cat([skip, self.up(deep)], dim=1)))


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS]
