# SPDX-License-Identifier: GPL-3.0-or-later
"""Pooling that a shift by one pixel does not upset, in float16: the maximum at every pixel, reflected borders, and a
small blur that is taken at every second pixel only.
"""

import torch
import torch.nn.functional as F
from torch import nn

PICTURES = 48
CHANNELS = 96
SIZE = 113
SMALL = {"PICTURES": 2, "CHANNELS": 3, "SIZE": 9}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        line = torch.tensor([0.25, 0.5, 0.25])
        blur = (line[:, None] * line).expand(channels, 1, 3, 3).contiguous()
        self.register_buffer("blur", blur.to(torch.float16))
        self.factor = nn.Parameter((0.5 + torch.rand(channels, 1, 1)).to(torch.float16))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        largest = F.max_pool2d(x, 2, stride=1) * self.factor
        return F.conv2d(F.pad(largest, (1, 1, 1, 1), mode="reflect"), self.blur, stride=2, groups=x.shape[1])


def get_inputs():
    return [torch.randn(PICTURES, CHANNELS, SIZE, SIZE).to(torch.float16)]


def get_init_inputs():
    return [CHANNELS]
