# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a super-resolution network in half precision: a convolution, its channels become pixels, the
input is added.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 64
CHANNELS = 64
SIZE = 160
FACTOR = 3
SMALL = {"IMAGES": 2, "CHANNELS": 4, "SIZE": 6, "FACTOR": 2}


class Model(nn.Module):
    def __init__(self, channels: int, factor: int):
        super().__init__()
        self.factor = factor
        self.conv = nn.Conv2d(channels, 3 * factor * factor, kernel_size=3, padding=1, dtype=torch.float16)

    def forward(self, features: torch.Tensor, image: torch.Tensor) -> torch.Tensor:
        detail = F.pixel_shuffle(self.conv(features), self.factor)
        return detail + F.interpolate(image, scale_factor=self.factor, mode="nearest")


def get_inputs():
    return [
        torch.randn(IMAGES, CHANNELS, SIZE, SIZE).to(torch.float16),
        torch.randn(IMAGES, 3, SIZE, SIZE).to(torch.float16),
    ]


def get_init_inputs():
    return [CHANNELS, FACTOR]
