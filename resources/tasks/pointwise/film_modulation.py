# SPDX-License-Identifier: GPL-3.0-or-later
"""FiLM: a condition scales and shifts each channel of each image, then SiLU; in visual reasoning and diffusion
models.
"""

import torch
from torch import nn

IMAGES = 24
CHANNELS = 96
HEIGHT = 112
WIDTH = 168
SMALL = {"IMAGES": 3, "CHANNELS": 5, "HEIGHT": 6, "WIDTH": 7}


class Model(nn.Module):
    def forward(self, x: torch.Tensor, scale: torch.Tensor, shift: torch.Tensor) -> torch.Tensor:
        h = x * (1.0 + scale[:, :, None, None]) + shift[:, :, None, None]
        return h * torch.sigmoid(h)


def get_inputs():
    return [
        torch.randn(IMAGES, CHANNELS, HEIGHT, WIDTH),
        0.5 * torch.randn(IMAGES, CHANNELS),
        torch.randn(IMAGES, CHANNELS),
    ]


def get_init_inputs():
    return []
