# SPDX-License-Identifier: GPL-3.0-or-later
"""PReLU: negative values are multiplied by a slope that each channel learns for itself."""

import torch
from torch import nn

ROWS = 4096
CHANNELS = 1024


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.slope = nn.Parameter(0.25 + 0.1 * torch.randn(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.where(x > 0, x, x * self.slope)


def get_inputs():
    return [torch.randn(ROWS, CHANNELS)]


def get_init_inputs():
    return [CHANNELS]
