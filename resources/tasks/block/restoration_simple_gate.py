# SPDX-License-Identifier: GPL-3.0-or-later
"""A block that restores pictures without any activation: norms over channels, 1 by 1 and depthwise convolutions, halves
multiplied with each other, channels weighed by their means; two residuals with learned factors.
"""

import torch
import torch.nn.functional as F
from torch import nn

PICTURES = 8
CHANNELS = 64
SIZE = 160
SMALL = {"PICTURES": 2, "CHANNELS": 6, "SIZE": 7}


class ChannelNorm(nn.LayerNorm):
    def __init__(self, channels: int):
        super().__init__(channels)
        nn.init.normal_(self.weight, 1.0, 0.2)
        nn.init.normal_(self.bias, 0.0, 0.2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = x.permute(0, 2, 3, 1)
        return F.layer_norm(rows, self.normalized_shape, self.weight, self.bias, 1e-6).permute(0, 3, 1, 2)


def simple_gate(x: torch.Tensor) -> torch.Tensor:
    first, second = x.chunk(2, dim=1)
    return first * second


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.first_norm = ChannelNorm(channels)
        self.widen = nn.Conv2d(channels, 2 * channels, 1)
        self.around = nn.Conv2d(2 * channels, 2 * channels, 3, padding=1, groups=2 * channels)
        self.weigh = nn.Conv2d(channels, channels, 1)
        self.narrow = nn.Conv2d(channels, channels, 1)
        self.second_norm = ChannelNorm(channels)
        self.forth = nn.Conv2d(channels, 2 * channels, 1)
        self.back = nn.Conv2d(channels, channels, 1)
        self.first_factor = nn.Parameter(torch.randn(channels, 1, 1))
        self.second_factor = nn.Parameter(torch.randn(channels, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = simple_gate(self.around(self.widen(self.first_norm(x))))
        h = h * self.weigh(h.mean(dim=(2, 3), keepdim=True))
        x = x + self.first_factor * self.narrow(h)
        h = simple_gate(self.forth(self.second_norm(x)))
        return x + self.second_factor * self.back(h)


def get_inputs():
    return [torch.randn(PICTURES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS]
