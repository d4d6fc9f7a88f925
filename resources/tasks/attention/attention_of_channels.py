# SPDX-License-Identifier: GPL-3.0-or-later
"""Image restoration: channels attend to each other, by cosines over all pixels, at a learned temperature for
each head.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 12
HEADS = 4
CHANNELS = 48
HEIGHT = 96
WIDTH = 128
SMALL = {"IMAGES": 2, "HEADS": 2, "CHANNELS": 3, "HEIGHT": 5, "WIDTH": 4}


class Model(nn.Module):
    def __init__(self, heads: int):
        super().__init__()
        self.heads = heads
        self.temperature = nn.Parameter(4.0 + 4.0 * torch.rand(heads, 1, 1))

    def forward(self, joint: torch.Tensor) -> torch.Tensor:
        images, _, height, width = joint.shape
        query, key, value = joint.view(images, 3, self.heads, -1, height * width).unbind(dim=1)
        cosines = F.normalize(query, dim=-1) @ F.normalize(key, dim=-1).mT
        out = torch.softmax(self.temperature * cosines, dim=-1) @ value
        return out.reshape(images, -1, height, width)


def get_inputs():
    # A part that all channels share in their own measure: else all cosines of so many pixels were about 0.
    shared = torch.randn(IMAGES, 3 * HEADS * CHANNELS, 1, 1) * torch.randn(IMAGES, 1, HEIGHT, WIDTH)
    return [shared + torch.randn(IMAGES, 3 * HEADS * CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [HEADS]
