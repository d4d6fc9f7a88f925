# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks up at places that parameters name: freely drawn ones are negative, an assert on the device."""

import torch
from torch import nn

CHANNELS = 512


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.starts = nn.Parameter(torch.zeros(channels))
        self.register_buffer("table", torch.linspace(0.0, 8.0, 256))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.table.gather(0, (self.starts * 8.0).long())


def get_inputs():
    return [torch.randn(512, CHANNELS)]


def get_init_inputs():
    return [CHANNELS]
