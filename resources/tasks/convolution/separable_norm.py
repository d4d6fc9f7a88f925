# SPDX-License-Identifier: GPL-3.0-or-later
"""A separable convolution: depthwise, then 1 by 1, each with inference batch norm and a bounded ReLU."""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 32
CHANNELS = 128
OUTPUTS = 192
SIZE = 65
SMALL = {"IMAGES": 2, "CHANNELS": 4, "OUTPUTS": 6, "SIZE": 7}


class Model(nn.Module):
    def __init__(self, channels: int, outputs: int):
        super().__init__()
        self.depthwise = nn.Conv2d(channels, channels, 3, padding=1, groups=channels, bias=False)
        self.first = nn.BatchNorm2d(channels)
        self.pointwise = nn.Conv2d(channels, outputs, 1, bias=False)
        self.second = nn.BatchNorm2d(outputs)
        for norm in (self.first, self.second):
            norm.running_mean.normal_(0.0, 0.2)
            norm.running_var.uniform_(0.1, 0.4)
            nn.init.normal_(norm.weight, 1.0, 0.2)
            nn.init.normal_(norm.bias, 0.3, 0.3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu6(self.first(self.depthwise(x)))
        return F.relu6(self.second(self.pointwise(x)))


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, OUTPUTS]
