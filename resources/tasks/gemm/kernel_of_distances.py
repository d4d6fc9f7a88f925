# SPDX-License-Identifier: GPL-3.0-or-later
"""A Gaussian process: all distances between samples and support points by one product, and exp of their
negative.
"""

import torch
from torch import nn

SAMPLES = 9000
POINTS = 5000
FEATURES = 300
SMALL = {"SAMPLES": 7, "POINTS": 6, "FEATURES": 9}


class Model(nn.Module):
    def __init__(self, points: int, features: int):
        super().__init__()
        self.points = nn.Parameter(torch.randn(points, features))
        self.width = nn.Parameter(features * (0.5 + torch.rand(points)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        squares = x.square().sum(dim=1, keepdim=True) + self.points.square().sum(dim=1)
        distance = (squares - 2.0 * (x @ self.points.t())).clamp(min=0.0)
        return torch.exp(-distance / self.width)


def get_inputs():
    return [torch.randn(SAMPLES, FEATURES)]


def get_init_inputs():
    return [POINTS, FEATURES]
