# SPDX-License-Identifier: GPL-3.0-or-later
"""Signals of magnetic resonance are complex: a complex layer from four real products, and an activation that shortens
each number by what is learned, without turning it.
"""

import torch
import torch.nn.functional as F
from torch import nn

ROWS = 5000
WIDTH = 1100
OUTPUTS = 1300
SMALL = {"ROWS": 5, "WIDTH": 12, "OUTPUTS": 9}


class Model(nn.Module):
    def __init__(self, width: int, outputs: int):
        super().__init__()
        self.real = nn.Parameter(torch.randn(outputs, width) / width**0.5)
        self.imaginary = nn.Parameter(torch.randn(outputs, width) / width**0.5)
        self.real_bias = nn.Parameter(0.3 * torch.randn(outputs))
        self.imaginary_bias = nn.Parameter(0.3 * torch.randn(outputs))
        self.shortening = nn.Parameter(0.2 + 0.8 * torch.rand(outputs))

    def forward(self, real: torch.Tensor, imaginary: torch.Tensor):
        u = F.linear(real, self.real, self.real_bias) - F.linear(imaginary, self.imaginary)
        v = F.linear(real, self.imaginary, self.imaginary_bias) + F.linear(imaginary, self.real)
        length = torch.sqrt(u.square() + v.square() + 1e-6)
        factor = torch.relu(length - self.shortening) / length
        return u * factor, v * factor


def get_inputs():
    return [torch.randn(ROWS, WIDTH), torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, OUTPUTS]
