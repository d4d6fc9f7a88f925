# SPDX-License-Identifier: GPL-3.0-or-later
"""Batch norm that is constructed and never switched to eval()."""

import torch
from torch import nn

BATCH, CHANNELS, SIDE = 16, 32, 32


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.bn = nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.bn(x))


def get_inputs():
    return [torch.rand(BATCH, CHANNELS, SIDE, SIDE)]


def get_init_inputs():
    return [CHANNELS]
