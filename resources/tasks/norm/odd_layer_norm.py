# SPDX-License-Identifier: GPL-3.0-or-later
"""Layer norm with factor and offset, over rows whose length is no multiple of 32."""

import torch
from torch import nn

ROWS = 40_000
WIDTH = 1537
SMALL = {"ROWS": 5, "WIDTH": 29}


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(x)


def get_inputs():
    return [0.5 + 2.0 * torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH]
