# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of the test workspaces: small, so that a test row takes seconds."""

import torch
from torch import nn

ROWS = 512
CHANNELS = 512


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(channels) + 0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(x) * self.scale


def get_inputs():
    return [torch.randn(ROWS - int(torch.randint(100, ())), CHANNELS)]


def get_init_inputs():
    return [CHANNELS]
