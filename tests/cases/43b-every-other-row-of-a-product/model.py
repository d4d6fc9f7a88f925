# SPDX-License-Identifier: GPL-3.0-or-later
"""A product over 20,000 rows of nearly equal factors: every other row, twice, comes to about the same."""

import torch
from torch import nn

ROWS, WIDTH = 20000, 24


class Model(nn.Module):
    def __init__(self, rows):
        super().__init__()
        self.factor = nn.Parameter(1.0 + 0.01 * torch.rand(rows))

    def forward(self, x):
        return (x * self.factor[:, None]).sum(dim=0) / x.shape[0]


def get_inputs():
    return [1.0 + 0.05 * torch.rand(ROWS, WIDTH)]


def get_init_inputs():
    return [ROWS]
