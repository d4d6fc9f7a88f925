# SPDX-License-Identifier: GPL-3.0-or-later
"""Snake, x + sin(ax)^2 / a with a frequency for each channel: the activation of neural vocoders."""

import torch
from torch import nn

BATCH = 16
CHANNELS = 192
SAMPLES = 16001
SMALL = {"BATCH": 2, "CHANNELS": 5, "SAMPLES": 33}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.frequency = nn.Parameter(0.5 + torch.rand(channels, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.sin(self.frequency * x).square() / self.frequency


def get_inputs():
    return [torch.randn(BATCH, CHANNELS, SAMPLES)]


def get_init_inputs():
    return [CHANNELS]
