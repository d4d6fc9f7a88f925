# SPDX-License-Identifier: GPL-3.0-or-later
"""A critic that looks at patches: 4 by 4 windows at every second pixel, instance norm with parameters, leaky
ReLU.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 24
CHANNELS = 64
OUTPUTS = 128
SIZE = 128
SMALL = {"IMAGES": 2, "CHANNELS": 4, "OUTPUTS": 5, "SIZE": 12}


class Model(nn.Module):
    def __init__(self, channels: int, outputs: int):
        super().__init__()
        self.conv = nn.Conv2d(channels, outputs, kernel_size=4, stride=2, padding=1, bias=False)
        self.norm = nn.InstanceNorm2d(outputs, affine=True)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.leaky_relu(self.norm(self.conv(x)), 0.2)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, OUTPUTS]
