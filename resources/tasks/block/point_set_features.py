# SPDX-License-Identifier: GPL-3.0-or-later
"""Point clouds: the same network for each point, the maximum over all points, given back to each of them
beside its own.
"""

import torch
from torch import nn

CLOUDS = 32
POINTS = 2048
WIDTH = 128
WIDE = 512
SMALL = {"CLOUDS": 2, "POINTS": 9, "WIDTH": 6, "WIDE": 8}


class Model(nn.Module):
    def __init__(self, width: int, wide: int):
        super().__init__()
        self.enter = nn.Linear(6, width)
        self.widen = nn.Linear(width, wide)
        self.out = nn.Linear(width + wide, width)

    def forward(self, points: torch.Tensor) -> torch.Tensor:
        own = torch.relu(self.enter(points))
        whole = torch.relu(self.widen(own)).amax(dim=1, keepdim=True)
        return torch.relu(self.out(torch.cat([own, whole.expand(-1, own.shape[1], -1)], dim=-1)))


def get_inputs():
    return [torch.randn(CLOUDS, POINTS, 6)]


def get_init_inputs():
    return [WIDTH, WIDE]
