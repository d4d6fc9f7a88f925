# SPDX-License-Identifier: GPL-3.0-or-later
"""A mobile network in float16 looks near and far at once: a third of the channels each with windows of 3, 5 and 7
pixels, every channel by itself; joined, SiLU.
"""

import torch
import torch.nn.functional as F
from torch import nn

PICTURES = 96
CHANNELS = 56
SIZE = 57
SMALL = {"PICTURES": 2, "CHANNELS": 2, "SIZE": 9}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.parts = nn.ModuleList(
            nn.Conv2d(channels, channels, size, padding=size // 2, groups=channels, dtype=torch.float16)
            for size in (3, 5, 7))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pieces = x.chunk(len(self.parts), dim=1)
        return F.silu(torch.cat([part(piece) for part, piece in zip(self.parts, pieces)], dim=1))


def get_inputs():
    return [(2.0 * torch.randn(PICTURES, 3 * CHANNELS, SIZE, SIZE)).to(torch.float16)]


def get_init_inputs():
    return [CHANNELS]
