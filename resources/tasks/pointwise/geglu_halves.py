# SPDX-License-Identifier: GPL-3.0-or-later
"""GEGLU: one half of each row goes through GELU and gates the other half, between the two products of a feed-
forward.
"""

import torch
import torch.nn.functional as F
from torch import nn

ROWS = 8192
WIDTH = 5504
SMALL = {"ROWS": 7, "WIDTH": 37}


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        value, gate = x.chunk(2, dim=-1)
        return value * F.gelu(gate)


def get_inputs():
    return [torch.randn(ROWS, 2 * WIDTH)]


def get_init_inputs():
    return []
