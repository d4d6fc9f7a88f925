# SPDX-License-Identifier: GPL-3.0-or-later
"""Patches of 4 by 4 pixels at every second pixel as columns of a matrix, each made free of its mean: local
filters.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 24
CHANNELS = 3
HEIGHT = 400
WIDTH = 521
SMALL = {"IMAGES": 2, "HEIGHT": 9, "WIDTH": 12}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.window = nn.Parameter(0.5 + torch.rand(channels * 16, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        patches = F.unfold(x, kernel_size=4, stride=2, padding=1) * self.window
        return patches - patches.mean(dim=1, keepdim=True)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [CHANNELS]
