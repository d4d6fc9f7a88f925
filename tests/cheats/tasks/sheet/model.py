# SPDX-License-Identifier: GPL-3.0-or-later
"""Scale and shift each column, then swish: of a sheet so large that few results are kept at one time."""

import torch
from torch import nn

COLUMNS = 2048


def rows(few: int, many: int) -> int:
    """A GPU needs more work than a processor to be busy."""
    return many if torch.empty(0).device.type == "cuda" else few


class Model(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.scale = nn.Parameter(1.0 + 0.5 * torch.randn(columns))
        self.shift = nn.Parameter(torch.randn(columns))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = x * self.scale + self.shift
        return h * torch.sigmoid(h)


def get_inputs():
    return [torch.randn(rows(4096, 16384), COLUMNS)]


def get_init_inputs():
    return [COLUMNS]
