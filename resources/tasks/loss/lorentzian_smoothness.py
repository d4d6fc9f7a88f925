# SPDX-License-Identifier: GPL-3.0-or-later
"""Optical flow should be smooth but for a few edges: differences to the pixel below and to the right, Lorentz's
penalty, a sum for each pair of pictures.
"""

import torch
from torch import nn

PAIRS = 32
HEIGHT = 436
WIDTH = 1023
SMALL = {"PAIRS": 3, "HEIGHT": 6, "WIDTH": 7}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(0.5 + torch.rand(2, 1, 1))
        self.weight = nn.Parameter(0.5 + torch.rand(2, 1, 1))

    def penalty(self, difference: torch.Tensor) -> torch.Tensor:
        return (self.weight * torch.log1p(0.5 * (difference / self.scale).square())).sum(dim=(1, 2, 3))

    def forward(self, flow: torch.Tensor) -> torch.Tensor:
        down = flow[:, :, 1:, :] - flow[:, :, :-1, :]
        right = flow[:, :, :, 1:] - flow[:, :, :, :-1]
        return self.penalty(down) + self.penalty(right)


def get_inputs():
    speed = 0.2 + 2.0 * torch.rand(PAIRS, 1, 1, 1)
    return [speed * torch.randn(PAIRS, 2, HEIGHT, WIDTH)]


def get_init_inputs():
    return []
