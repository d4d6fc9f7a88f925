# SPDX-License-Identifier: GPL-3.0-or-later
"""Channels are weighed by what a small network makes of their means over the picture; the residual and ReLU
follow.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 48
CHANNELS = 384
NARROW = 24
HEIGHT = 50
WIDTH = 37
SMALL = {"IMAGES": 2, "CHANNELS": 8, "NARROW": 4, "HEIGHT": 5, "WIDTH": 4}


class Model(nn.Module):
    def __init__(self, channels: int, narrow: int):
        super().__init__()
        self.squeeze = nn.Linear(channels, narrow)
        self.excite = nn.Linear(narrow, channels)

    def forward(self, x: torch.Tensor, residual: torch.Tensor) -> torch.Tensor:
        mean = x.mean(dim=(2, 3))
        weight = torch.sigmoid(self.excite(F.silu(self.squeeze(mean))))
        return torch.relu(x * weight[:, :, None, None] + residual)


def get_inputs():
    shape = (IMAGES, CHANNELS, HEIGHT, WIDTH)
    return [torch.randn(shape) + 2.0 * torch.randn(IMAGES, CHANNELS, 1, 1), torch.randn(shape)]


def get_init_inputs():
    return [CHANNELS, NARROW]
