# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the sorted edges each number falls between: one input has an order that has to stay."""

import torch
from torch import nn


def rows(few: int, many: int) -> int:
    """A GPU needs more work than a processor to be busy."""
    return many if torch.empty(0).device.type == "cuda" else few


class Model(nn.Module):
    def forward(self, edges: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return torch.searchsorted(edges, x)


def get_inputs():
    return [torch.sort(torch.randn(4096)).values, torch.randn(rows(512, 8192), 1024)]


def get_init_inputs():
    return []
