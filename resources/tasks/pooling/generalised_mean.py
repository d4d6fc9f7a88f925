# SPDX-License-Identifier: GPL-3.0-or-later
"""Image retrieval: each channel of a picture becomes a mean of learned power, and the whole a unit vector."""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 48
CHANNELS = 512
HEIGHT = 48
WIDTH = 61
SMALL = {"IMAGES": 3, "CHANNELS": 6, "HEIGHT": 5, "WIDTH": 7}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.power = nn.Parameter(2.0 + 2.0 * torch.rand(channels, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        mean = x.clamp(min=1e-3).pow(self.power).mean(dim=(2, 3))
        return F.normalize(mean.pow(1.0 / self.power.flatten()), dim=-1)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, HEIGHT, WIDTH).abs() * (0.2 + torch.rand(IMAGES, CHANNELS, 1, 1))]


def get_init_inputs():
    return [CHANNELS]
