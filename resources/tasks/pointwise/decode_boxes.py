# SPDX-License-Identifier: GPL-3.0-or-later
"""Detection: offsets to anchor boxes become corners of boxes, with the logarithmic sizes bounded before exp."""

import torch
from torch import nn

IMAGES = 32
ANCHORS = 163200
LARGEST = 2.5
SMALL = {"IMAGES": 3, "ANCHORS": 50}


class Model(nn.Module):
    def __init__(self, anchors: int, largest: float):
        super().__init__()
        self.largest = largest
        self.register_buffer("centre", 512.0 * torch.rand(anchors, 2))
        self.register_buffer("size", 16.0 + 200.0 * torch.rand(anchors, 2))
        self.variance = nn.Parameter(torch.tensor([0.1, 0.1, 0.2, 0.2]))

    def forward(self, offsets: torch.Tensor) -> torch.Tensor:
        offsets = offsets * self.variance
        centre = self.centre + offsets[..., :2] * self.size
        half = 0.5 * self.size * torch.exp(offsets[..., 2:].clamp(max=self.largest))
        return torch.cat([centre - half, centre + half], dim=-1)


def get_inputs():
    return [4.0 * torch.randn(IMAGES, ANCHORS, 4)]


def get_init_inputs():
    return [ANCHORS, LARGEST]
