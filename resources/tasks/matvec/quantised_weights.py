# SPDX-License-Identifier: GPL-3.0-or-later
"""A layer whose weights are kept as bytes with a scale for each output, for a handful of rows; bias and ReLU
follow.
"""

import torch
import torch.nn.functional as F
from torch import nn

ROWS = 5
WIDTH = 8192
OUTPUTS = 7000
SMALL = {"ROWS": 3, "WIDTH": 20, "OUTPUTS": 14}


class Model(nn.Module):
    def __init__(self, width: int, outputs: int):
        super().__init__()
        self.register_buffer("weight", torch.randint(-127, 128, (outputs, width), dtype=torch.int8))
        self.scale = nn.Parameter((0.5 + torch.rand(outputs)) / (73.0 * width**0.5))
        self.bias = nn.Parameter(0.5 * torch.randn(outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weight = self.weight.to(x.dtype) * self.scale[:, None]
        return torch.relu(F.linear(x, weight, self.bias))


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, OUTPUTS]
