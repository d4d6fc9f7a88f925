# SPDX-License-Identifier: GPL-3.0-or-later
"""Sizes that no tile divides, for faults that are told by their place."""

import torch
from torch import nn

ROWS = 500
CHANNELS = 384


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(channels) + 0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(x) * self.scale


def get_inputs():
    return [torch.randn(ROWS, CHANNELS)]


def get_init_inputs():
    return [CHANNELS]
