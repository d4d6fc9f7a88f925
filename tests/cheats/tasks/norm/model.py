# SPDX-License-Identifier: GPL-3.0-or-later
"""Batch norm of an untrained layer, then ReLU: its statistics and factors are those it is made with."""

import torch
from torch import nn

CHANNELS = 32


def rows(few: int, many: int) -> int:
    """A GPU needs more work than a processor to be busy."""
    return many if torch.empty(0).device.type == "cuda" else few


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.norm(x))


def get_inputs():
    return [torch.randn(rows(16, 512), CHANNELS, 32, 32)]


def get_init_inputs():
    return [CHANNELS]
