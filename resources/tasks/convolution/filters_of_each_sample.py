# SPDX-License-Identifier: GPL-3.0-or-later
"""Every picture brings filters of its own, made by another network: a convolution in one group for each
picture.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 64
CHANNELS = 80
SIZE = 80
SMALL = {"IMAGES": 2, "CHANNELS": 3, "SIZE": 7}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.demodulate = nn.Parameter(0.5 + torch.rand(channels, 1, 1, 1))

    def forward(self, x: torch.Tensor, filters: torch.Tensor) -> torch.Tensor:
        images, channels, height, width = x.shape
        size = filters.square().sum(dim=(2, 3, 4), keepdim=True)
        filters = self.demodulate * filters * torch.rsqrt(size + 1e-6)
        out = F.conv2d(x.reshape(1, -1, height, width), filters.flatten(0, 1), padding=1, groups=images)
        return out.view(images, channels, height, width)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE), torch.randn(IMAGES, CHANNELS, CHANNELS, 3, 3)]


def get_init_inputs():
    return [CHANNELS]
