# SPDX-License-Identifier: GPL-3.0-or-later
"""Softmax of long rows: every value is small."""

import torch
from torch import nn

COLUMNS = 2048


def rows(few: int, many: int) -> int:
    """A GPU needs more work than a processor to be busy."""
    return many if torch.empty(0).device.type == "cuda" else few


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(x, dim=-1)


def get_inputs():
    return [torch.randn(rows(256, 4096), COLUMNS)]


def get_init_inputs():
    return []
