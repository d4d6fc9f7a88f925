# SPDX-License-Identifier: GPL-3.0-or-later
"""An inception block: 1 by 1; 1 by 1 and 3 by 3; two flat windows; pooling and 1 by 1. All side by side, ReLU
in each.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 128
CHANNELS = 192
SIZE = 44
SMALL = {"IMAGES": 2, "CHANNELS": 6, "SIZE": 8}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.plain = nn.Conv2d(channels, 72, 1)
        self.narrow = nn.Conv2d(channels, 56, 1)
        self.square = nn.Conv2d(56, 104, 3, padding=1)
        self.tall = nn.Conv2d(56, 64, (5, 1), padding=(2, 0))
        self.flat = nn.Conv2d(64, 64, (1, 5), padding=(0, 2))
        self.pooled = nn.Conv2d(channels, 40, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        narrow = torch.relu(self.narrow(x))
        branches = [
            self.plain(x),
            self.square(narrow),
            self.flat(torch.relu(self.tall(narrow))),
            self.pooled(F.avg_pool2d(x, 3, stride=1, padding=1)),
        ]
        return torch.relu(torch.cat(branches, dim=1))


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS]
