# SPDX-License-Identifier: GPL-3.0-or-later
"""Channels compete: each is weighed by its share of the picture's energy, and added to what came in (ConvNeXt
V2).
"""

import torch
from torch import nn

IMAGES = 40
SIZE = 56
CHANNELS = 384
SMALL = {"IMAGES": 2, "SIZE": 5, "CHANNELS": 7}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.gain = nn.Parameter(0.5 * torch.randn(channels))
        self.bias = nn.Parameter(0.3 * torch.randn(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        energy = torch.linalg.vector_norm(x, dim=(1, 2), keepdim=True)
        share = energy / (energy.mean(dim=-1, keepdim=True) + 1e-6)
        return x + self.gain * (x * share) + self.bias


def get_inputs():
    return [torch.randn(IMAGES, SIZE, SIZE, CHANNELS) * (0.2 + torch.rand(CHANNELS))]


def get_init_inputs():
    return [CHANNELS]
