# SPDX-License-Identifier: GPL-3.0-or-later
"""The strongest response of each channel and where it is, over the middle dimension: strides lie between its
elements.
"""

import torch
from torch import nn

BATCH = 400
POSITIONS = 301
CHANNELS = 1020
SMALL = {"BATCH": 3, "POSITIONS": 13, "CHANNELS": 7}


class Model(nn.Module):
    def forward(self, x: torch.Tensor):
        return torch.max(x, dim=1)


def get_inputs():
    return [torch.randn(BATCH, POSITIONS, CHANNELS)]


def get_init_inputs():
    return []
