# SPDX-License-Identifier: GPL-3.0-or-later
"""Restoration is judged by structure: means, variances and covariance of two pictures under a Gaussian window of 11 by
11, and how alike they are (SSIM); a mean for each picture, with a weight for each colour.
"""

import torch
import torch.nn.functional as F
from torch import nn

PICTURES = 24
COLOURS = 3
HEIGHT = 320
WIDTH = 421
SMALL = {"PICTURES": 2, "HEIGHT": 17, "WIDTH": 19}


class Model(nn.Module):
    def __init__(self, colours: int, window: int, deviation: float):
        super().__init__()
        line = torch.exp(-0.5 * ((torch.arange(window) - window // 2) / deviation).square())
        line = line / line.sum()
        self.register_buffer("window", (line[:, None] * line).expand(colours, 1, window, window).contiguous())
        self.colour_weight = nn.Parameter(0.1 + torch.rand(colours, 1, 1))

    def smooth(self, x: torch.Tensor) -> torch.Tensor:
        return F.conv2d(x, self.window, groups=x.shape[1])

    def forward(self, found: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
        mean, wanted_mean = self.smooth(found), self.smooth(wanted)
        variance = self.smooth(found * found) - mean * mean
        wanted_variance = self.smooth(wanted * wanted) - wanted_mean * wanted_mean
        covariance = self.smooth(found * wanted) - mean * wanted_mean
        light = (2.0 * mean * wanted_mean + 1e-4) / (mean.square() + wanted_mean.square() + 1e-4)
        structure = (2.0 * covariance + 9e-4) / (variance + wanted_variance + 9e-4)
        return (1.0 - light * structure).mul(self.colour_weight).mean(dim=(1, 2, 3))


def get_inputs():
    wanted = torch.rand(PICTURES, COLOURS, HEIGHT, WIDTH)
    error = 0.05 + 0.5 * torch.rand(PICTURES, 1, 1, 1)
    return [wanted + error * torch.randn(PICTURES, COLOURS, HEIGHT, WIDTH), wanted]


def get_init_inputs():
    return [COLOURS, 11, 1.5]
