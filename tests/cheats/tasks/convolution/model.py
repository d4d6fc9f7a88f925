# SPDX-License-Identifier: GPL-3.0-or-later
"""A 3x3 convolution, then ReLU."""

import torch
from torch import nn

CHANNELS = 64


def images(few: int, many: int) -> int:
    """A GPU needs more work than a processor to be busy."""
    return many if torch.empty(0).device.type == "cuda" else few


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.conv(x))


def get_inputs():
    return [torch.randn(images(4, 32), CHANNELS, 32, 32)]


def get_init_inputs():
    return [CHANNELS]
