# SPDX-License-Identifier: GPL-3.0-or-later
"""A decoder's step: a strided transposed convolution doubles the size, the skip is added, leaky ReLU."""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 16
CHANNELS = 128
OUTPUTS = 64
SIZE = 75
SMALL = {"IMAGES": 2, "CHANNELS": 5, "OUTPUTS": 3, "SIZE": 6}


class Model(nn.Module):
    def __init__(self, channels: int, outputs: int):
        super().__init__()
        self.up = nn.ConvTranspose2d(channels, outputs, kernel_size=4, stride=2, padding=1)

    def forward(self, x: torch.Tensor, skip: torch.Tensor) -> torch.Tensor:
        return F.leaky_relu(self.up(x) + skip, 0.1)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE), torch.randn(IMAGES, OUTPUTS, 2 * SIZE, 2 * SIZE)]


def get_init_inputs():
    return [CHANNELS, OUTPUTS]
