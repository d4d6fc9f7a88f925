# SPDX-License-Identifier: GPL-3.0-or-later
"""Channels first, as a sound comes: the transposed view is projected, and each frame gets layer norm and ReLU."""

import torch
from torch import nn

SOUNDS = 16
CHANNELS = 1000
FRAMES = 1501
WIDTH = 768
SMALL = {"SOUNDS": 2, "CHANNELS": 9, "FRAMES": 6, "WIDTH": 11}


class Model(nn.Module):
    def __init__(self, channels: int, width: int):
        super().__init__()
        self.project = nn.Linear(channels, width)
        self.norm = nn.LayerNorm(width)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.norm(self.project(x.transpose(1, 2))))


def get_inputs():
    return [torch.randn(SOUNDS, CHANNELS, FRAMES)]


def get_init_inputs():
    return [CHANNELS, WIDTH]
