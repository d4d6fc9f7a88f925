# SPDX-License-Identifier: GPL-3.0-or-later
"""Channel correction in radio receivers: pairs of real and imaginary parts are turned and scaled by a phase
for each carrier.
"""

import torch
from torch import nn

FRAMES = 6144
CARRIERS = 3276
SMALL = {"FRAMES": 5, "CARRIERS": 17}


class Model(nn.Module):
    def __init__(self, carriers: int):
        super().__init__()
        self.phase = nn.Parameter(3.0 * torch.rand(carriers))
        self.gain = nn.Parameter(0.5 + torch.rand(carriers))

    def forward(self, real: torch.Tensor, imaginary: torch.Tensor):
        cosine = self.gain * torch.cos(self.phase)
        sine = self.gain * torch.sin(self.phase)
        return real * cosine - imaginary * sine, real * sine + imaginary * cosine


def get_inputs():
    return [torch.randn(FRAMES, CARRIERS), torch.randn(FRAMES, CARRIERS)]


def get_init_inputs():
    return [CARRIERS]
