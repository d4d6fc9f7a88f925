# SPDX-License-Identifier: GPL-3.0-or-later
"""A dense block: three convolutions, each of which sees everything made before it; inference batch norm and
ReLU before.
"""

import torch
from torch import nn

IMAGES = 160
CHANNELS = 96
GROWTH = 32
SIZE = 48
SMALL = {"IMAGES": 2, "CHANNELS": 5, "GROWTH": 3, "SIZE": 6}


class Model(nn.Module):
    def __init__(self, channels: int, growth: int):
        super().__init__()
        widths = [channels + number * growth for number in range(3)]
        self.norms = nn.ModuleList(nn.BatchNorm2d(width) for width in widths)
        self.convs = nn.ModuleList(nn.Conv2d(width, growth, 3, padding=1, bias=False) for width in widths)
        for norm in self.norms:
            norm.running_mean.normal_(0.0, 0.3)
            norm.running_var.uniform_(0.5, 1.5)
            nn.init.normal_(norm.weight, 1.0, 0.2)
            nn.init.normal_(norm.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for norm, conv in zip(self.norms, self.convs):
            x = torch.cat([x, conv(torch.relu(norm(x)))], dim=1)
        return x


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, GROWTH]
