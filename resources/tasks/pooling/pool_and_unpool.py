# SPDX-License-Identifier: GPL-3.0-or-later
"""Segmentation: maxima with their places, a factor for each channel, and back to the places that they came
from.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 24
CHANNELS = 64
SIZE = 160
SMALL = {"IMAGES": 2, "CHANNELS": 4, "SIZE": 8}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.factor = nn.Parameter(torch.randn(channels, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        best, place = F.max_pool2d(x, 2, return_indices=True)
        return F.max_unpool2d(best * self.factor, place, 2)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS]
