# SPDX-License-Identifier: GPL-3.0-or-later
"""Spectral normalisation: three steps of power iteration on a large matrix give its largest singular value's
direction.
"""

import torch
import torch.nn.functional as F
from torch import nn

ROWS = 9000
COLUMNS = 7168
SMALL = {"ROWS": 15, "COLUMNS": 11}


class Model(nn.Module):
    def __init__(self, rows: int, columns: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(rows, columns) / columns**0.5)

    def forward(self, v: torch.Tensor):
        for _ in range(3):
            u = F.normalize(self.weight @ v, dim=0)
            v = F.normalize(self.weight.t() @ u, dim=0)
        return v, torch.dot(u, self.weight @ v)


def get_inputs():
    return [torch.randn(COLUMNS)]


def get_init_inputs():
    return [ROWS, COLUMNS]
