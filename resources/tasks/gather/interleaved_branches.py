# SPDX-License-Identifier: GPL-3.0-or-later
"""ShuffleNet: two branches are joined, their channels interleaved by a transposition, and split again into two
results.
"""

import torch
from torch import nn

IMAGES = 48
CHANNELS = 116
SIZE = 84
SMALL = {"IMAGES": 2, "CHANNELS": 4, "SIZE": 5}


class Model(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor):
        joined = torch.cat([a, b], dim=1).unflatten(1, (2, -1))
        mixed = joined.transpose(1, 2).flatten(1, 2)
        left, right = mixed.chunk(2, dim=1)
        return left.contiguous(), torch.relu(right)


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE), torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return []
