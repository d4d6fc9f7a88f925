# SPDX-License-Identifier: GPL-3.0-or-later
"""Gather of rows with a scale for each."""

import torch
from torch import nn

ROWS, COLUMNS, PICKED = 900, 256, 4000


class Model(nn.Module):
    def __init__(self, rows, columns):
        super().__init__()
        self.table = nn.Parameter(torch.randn(rows, columns))

    def forward(self, places, scale):
        return self.table[places] * scale[:, None]


def get_inputs():
    return [torch.randint(0, ROWS, (PICKED,)), torch.randn(PICKED)]


def get_init_inputs():
    return [ROWS, COLUMNS]
