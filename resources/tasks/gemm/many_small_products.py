# SPDX-License-Identifier: GPL-3.0-or-later
"""Very many products of small matrices, each of 22 by 30 and 30 by 18, as in finite elements."""

import torch
from torch import nn

COUNT = 120_000
ROWS = 22
INNER = 30
COLUMNS = 18
SMALL = {"COUNT": 5}


class Model(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.bmm(a, b)


def get_inputs():
    return [torch.randn(COUNT, ROWS, INNER), torch.randn(COUNT, INNER, COLUMNS)]


def get_init_inputs():
    return []
