# SPDX-License-Identifier: GPL-3.0-or-later
"""Scale and shift each channel, then Mish: five pointwise steps, as one writes them first."""

import torch
import torch.nn.functional as F
from torch import nn

ROWS = 3840
CHANNELS = 2048


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.scale = nn.Parameter(1.0 + 0.5 * torch.randn(channels))
        self.shift = nn.Parameter(torch.randn(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = x * self.scale + self.shift
        return h * torch.tanh(F.softplus(h))


def get_inputs():
    return [torch.randn(ROWS, CHANNELS)]


def get_init_inputs():
    return [CHANNELS]
