# SPDX-License-Identifier: GPL-3.0-or-later
"""Each pixel's channels are made a unit vector and scaled by what was learned: features of different depths
are joined so.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 24
CHANNELS = 257
HEIGHT = 76
WIDTH = 75
SMALL = {"IMAGES": 2, "CHANNELS": 7, "HEIGHT": 5, "WIDTH": 4}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.scale = nn.Parameter(10.0 + 5.0 * torch.rand(channels, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.normalize(x, p=2.0, dim=1) * self.scale


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [CHANNELS]
