# SPDX-License-Identifier: GPL-3.0-or-later
"""A residual block: 1 by 1 down, 3 by 3, 1 by 1 up, each with inference batch norm, and ReLU over the sum."""

import torch
from torch import nn

IMAGES = 160
CHANNELS = 256
NARROW = 64
SIZE = 56
SMALL = {"IMAGES": 2, "CHANNELS": 8, "NARROW": 4, "SIZE": 5}


def conv_and_norm(channels: int, outputs: int, size: int) -> nn.Sequential:
    norm = nn.BatchNorm2d(outputs)
    norm.running_mean.normal_(0.0, 0.2)
    norm.running_var.uniform_(0.2, 0.6)
    nn.init.normal_(norm.weight, 1.0, 0.2)
    nn.init.normal_(norm.bias, 0.0, 0.3)
    return nn.Sequential(nn.Conv2d(channels, outputs, size, padding=size // 2, bias=False), norm)


class Model(nn.Module):
    def __init__(self, channels: int, narrow: int):
        super().__init__()
        self.down = conv_and_norm(channels, narrow, 1)
        self.middle = conv_and_norm(narrow, narrow, 3)
        self.up = conv_and_norm(narrow, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = torch.relu(self.down(x))
        h = torch.relu(self.middle(h))
        return torch.relu(self.up(h) + x)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, NARROW]
