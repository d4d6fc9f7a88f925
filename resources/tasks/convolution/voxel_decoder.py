# SPDX-License-Identifier: GPL-3.0-or-later
"""A volume grows to twice its size by a transposed convolution with output padding; softplus makes densities
of it.
"""

import torch
import torch.nn.functional as F
from torch import nn

VOLUMES = 8
CHANNELS = 64
OUTPUTS = 32
SIZE = 28
SMALL = {"VOLUMES": 2, "CHANNELS": 4, "OUTPUTS": 3, "SIZE": 4}


class Model(nn.Module):
    def __init__(self, channels: int, outputs: int):
        super().__init__()
        self.up = nn.ConvTranspose3d(channels, outputs, kernel_size=3, stride=2, padding=1, output_padding=1)
        self.scale = nn.Parameter(0.5 + torch.rand(outputs, 1, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.scale * F.softplus(3.0 * self.up(x))


def get_inputs():
    return [torch.randn(VOLUMES, CHANNELS, SIZE, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, OUTPUTS]
