# SPDX-License-Identifier: GPL-3.0-or-later
"""MLP-Mixer: one small network mixes the patches of each channel, another the channels of each patch; both
with residuals.
"""

import torch
from torch import nn

BATCH = 256
PATCHES = 196
WIDTH = 512
PATCH_HIDDEN = 256
HIDDEN = 2048
SMALL = {"BATCH": 2, "PATCHES": 9, "WIDTH": 10, "PATCH_HIDDEN": 6, "HIDDEN": 14}


class Model(nn.Module):
    def __init__(self, patches: int, width: int, patch_hidden: int, hidden: int):
        super().__init__()
        self.first = nn.LayerNorm(width)
        self.second = nn.LayerNorm(width)
        for norm in (self.first, self.second):
            nn.init.normal_(norm.weight, 1.0, 0.2)
            nn.init.normal_(norm.bias, 0.0, 0.3)
        self.patch = nn.Sequential(nn.Linear(patches, patch_hidden), nn.GELU(), nn.Linear(patch_hidden, patches))
        self.channel = nn.Sequential(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.patch(self.first(x).mT).mT
        return x + self.channel(self.second(x))


def get_inputs():
    return [torch.randn(BATCH, PATCHES, WIDTH)]


def get_init_inputs():
    return [PATCHES, WIDTH, PATCH_HIDDEN, HIDDEN]
