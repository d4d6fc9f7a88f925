# SPDX-License-Identifier: GPL-3.0-or-later
"""Attention weights of one head: scores are scaled, biased by key position, and normalised per row."""

import torch
from torch import nn

ROWS = 1024  # Few enough for a CPU in seconds; on a GPU 8192 say more.
COLUMNS = 4096
SCALE = 0.125


class Model(nn.Module):
    def __init__(self, columns: int, scale: float):
        super().__init__()
        self.scale = scale
        self.bias = nn.Parameter(torch.randn(columns))

    def forward(self, scores: torch.Tensor) -> torch.Tensor:
        return torch.softmax(scores * self.scale + self.bias, dim=-1)


def get_inputs():
    return [8.0 * torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return [COLUMNS, SCALE]
