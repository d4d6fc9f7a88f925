# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers of a deep character model: a gate decides for each feature how much of it is transformed and how much is
carried on as it is.
"""

import torch
import torch.nn.functional as F
from torch import nn

ROWS = 16_000
WIDTH = 1100
SLOPE = 0.1
SMALL = {"ROWS": 5, "WIDTH": 12}


class Model(nn.Module):
    def __init__(self, width: int, slope: float):
        super().__init__()
        self.slope = slope
        self.transform = nn.Linear(width, width)
        self.gate = nn.Linear(width, width)
        nn.init.normal_(self.transform.weight, 0.0, 1.3 / width**0.5)
        nn.init.normal_(self.gate.weight, 0.0, 1.5 / width**0.5)
        nn.init.normal_(self.gate.bias, -0.5, 0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        share = torch.sigmoid(self.gate(x))
        return share * F.leaky_relu(self.transform(x), self.slope) + (1.0 - share) * x


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, SLOPE]
