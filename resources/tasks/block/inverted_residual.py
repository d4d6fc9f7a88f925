# SPDX-License-Identifier: GPL-3.0-or-later
"""A mobile network's block: 1 by 1 up, depthwise 5 by 5, channels weighed, 1 by 1 down; inference batch norms,
hard swish.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 48
CHANNELS = 48
WIDE = 192
SIZE = 40
SMALL = {"IMAGES": 2, "CHANNELS": 4, "WIDE": 40, "SIZE": 6}


def normed(channels: int) -> nn.BatchNorm2d:
    norm = nn.BatchNorm2d(channels)
    norm.running_mean.normal_(0.0, 0.2)
    norm.running_var.uniform_(0.1, 0.4)
    nn.init.normal_(norm.weight, 1.0, 0.2)
    nn.init.normal_(norm.bias, 0.0, 0.3)
    return norm


class Model(nn.Module):
    def __init__(self, channels: int, wide: int):
        super().__init__()
        self.up = nn.Conv2d(channels, wide, 1, bias=False)
        self.up_norm = normed(wide)
        self.depthwise = nn.Conv2d(wide, wide, 5, padding=2, groups=wide, bias=False)
        self.depthwise_norm = normed(wide)
        self.squeeze = nn.Conv2d(wide, wide // 4, 1)
        self.excite = nn.Conv2d(wide // 4, wide, 1)
        self.down = nn.Conv2d(wide, channels, 1, bias=False)
        self.down_norm = normed(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = F.hardswish(self.up_norm(self.up(x)))
        h = F.hardswish(self.depthwise_norm(self.depthwise(h)))
        weight = F.hardsigmoid(self.excite(torch.relu(self.squeeze(F.adaptive_avg_pool2d(h, 1)))))
        return x + self.down_norm(self.down(h * weight))


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, WIDE]
