# SPDX-License-Identifier: GPL-3.0-or-later
"""Style transfer: the Gram matrix of each picture's channels, less that of a style, weighed: a product with
itself.
"""

import torch
from torch import nn

IMAGES = 12
CHANNELS = 384
SIZE = 90
SMALL = {"IMAGES": 2, "CHANNELS": 6, "SIZE": 5}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.style = nn.Parameter(0.1 * torch.randn(channels, channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        flat = x.flatten(2)
        gram = flat @ flat.mT / flat.shape[-1]
        return (gram - self.style).square()


def get_inputs():
    return [torch.randn(IMAGES, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS]
