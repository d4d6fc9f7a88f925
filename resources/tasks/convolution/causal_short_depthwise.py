# SPDX-License-Identifier: GPL-3.0-or-later
"""The short convolution of a state-space layer: each channel looks four tokens back, then SiLU; channels come
last.
"""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 16
TOKENS = 2048
CHANNELS = 1792
SMALL = {"BATCH": 2, "TOKENS": 9, "CHANNELS": 6}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.conv = nn.Conv1d(channels, channels, kernel_size=4, groups=channels, padding=3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.conv(x.transpose(1, 2))[..., : x.shape[1]]
        return F.silu(h).transpose(1, 2)


def get_inputs():
    return [2.0 * torch.randn(BATCH, TOKENS, CHANNELS)]


def get_init_inputs():
    return [CHANNELS]
