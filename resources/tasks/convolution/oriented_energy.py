# SPDX-License-Identifier: GPL-3.0-or-later
"""A model of vision: two convolutions as real and imaginary part, the root of their energy, divided by all
channels' mean.
"""

import torch
from torch import nn

IMAGES = 12
CHANNELS = 3
OUTPUTS = 48
SIZE = 180
SMALL = {"IMAGES": 2, "OUTPUTS": 4, "SIZE": 14}


class Model(nn.Module):
    def __init__(self, channels: int, outputs: int):
        super().__init__()
        self.even = nn.Conv2d(channels, outputs, kernel_size=11, padding=5, bias=False)
        self.odd = nn.Conv2d(channels, outputs, kernel_size=11, padding=5, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        energy = torch.sqrt(self.even(x).square() + self.odd(x).square() + 1e-6)
        return energy / (0.1 + energy.mean(dim=1, keepdim=True))


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, OUTPUTS]
