# SPDX-License-Identifier: GPL-3.0-or-later
"""Spatial softmax of robot vision: where is each feature, on average? One pair of coordinates for each
channel.
"""

import torch
from torch import nn

IMAGES = 96
CHANNELS = 64
HEIGHT = 109
WIDTH = 109
SMALL = {"IMAGES": 2, "CHANNELS": 4, "HEIGHT": 7, "WIDTH": 9}


class Model(nn.Module):
    def __init__(self, channels: int, height: int, width: int):
        super().__init__()
        self.sharpness = nn.Parameter(1.0 + torch.rand(channels, 1))
        self.register_buffer("row", torch.linspace(-1.0, 1.0, height).repeat_interleave(width))
        self.register_buffer("column", torch.linspace(-1.0, 1.0, width).repeat(height))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        share = torch.softmax(x.flatten(2) * self.sharpness, dim=-1)
        return torch.stack([(share * self.row).sum(dim=-1), (share * self.column).sum(dim=-1)], dim=-1)


def get_inputs():
    return [3.0 * torch.randn(IMAGES, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [CHANNELS, HEIGHT, WIDTH]
