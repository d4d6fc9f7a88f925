# SPDX-License-Identifier: GPL-3.0-or-later
"""What a table's features look like before a model is fitted: mean and mean square of each column of a tall matrix,
and the factor that gives the column its wanted spread.
"""

import torch
from torch import nn

SAMPLES = 180_000
FEATURES = 700
SMALL = {"SAMPLES": 31, "FEATURES": 9}


class Model(nn.Module):
    def __init__(self, features: int):
        super().__init__()
        self.spread = nn.Parameter(0.5 + torch.rand(features))

    def forward(self, x: torch.Tensor):
        mean = x.mean(dim=0)
        square = x.square().mean(dim=0)
        factor = self.spread * torch.rsqrt(square - mean.square() + 1e-5)
        return mean, square, factor


def get_inputs():
    scale = 0.3 + 2.0 * torch.rand(FEATURES)
    return [torch.randn(FEATURES) + scale * torch.randn(SAMPLES, FEATURES)]


def get_init_inputs():
    return [FEATURES]
