# SPDX-License-Identifier: GPL-3.0-or-later
"""Group norm and SiLU, as before every convolution of a diffusion model's network."""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 16
CHANNELS = 320
SIZE = 96
GROUPS = 32
SMALL = {"IMAGES": 2, "CHANNELS": 8, "SIZE": 6, "GROUPS": 4}


class Model(nn.Module):
    def __init__(self, groups: int, channels: int):
        super().__init__()
        self.norm = nn.GroupNorm(groups, channels)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.silu(self.norm(x))


def get_inputs():
    return [0.3 + torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [GROUPS, CHANNELS]
