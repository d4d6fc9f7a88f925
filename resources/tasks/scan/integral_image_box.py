# SPDX-License-Identifier: GPL-3.0-or-later
"""The mean over a square window at every pixel, by sums along both axes and differences of their corners."""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 64
HEIGHT = 720
WIDTH = 964
RADIUS = 8
SMALL = {"IMAGES": 2, "HEIGHT": 11, "WIDTH": 13, "RADIUS": 2}


class Model(nn.Module):
    def __init__(self, radius: int):
        super().__init__()
        self.size = 2 * radius + 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        total = F.pad(x.cumsum(dim=-1).cumsum(dim=-2), (1, 0, 1, 0))
        size = self.size
        corners = total[:, size:, size:] - total[:, :-size, size:] - total[:, size:, :-size] + total[:, :-size, :-size]
        return corners / (size * size)


def get_inputs():
    return [torch.randn(IMAGES, HEIGHT, WIDTH)]


def get_init_inputs():
    return [RADIUS]
