# SPDX-License-Identifier: GPL-3.0-or-later
"""Layer norm over the channels of each pixel of an image that keeps its channels outside, by two permutations."""

import torch
from torch import nn

IMAGES = 32
CHANNELS = 192
HEIGHT = 70
WIDTH = 90
SMALL = {"IMAGES": 2, "CHANNELS": 6, "HEIGHT": 3, "WIDTH": 5}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.norm = nn.LayerNorm(channels, eps=1e-6)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2).contiguous()


def get_inputs():
    return [0.2 + torch.randn(IMAGES, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [CHANNELS]
