# SPDX-License-Identifier: GPL-3.0-or-later
"""A vocoder makes sound from frames: leaky ReLU, a transposed convolution of stride 8 in time, and tanh."""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 32
CHANNELS = 256
OUTPUTS = 96
FRAMES = 1201
SMALL = {"BATCH": 2, "CHANNELS": 4, "OUTPUTS": 3, "FRAMES": 7}


class Model(nn.Module):
    def __init__(self, channels: int, outputs: int):
        super().__init__()
        self.up = nn.ConvTranspose1d(channels, outputs, kernel_size=16, stride=8, padding=4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.up(F.leaky_relu(x, 0.1)))


def get_inputs():
    return [3.0 * torch.randn(BATCH, CHANNELS, FRAMES)]


def get_init_inputs():
    return [CHANNELS, OUTPUTS]
