# SPDX-License-Identifier: GPL-3.0-or-later
"""A filter of 3 by 5 by 5 for each channel of a volume by itself, without a bias: nothing but the convolution."""

import torch
from torch import nn

VOLUMES = 6
CHANNELS = 48
DEPTH = 40
SIZE = 88
SMALL = {"VOLUMES": 2, "CHANNELS": 3, "DEPTH": 4, "SIZE": 7}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.conv = nn.Conv3d(channels, channels, (3, 5, 5), padding=(1, 2, 2), groups=channels, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(x)


def get_inputs():
    return [torch.randn(VOLUMES, CHANNELS, DEPTH, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS]
