# SPDX-License-Identifier: GPL-3.0-or-later
"""Scale and shift each column, then swish; each row is a result of its own."""

import torch
from torch import nn

ROWS = 600
COLUMNS = 4096


class Model(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.scale = nn.Parameter(1.0 + 0.5 * torch.randn(columns))
        self.shift = nn.Parameter(torch.randn(columns))

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        h = x * self.scale + self.shift
        return list((h * torch.sigmoid(h)).unbind(0))


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return [COLUMNS]
