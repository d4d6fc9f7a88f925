# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of the test workspaces, large beside a device that is taken to be small; its rows depend on each other."""

import torch
from torch import nn

ROWS = 25600  # 50 MiB a tensor
CHANNELS = 512


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(channels) + 0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(x - x.mean(0)) * self.scale


def get_inputs():
    return [torch.randn(ROWS, CHANNELS)]


def get_init_inputs():
    return [CHANNELS]
