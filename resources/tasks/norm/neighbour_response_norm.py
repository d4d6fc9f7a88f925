# SPDX-License-Identifier: GPL-3.0-or-later
"""Local response norm: a channel is damped by the energy of the channels beside it."""

import torch
from torch import nn

IMAGES = 24
CHANNELS = 96
SIZE = 110
NEIGHBOURS = 7
SMALL = {"IMAGES": 2, "CHANNELS": 10, "SIZE": 5}


class Model(nn.Module):
    def __init__(self, neighbours: int):
        super().__init__()
        self.norm = nn.LocalResponseNorm(neighbours, alpha=0.5, beta=0.7, k=1.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(torch.relu(x))


def get_inputs():
    return [2.0 * torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [NEIGHBOURS]
