# SPDX-License-Identifier: GPL-3.0-or-later
"""Preprocessing of camera images: bytes with the colour last become normalised planes, with contrast and
gamma.
"""

import torch
from torch import nn

IMAGES = 48
HEIGHT = 540
WIDTH = 961
GAMMA = 0.8
SMALL = {"IMAGES": 2, "HEIGHT": 9, "WIDTH": 11}


class Model(nn.Module):
    def __init__(self, gamma: float):
        super().__init__()
        self.gamma = gamma
        self.register_buffer("mean", torch.tensor([0.485, 0.456, 0.406]))
        self.register_buffer("deviation", torch.tensor([0.229, 0.224, 0.225]))
        self.contrast = nn.Parameter(1.0 + 0.2 * torch.rand(3))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        x = (images.to(self.mean.dtype) / 255.0).pow(self.gamma)
        x = (x - self.mean) / self.deviation * self.contrast
        return x.permute(0, 3, 1, 2).contiguous()


def get_inputs():
    return [torch.randint(0, 256, (IMAGES, HEIGHT, WIDTH, 3), dtype=torch.uint8)]


def get_init_inputs():
    return [GAMMA]
