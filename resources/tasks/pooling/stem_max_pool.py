# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlapping max pooling after the stem of an image network, colour last in memory, odd sizes."""

import torch
from torch import nn

IMAGES = 64
CHANNELS = 72
SIZE = 113
SMALL = {"IMAGES": 2, "CHANNELS": 4, "SIZE": 9}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pool(torch.relu(x))


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE).to(memory_format=torch.channels_last)]


def get_init_inputs():
    return []
