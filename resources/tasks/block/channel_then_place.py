# SPDX-License-Identifier: GPL-3.0-or-later
"""Two small attentions without products of tokens: channels weighed by mean and maximum, then places by a 7 by
7 convolution.
"""

import torch
from torch import nn

IMAGES = 32
CHANNELS = 256
NARROW = 16
SIZE = 52
SMALL = {"IMAGES": 2, "CHANNELS": 8, "NARROW": 3, "SIZE": 7}


class Model(nn.Module):
    def __init__(self, channels: int, narrow: int):
        super().__init__()
        self.down = nn.Linear(channels, narrow)
        self.up = nn.Linear(narrow, channels)
        self.place = nn.Conv2d(2, 1, 7, padding=3, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        both = torch.stack([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))])
        weight = self.up(torch.relu(self.down(both))).sum(dim=0)
        x = x * torch.sigmoid(weight)[:, :, None, None]
        both = torch.cat([x.mean(dim=1, keepdim=True), x.amax(dim=1, keepdim=True)], dim=1)
        return x * torch.sigmoid(self.place(both))


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE) + 2.0 * torch.randn(IMAGES, CHANNELS, 1, 1)]


def get_init_inputs():
    return [CHANNELS, NARROW]
