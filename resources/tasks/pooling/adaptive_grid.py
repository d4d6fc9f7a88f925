# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of any size become a grid of 5 by 7 means, whose windows overlap where the sizes do not divide."""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 64
CHANNELS = 200
HEIGHT = 93
WIDTH = 122
SMALL = {"IMAGES": 2, "CHANNELS": 3, "HEIGHT": 13, "WIDTH": 17}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(channels, 5, 7))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.adaptive_avg_pool2d(x.square(), (5, 7)) * self.weight


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [CHANNELS]
