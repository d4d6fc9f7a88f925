# SPDX-License-Identifier: GPL-3.0-or-later
"""A linear layer."""

import torch
from torch import nn

INNER = 512
COLUMNS = 512


def rows(few: int, many: int) -> int:
    """A GPU needs more work than a processor to be busy."""
    return many if torch.empty(0).device.type == "cuda" else few


class Model(nn.Module):
    def __init__(self, inner: int, columns: int):
        super().__init__()
        self.linear = nn.Linear(inner, columns)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x)


def get_inputs():
    return [torch.randn(rows(256, 4096), INNER)]


def get_init_inputs():
    return [INNER, COLUMNS]
