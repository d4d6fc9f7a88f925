# SPDX-License-Identifier: GPL-3.0-or-later
"""Axial attention: every row of a picture attends to itself, by 1 by 1 convolutions; channels lie outside, so
all is turned.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 8
CHANNELS = 96
HEIGHT = 128
WIDTH = 160
HEADS = 4
SMALL = {"IMAGES": 2, "CHANNELS": 8, "HEIGHT": 3, "WIDTH": 6, "HEADS": 2}


class Model(nn.Module):
    def __init__(self, channels: int, heads: int):
        super().__init__()
        self.heads = heads
        self.joint = nn.Conv2d(channels, 3 * channels, 1, bias=False)
        self.out = nn.Conv2d(channels, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        joint = self.joint(x).unflatten(1, (3, self.heads, -1)).permute(1, 0, 4, 2, 5, 3)
        rows = F.scaled_dot_product_attention(*joint)
        return x + self.out(rows.permute(0, 2, 4, 1, 3).flatten(1, 2))


def get_inputs():
    return [3.0 * torch.randn(IMAGES, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [CHANNELS, HEADS]
