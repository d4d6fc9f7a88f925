# SPDX-License-Identifier: GPL-3.0-or-later
"""Points of a laser scan fetch picture features where a camera sees them: four pixels around each point, weighed by
how near they are; then a factor for each channel.
"""

import torch
from torch import nn

SCENES = 8
CHANNELS = 128
HEIGHT = 94
WIDTH = 311
POINTS = 15_000
SMALL = {"SCENES": 2, "CHANNELS": 3, "HEIGHT": 7, "WIDTH": 9, "POINTS": 11}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.factor = nn.Parameter(0.5 + torch.rand(channels, 1))

    def forward(self, features: torch.Tensor, points: torch.Tensor) -> torch.Tensor:
        channels, height, width = features.shape[1:]
        x = points[:, :, 0] * (width - 1)
        y = points[:, :, 1] * (height - 1)
        left = x.floor().clamp(0, width - 2)
        top = y.floor().clamp(0, height - 2)
        right_share = (x - left)[:, None]
        lower_share = (y - top)[:, None]
        place = (top * width + left).long()[:, None].expand(-1, channels, -1)
        flat = features.flatten(2)
        upper = flat.gather(2, place) * (1.0 - right_share) + flat.gather(2, place + 1) * right_share
        lower = flat.gather(2, place + width) * (1.0 - right_share) + flat.gather(2, place + width + 1) * right_share
        return self.factor * (upper * (1.0 - lower_share) + lower * lower_share)


def get_inputs():
    return [torch.randn(SCENES, CHANNELS, HEIGHT, WIDTH), torch.rand(SCENES, POINTS, 2)]


def get_init_inputs():
    return [CHANNELS]
