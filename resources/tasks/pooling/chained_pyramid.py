# SPDX-License-Identifier: GPL-3.0-or-later
"""A detector's neck: the same 5 by 5 maximum three times over, all four stages side by side, in half
precision.
"""

import torch
from torch import nn

IMAGES = 64
CHANNELS = 256
SIZE = 40
SMALL = {"IMAGES": 2, "CHANNELS": 3, "SIZE": 9}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = nn.MaxPool2d(5, stride=1, padding=2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        once = self.pool(x)
        twice = self.pool(once)
        return torch.cat([x, once, twice, self.pool(twice)], dim=1)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE).to(torch.float16)]


def get_init_inputs():
    return []
