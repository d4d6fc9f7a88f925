# SPDX-License-Identifier: GPL-3.0-or-later
"""A block of a diffusion network: norm, SiLU and convolution, twice; the time's embedding is added between, a
skip after.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 48
CHANNELS = 160
OUTPUTS = 224
EMBEDDING = 512
SIZE = 64
SMALL = {"IMAGES": 2, "CHANNELS": 16, "OUTPUTS": 32, "EMBEDDING": 7, "SIZE": 5}


class Model(nn.Module):
    def __init__(self, channels: int, outputs: int, embedding: int):
        super().__init__()
        self.first = nn.GroupNorm(8, channels)
        self.conv = nn.Conv2d(channels, outputs, 3, padding=1)
        self.time = nn.Linear(embedding, outputs)
        self.second = nn.GroupNorm(8, outputs)
        self.again = nn.Conv2d(outputs, outputs, 3, padding=1)
        self.skip = nn.Conv2d(channels, outputs, 1)
        for norm in (self.first, self.second):
            nn.init.normal_(norm.weight, 1.0, 0.2)
            nn.init.normal_(norm.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor, time: torch.Tensor) -> torch.Tensor:
        h = self.conv(F.silu(self.first(x)))
        h = h + self.time(F.silu(time))[:, :, None, None]
        return self.skip(x) + self.again(F.silu(self.second(h)))


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE), torch.randn(IMAGES, EMBEDDING)]


def get_init_inputs():
    return [CHANNELS, OUTPUTS, EMBEDDING]
