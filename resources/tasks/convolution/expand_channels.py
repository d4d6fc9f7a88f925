# SPDX-License-Identifier: GPL-3.0-or-later
"""The first third of an inverted bottleneck: a 1 by 1 convolution with inference batch norm and hard swish,
colour last.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 48
CHANNELS = 40
OUTPUTS = 240
SIZE = 56
SMALL = {"IMAGES": 2, "CHANNELS": 4, "OUTPUTS": 9, "SIZE": 5}


class Model(nn.Module):
    def __init__(self, channels: int, outputs: int):
        super().__init__()
        self.conv = nn.Conv2d(channels, outputs, kernel_size=1, bias=False)
        self.norm = nn.BatchNorm2d(outputs)
        self.norm.running_mean.normal_(0.0, 0.3)
        self.norm.running_var.uniform_(0.1, 0.4)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.hardswish(self.norm(self.conv(x)))


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE).to(memory_format=torch.channels_last)]


def get_init_inputs():
    return [CHANNELS, OUTPUTS]
