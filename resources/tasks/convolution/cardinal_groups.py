# SPDX-License-Identifier: GPL-3.0-or-later
"""ResNeXt: a convolution in 32 groups at every second pixel, inference batch norm, ReLU."""

import torch
from torch import nn

IMAGES = 64
CHANNELS = 256
SIZE = 84
GROUPS = 32
SMALL = {"IMAGES": 2, "CHANNELS": 8, "SIZE": 7, "GROUPS": 2}


class Model(nn.Module):
    def __init__(self, channels: int, groups: int):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, kernel_size=3, stride=2, padding=1, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.norm.running_mean.normal_(0.0, 0.3)
        self.norm.running_var.uniform_(0.2, 0.6)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.norm(self.conv(x)))


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, GROUPS]
