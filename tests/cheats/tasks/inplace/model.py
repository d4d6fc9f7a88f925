# SPDX-License-Identifier: GPL-3.0-or-later
"""Scales and shifts its input in place, and returns it."""

import torch
from torch import nn

COLUMNS = 512


def rows(few: int, many: int) -> int:
    """A GPU needs more work than a processor to be busy."""
    return many if torch.empty(0).device.type == "cuda" else few


class Model(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.scale = nn.Parameter(1.0 + 0.5 * torch.randn(columns))
        self.shift = nn.Parameter(torch.randn(columns))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.mul_(self.scale).add_(self.shift)


def get_inputs():
    return [torch.randn(rows(512, 8192), COLUMNS)]


def get_init_inputs():
    return [COLUMNS]
