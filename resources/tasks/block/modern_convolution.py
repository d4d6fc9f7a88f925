# SPDX-License-Identifier: GPL-3.0-or-later
"""A ConvNeXt block: depthwise 7 by 7, layer norm over channels, two products with GELU between, a factor, the
residual.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 160
CHANNELS = 192
SIZE = 40
SMALL = {"IMAGES": 2, "CHANNELS": 6, "SIZE": 8}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.depthwise = nn.Conv2d(channels, channels, 7, padding=3, groups=channels)
        self.norm = nn.LayerNorm(channels, eps=1e-6)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)
        self.up = nn.Linear(channels, 4 * channels)
        self.down = nn.Linear(4 * channels, channels)
        self.factor = nn.Parameter(torch.randn(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.depthwise(x).permute(0, 2, 3, 1)
        h = self.factor * self.down(F.gelu(self.up(self.norm(h))))
        return x + h.permute(0, 3, 1, 2)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS]
