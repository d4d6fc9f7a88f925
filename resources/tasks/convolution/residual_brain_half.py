# SPDX-License-Identifier: GPL-3.0-or-later
"""A convolution in bfloat16, colour last, with bias, SiLU, and a residual scaled down so that variances stay."""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 32
CHANNELS = 256
SIZE = 64
SMALL = {"IMAGES": 2, "CHANNELS": 6, "SIZE": 6}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, kernel_size=3, padding=1, dtype=torch.bfloat16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return 0.7071 * (x + F.silu(self.conv(x)))


def get_inputs():
    return [
        (2.0 * torch.randn(IMAGES, CHANNELS, SIZE, SIZE)).to(torch.bfloat16).to(memory_format=torch.channels_last),
    ]


def get_init_inputs():
    return [CHANNELS]
