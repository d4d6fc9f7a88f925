# SPDX-License-Identifier: GPL-3.0-or-later
"""Between a maximum and a mean: each channel of a signal learns how much of either it takes; windows go over
the end.
"""

import torch
import torch.nn.functional as F
from torch import nn

SIGNALS = 64
CHANNELS = 384
STEPS = 2051
SMALL = {"SIGNALS": 2, "CHANNELS": 4, "STEPS": 23}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.blend = nn.Parameter(torch.randn(channels, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        share = torch.sigmoid(self.blend)
        largest = F.max_pool1d(x, 4, stride=3, ceil_mode=True)
        return share * largest + (1.0 - share) * F.avg_pool1d(x, 4, stride=3, ceil_mode=True)


def get_inputs():
    return [torch.randn(SIGNALS, CHANNELS, STEPS)]


def get_init_inputs():
    return [CHANNELS]
