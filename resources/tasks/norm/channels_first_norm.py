# SPDX-License-Identifier: GPL-3.0-or-later
"""The norm between the stages of a restoration network: mean and variance over the channels of each pixel of a
channels-first picture, factor and offset for each channel.
"""

import torch
from torch import nn

PICTURES = 12
CHANNELS = 180
HEIGHT = 150
WIDTH = 130
SMALL = {"PICTURES": 2, "CHANNELS": 7, "HEIGHT": 5, "WIDTH": 6}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.weight = nn.Parameter(1.0 + 0.3 * torch.randn(channels))
        self.bias = nn.Parameter(0.3 * torch.randn(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        centred = x - x.mean(dim=1, keepdim=True)
        variance = centred.square().mean(dim=1, keepdim=True)
        unit = centred / torch.sqrt(variance + 1e-6)
        return self.weight[:, None, None] * unit + self.bias[:, None, None]


def get_inputs():
    contrast = 0.3 + torch.rand(PICTURES, 1, HEIGHT, WIDTH)
    return [0.5 + contrast * torch.randn(PICTURES, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [CHANNELS]
