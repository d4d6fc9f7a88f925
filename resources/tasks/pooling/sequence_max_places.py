# SPDX-License-Identifier: GPL-3.0-or-later
"""A sound of any length becomes 61 maxima for each channel, with their places, for looking up what caused
them.
"""

import torch
import torch.nn.functional as F
from torch import nn

SOUNDS = 96
CHANNELS = 128
STEPS = 9000
SMALL = {"SOUNDS": 2, "CHANNELS": 3, "STEPS": 150}


class Model(nn.Module):
    def forward(self, x: torch.Tensor):
        return F.adaptive_max_pool1d(x, 61, return_indices=True)


def get_inputs():
    return [torch.randn(SOUNDS, CHANNELS, STEPS)]


def get_init_inputs():
    return []
