# SPDX-License-Identifier: GPL-3.0-or-later
"""A layer of an implicit picture: the sine of a product with bias, at a high frequency (SIREN)."""

import torch
from torch import nn

PIXELS = 60_000
WIDTH = 512
FREQUENCY = 3.0
SMALL = {"PIXELS": 7, "WIDTH": 12}


class Model(nn.Module):
    def __init__(self, width: int, frequency: float):
        super().__init__()
        self.frequency = frequency
        self.linear = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sin(self.frequency * self.linear(x))


def get_inputs():
    return [2.0 * torch.rand(PIXELS, WIDTH) - 1.0]


def get_init_inputs():
    return [WIDTH, FREQUENCY]
