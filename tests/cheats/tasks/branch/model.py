# SPDX-License-Identifier: GPL-3.0-or-later
"""A block whose branch begins with next to no weight, as deep networks begin, and the norm behind it."""

import torch
from torch import nn

WIDTH = 256


def rows(few: int, many: int) -> int:
    """A GPU needs more work than a processor to be busy."""
    return many if torch.empty(0).device.type == "cuda" else few


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.gamma = nn.Parameter(torch.full((width,), 1e-6))
        self.norm = nn.LayerNorm(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(x + self.gamma * self.down(nn.functional.gelu(self.up(x))))


def get_inputs():
    return [torch.randn(rows(512, 4096), WIDTH)]


def get_init_inputs():
    return [WIDTH]
