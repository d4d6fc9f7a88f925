# SPDX-License-Identifier: GPL-3.0-or-later
"""Weight standardisation: each filter is made free of its mean and divided by its deviation before it is used;
group norm after.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 16
CHANNELS = 160
SIZE = 49
GROUPS = 16
SMALL = {"IMAGES": 2, "CHANNELS": 8, "SIZE": 7, "GROUPS": 2}


class Model(nn.Module):
    def __init__(self, channels: int, groups: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(channels, channels, 3, 3))
        self.gain = nn.Parameter(0.5 + torch.rand(channels, 1, 1, 1))
        self.norm = nn.GroupNorm(groups, channels)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        deviation, mean = torch.std_mean(self.weight, dim=(1, 2, 3), keepdim=True)
        weight = self.gain * (self.weight - mean) / (deviation + 1e-5)
        return torch.relu(self.norm(F.conv2d(x, weight, padding=1)))


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, GROUPS]
