# SPDX-License-Identifier: GPL-3.0-or-later
"""Molecular networks: each distance between two atoms becomes a row of Gaussians, faded out at a cutoff."""

import math

import torch
from torch import nn

PAIRS = 600_011
CENTRES = 64
CUTOFF = 6.0
SMALL = {"PAIRS": 31, "CENTRES": 7}


class Model(nn.Module):
    def __init__(self, centres: int, cutoff: float):
        super().__init__()
        self.cutoff = cutoff
        self.centre = nn.Parameter(torch.linspace(0.5, cutoff, centres))
        self.sharpness = nn.Parameter(1.0 + torch.rand(centres))

    def forward(self, distance: torch.Tensor) -> torch.Tensor:
        fade = 0.5 * (1.0 + torch.cos(math.pi * distance.clamp(max=self.cutoff) / self.cutoff))
        away = distance[:, None] - self.centre
        return fade[:, None] * torch.exp(-self.sharpness * away * away)


def get_inputs():
    return [0.5 + 6.0 * torch.rand(PAIRS)]


def get_init_inputs():
    return [CENTRES, CUTOFF]
