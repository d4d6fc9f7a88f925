# SPDX-License-Identifier: GPL-3.0-or-later
"""A layer of WaveNet: a dilated convolution in time, one half through tanh, gated by the sigmoid of the other."""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 8
CHANNELS = 128
STEPS = 16_000
DILATION = 16
SMALL = {"BATCH": 2, "CHANNELS": 4, "STEPS": 40, "DILATION": 3}


class Model(nn.Module):
    def __init__(self, channels: int, dilation: int):
        super().__init__()
        self.past = 2 * dilation
        self.conv = nn.Conv1d(channels, 2 * channels, kernel_size=3, dilation=dilation)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        value, gate = self.conv(F.pad(x, (self.past, 0))).chunk(2, dim=1)
        return torch.tanh(value) * torch.sigmoid(gate)


def get_inputs():
    return [2.0 * torch.randn(BATCH, CHANNELS, STEPS)]


def get_init_inputs():
    return [CHANNELS, DILATION]
