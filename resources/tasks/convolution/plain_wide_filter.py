# SPDX-License-Identifier: GPL-3.0-or-later
"""A convolution with windows of 5 by 3 over an image of odd sizes, with bias, and nothing else."""

import torch
from torch import nn

IMAGES = 16
CHANNELS = 80
OUTPUTS = 112
HEIGHT = 99
WIDTH = 131
SMALL = {"IMAGES": 2, "CHANNELS": 4, "OUTPUTS": 5, "HEIGHT": 8, "WIDTH": 7}


class Model(nn.Module):
    def __init__(self, channels: int, outputs: int):
        super().__init__()
        self.conv = nn.Conv2d(channels, outputs, kernel_size=(5, 3), padding=(2, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(x)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [CHANNELS, OUTPUTS]
