# SPDX-License-Identifier: GPL-3.0-or-later
"""Video: the last frame is pulled along a field of motion, between pixels by bilinear weights, and blended by
a mask.
"""

import torch
import torch.nn.functional as F
from torch import nn

FRAMES = 12
CHANNELS = 16
HEIGHT = 432
WIDTH = 768
SMALL = {"FRAMES": 2, "CHANNELS": 3, "HEIGHT": 9, "WIDTH": 12}


class Model(nn.Module):
    def __init__(self, height: int, width: int):
        super().__init__()
        rows = torch.linspace(-1.0, 1.0, height)[:, None].expand(height, width)
        columns = torch.linspace(-1.0, 1.0, width).expand(height, width)
        self.register_buffer("still", torch.stack([columns, rows], dim=-1))

    def forward(self, last: torch.Tensor, flow: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        pulled = F.grid_sample(last, self.still + flow, padding_mode="border", align_corners=True)
        return mask * pulled + (1.0 - mask) * last


def get_inputs():
    flow = 0.05 * torch.randn(FRAMES, HEIGHT, WIDTH, 2)
    return [torch.randn(FRAMES, CHANNELS, HEIGHT, WIDTH), flow, torch.rand(FRAMES, 1, HEIGHT, WIDTH)]


def get_init_inputs():
    return [HEIGHT, WIDTH]
