# SPDX-License-Identifier: GPL-3.0-or-later
"""A norm for batches of one picture: each channel is divided by the root of its mean square, and what follows is not
ReLU but a maximum with a learned threshold.
"""

import torch
from torch import nn

PICTURES = 56
CHANNELS = 72
SIZE = 90
SMALL = {"PICTURES": 2, "CHANNELS": 5, "SIZE": 6}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.factor = nn.Parameter(0.5 + torch.rand(channels, 1, 1))
        self.offset = nn.Parameter(0.3 * torch.randn(channels, 1, 1))
        self.threshold = nn.Parameter(0.4 * torch.randn(channels, 1, 1))
        self.slack = nn.Parameter(0.05 + 0.1 * torch.rand(channels, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        power = x.pow(2).mean(dim=(2, 3), keepdim=True)
        return torch.maximum(self.factor * (x * torch.rsqrt(power + self.slack.abs())) + self.offset, self.threshold)


def get_inputs():
    spread = 0.2 + torch.rand(PICTURES, CHANNELS, 1, 1)
    return [spread * torch.randn(PICTURES, CHANNELS, SIZE, SIZE) + 0.5 * torch.randn(PICTURES, CHANNELS, 1, 1)]


def get_init_inputs():
    return [CHANNELS]
