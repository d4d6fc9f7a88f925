# SPDX-License-Identifier: GPL-3.0-or-later
"""A block of a video network: a convolution in time and space, inference batch norm and ReLU."""

import torch
from torch import nn

CLIPS = 24
CHANNELS = 48
OUTPUTS = 64
FRAMES = 16
SIZE = 72
SMALL = {"CLIPS": 2, "CHANNELS": 3, "OUTPUTS": 4, "FRAMES": 4, "SIZE": 6}


class Model(nn.Module):
    def __init__(self, channels: int, outputs: int):
        super().__init__()
        self.conv = nn.Conv3d(channels, outputs, kernel_size=3, padding=1, bias=False)
        self.norm = nn.BatchNorm3d(outputs)
        self.norm.running_mean.normal_(0.0, 0.3)
        self.norm.running_var.uniform_(0.2, 0.6)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.norm(self.conv(x)))


def get_inputs():
    return [torch.randn(CLIPS, CHANNELS, FRAMES, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, OUTPUTS]
