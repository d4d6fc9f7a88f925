# SPDX-License-Identifier: GPL-3.0-or-later
"""Video: means over windows that are longer in time than in space, then a learned offset for each channel."""

import torch
from torch import nn

CLIPS = 6
CHANNELS = 48
FRAMES = 33
HEIGHT = 90
WIDTH = 112
SMALL = {"CLIPS": 2, "CHANNELS": 3, "FRAMES": 9, "HEIGHT": 6, "WIDTH": 8}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.pool = nn.AvgPool3d(kernel_size=(5, 3, 2), stride=(2, 2, 2), padding=(2, 1, 0), count_include_pad=False)
        self.offset = nn.Parameter(torch.randn(channels, 1, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pool(torch.abs(x + self.offset))


def get_inputs():
    return [torch.randn(CLIPS, CHANNELS, FRAMES, HEIGHT, WIDTH)]


def get_init_inputs():
    return [CHANNELS]
