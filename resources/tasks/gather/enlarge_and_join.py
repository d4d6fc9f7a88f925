# SPDX-License-Identifier: GPL-3.0-or-later
"""A feature pyramid: the coarse level is enlarged by bilinear weights to the odd size of the fine one, and
they are joined.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 24
CHANNELS = 128
HEIGHT = 101
WIDTH = 135
SMALL = {"IMAGES": 2, "CHANNELS": 3, "HEIGHT": 9, "WIDTH": 11}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(channels, 1, 1))

    def forward(self, coarse: torch.Tensor, fine: torch.Tensor) -> torch.Tensor:
        up = F.interpolate(coarse * self.weight, size=fine.shape[-2:], mode="bilinear", align_corners=False)
        return torch.cat([fine, up], dim=1)


def get_inputs():
    coarse = torch.randn(IMAGES, CHANNELS, HEIGHT // 2, WIDTH // 2)
    return [coarse, torch.randn(IMAGES, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [CHANNELS]
