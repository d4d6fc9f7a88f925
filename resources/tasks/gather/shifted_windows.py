# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture is rolled by half a window and cut into windows, as before the attention of a shifted-window
transformer.
"""

import torch
from torch import nn

IMAGES = 64
SIZE = 56
CHANNELS = 320
WINDOW = 7
SHIFT = 3
SMALL = {"IMAGES": 2, "SIZE": 14, "CHANNELS": 3}


class Model(nn.Module):
    def __init__(self, window: int, shift: int, channels: int):
        super().__init__()
        self.window = window
        self.shift = shift
        self.place = nn.Parameter(torch.randn(window * window, channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        images, size, _, channels = x.shape
        count = size // self.window
        x = torch.roll(x, (-self.shift, -self.shift), dims=(1, 2))
        x = x.view(images, count, self.window, count, self.window, channels).transpose(2, 3)
        return x.reshape(-1, self.window * self.window, channels) + self.place


def get_inputs():
    return [torch.randn(IMAGES, SIZE, SIZE, CHANNELS)]


def get_init_inputs():
    return [WINDOW, SHIFT, CHANNELS]
