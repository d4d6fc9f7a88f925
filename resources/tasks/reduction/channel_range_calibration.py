# SPDX-License-Identifier: GPL-3.0-or-later
"""Calibration before a network is quantised: least and largest value of each channel over pictures and pixels, moved
towards what was seen before; a step and a zero point come of it.
"""

import torch
from torch import nn

PICTURES = 96
CHANNELS = 120
SIZE = 67
SMALL = {"PICTURES": 3, "CHANNELS": 5, "SIZE": 6}


class Model(nn.Module):
    def __init__(self, channels: int, share: float):
        super().__init__()
        self.share = share
        self.least = nn.Parameter(-1.0 - 4.0 * torch.rand(channels))
        self.most = nn.Parameter(1.0 + 4.0 * torch.rand(channels))

    def forward(self, x: torch.Tensor):
        least = torch.lerp(self.least, x.amin(dim=(0, 2, 3)), self.share).clamp(max=0.0)
        most = torch.lerp(self.most, x.amax(dim=(0, 2, 3)), self.share).clamp(min=0.0)
        step = (most - least) / 255.0
        return step, -least / step


def get_inputs():
    spread = 0.2 + torch.rand(CHANNELS, 1, 1)
    return [spread * torch.randn(PICTURES, CHANNELS, SIZE, SIZE) + torch.randn(CHANNELS, 1, 1)]


def get_init_inputs():
    return [CHANNELS, 0.4]
