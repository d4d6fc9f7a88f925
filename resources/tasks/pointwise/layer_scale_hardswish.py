# SPDX-License-Identifier: GPL-3.0-or-later
"""A residual branch in half precision, colour last: hard swish, a learned factor for each channel, and the
sum.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 64
CHANNELS = 144
SIZE = 72
SMALL = {"IMAGES": 2, "CHANNELS": 6, "SIZE": 5}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.factor = nn.Parameter((0.5 + 0.3 * torch.randn(1, channels, 1, 1)).to(torch.float16))

    def forward(self, x: torch.Tensor, residual: torch.Tensor) -> torch.Tensor:
        return residual + self.factor * F.hardswish(x)


def get_inputs():
    shape = (IMAGES, CHANNELS, SIZE, SIZE)
    x = (2.0 * torch.randn(shape)).to(torch.float16).to(memory_format=torch.channels_last)
    residual = torch.randn(shape).to(torch.float16).to(memory_format=torch.channels_last)
    return [x, residual]


def get_init_inputs():
    return [CHANNELS]
