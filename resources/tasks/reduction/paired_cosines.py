# SPDX-License-Identifier: GPL-3.0-or-later
"""How alike are the two texts of each pair? The cosine of the angle between their vectors, with a learned
metric.
"""

import torch
import torch.nn.functional as F
from torch import nn

PAIRS = 100_000
WIDTH = 769
SMALL = {"PAIRS": 9, "WIDTH": 23}


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.metric = nn.Parameter(0.5 + torch.rand(width))

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return F.cosine_similarity(a * self.metric, b, dim=-1)


def get_inputs():
    return [torch.randn(PAIRS, WIDTH), torch.randn(PAIRS, WIDTH)]


def get_init_inputs():
    return [WIDTH]
