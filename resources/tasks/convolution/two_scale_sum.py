# SPDX-License-Identifier: GPL-3.0-or-later
"""Two scales of a picture at once: one branch at full size, one at half size that is enlarged again; their
sum, Mish.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 80
CHANNELS = 64
SIZE = 112
SMALL = {"IMAGES": 2, "CHANNELS": 4, "SIZE": 8}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.fine = nn.Conv2d(channels, channels, 3, padding=1)
        self.coarse = nn.Conv2d(channels, channels, 5, padding=2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        small = self.coarse(F.avg_pool2d(x, 2))
        return F.mish(self.fine(x) + F.interpolate(small, scale_factor=2, mode="nearest"))


def get_inputs():
    return [2.0 * torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS]
