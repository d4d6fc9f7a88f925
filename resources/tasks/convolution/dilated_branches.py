# SPDX-License-Identifier: GPL-3.0-or-later
"""Segmentation sees at several scales: three convolutions with different dilation side by side, and ELU."""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 64
CHANNELS = 128
OUTPUTS = 64
SIZE = 65
SMALL = {"IMAGES": 2, "CHANNELS": 4, "OUTPUTS": 3, "SIZE": 14}


class Model(nn.Module):
    def __init__(self, channels: int, outputs: int):
        super().__init__()
        self.branches = nn.ModuleList(
            nn.Conv2d(channels, outputs, kernel_size=3, padding=rate, dilation=rate) for rate in (2, 5, 9)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.elu(torch.cat([branch(x) for branch in self.branches], dim=1))


def get_inputs():
    return [2.0 * torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, OUTPUTS]
