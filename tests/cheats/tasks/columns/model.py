# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums of columns."""

import torch
from torch import nn

COLUMNS = 512


def rows(few: int, many: int) -> int:
    """A GPU needs more work than a processor to be busy."""
    return many if torch.empty(0).device.type == "cuda" else few


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.sum(dim=0)


def get_inputs():
    return [torch.randn(rows(2048, 32768), COLUMNS)]


def get_init_inputs():
    return []
