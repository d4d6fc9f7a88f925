# SPDX-License-Identifier: GPL-3.0-or-later
"""The pair form with tensors in both halves: a positional one and one that goes by its name alone."""

import torch
from torch import nn

ROWS, WIDTH = 200, 33


class Model(nn.Module):
    def __init__(self, scale, *, shift, power=1.0):
        super().__init__()
        self.scale = nn.Parameter(scale)
        self.register_buffer("shift", shift)
        self.power = power

    def forward(self, x):
        return (x * self.scale + self.shift) * self.power


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [[torch.rand(WIDTH) + 0.5], {"shift": torch.randn(WIDTH), "power": 1.0}]
