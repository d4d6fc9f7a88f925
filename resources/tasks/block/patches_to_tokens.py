# SPDX-License-Identifier: GPL-3.0-or-later
"""The entrance of a vision transformer: 14 by 14 patches by a strided convolution, a class token, places,
layer norm.
"""

import torch
from torch import nn

IMAGES = 96
WIDTH = 640
SIZE = 224
PATCH = 14
SMALL = {"IMAGES": 2, "WIDTH": 9, "SIZE": 12, "PATCH": 4}


class Model(nn.Module):
    def __init__(self, width: int, size: int, patch: int):
        super().__init__()
        self.patches = nn.Conv2d(3, width, patch, stride=patch)
        self.first = nn.Parameter(torch.randn(width))
        self.place = nn.Parameter(0.5 * torch.randn((size // patch) ** 2 + 1, width))
        self.norm = nn.LayerNorm(width)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        tokens = self.patches(images).flatten(2).transpose(1, 2)
        first = self.first.expand(tokens.shape[0], 1, -1)
        return self.norm(torch.cat([first, tokens], dim=1) + self.place)


def get_inputs():
    return [torch.randn(IMAGES, 3, SIZE, SIZE)]


def get_init_inputs():
    return [WIDTH, SIZE, PATCH]
