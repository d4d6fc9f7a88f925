# SPDX-License-Identifier: GPL-3.0-or-later
"""A 9 by 1 and a 1 by 9 convolution stand for a square one; ReLU between and after."""

import torch
from torch import nn

IMAGES = 128
CHANNELS = 96
HEIGHT = 70
WIDTH = 91
SMALL = {"IMAGES": 2, "CHANNELS": 4, "HEIGHT": 10, "WIDTH": 11}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.down = nn.Conv2d(channels, channels, kernel_size=(9, 1), padding=(4, 0))
        self.across = nn.Conv2d(channels, channels, kernel_size=(1, 9), padding=(0, 4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.across(torch.relu(self.down(x))))


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [CHANNELS]
