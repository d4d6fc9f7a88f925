# SPDX-License-Identifier: GPL-3.0-or-later
"""Products of two batches of matrices, the second transposed in memory, with scores capped by tanh."""

import torch
from torch import nn

BATCH = 48
ROWS = 700
INNER = 320
COLUMNS = 900
CAP = 30.0
SMALL = {"BATCH": 2, "ROWS": 7, "INNER": 6, "COLUMNS": 9}


class Model(nn.Module):
    def __init__(self, cap: float):
        super().__init__()
        self.cap = cap

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return self.cap * torch.tanh(torch.bmm(a, b.transpose(1, 2)) / self.cap)


def get_inputs():
    return [torch.randn(BATCH, ROWS, INNER), torch.randn(BATCH, COLUMNS, INNER)]


def get_init_inputs():
    return [CAP]
