# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores of attention get a bias from a small table, looked up by how far query and key are apart in a window."""

import torch
from torch import nn

WINDOWS = 1024
HEADS = 12
WINDOW = 9
SMALL = {"WINDOWS": 3, "HEADS": 2, "WINDOW": 3}


class Model(nn.Module):
    def __init__(self, heads: int, window: int):
        super().__init__()
        self.table = nn.Parameter(torch.randn((2 * window - 1) ** 2, heads))
        place = torch.arange(window * window)
        row, column = place // window, place % window
        down = row[:, None] - row + window - 1
        across = column[:, None] - column + window - 1
        self.register_buffer("index", down * (2 * window - 1) + across)

    def forward(self, scores: torch.Tensor) -> torch.Tensor:
        return scores + self.table[self.index].permute(2, 0, 1)


def get_inputs():
    return [torch.randn(WINDOWS, HEADS, WINDOW * WINDOW, WINDOW * WINDOW)]


def get_init_inputs():
    return [HEADS, WINDOW]
