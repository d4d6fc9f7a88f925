# SPDX-License-Identifier: GPL-3.0-or-later
"""How a speech recogniser begins: sound is sharpened, windows of 400 samples at every 160th meet sines and cosines as
one strided convolution, energies are gathered in bands, and their logarithm is normalised.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn

SOUNDS = 48
SAMPLES = 80_000
WINDOW = 400
STEP = 160
BANDS = 80
SMALL = {"SOUNDS": 2, "SAMPLES": 201, "WINDOW": 32, "STEP": 12, "BANDS": 4}


class Model(nn.Module):
    def __init__(self, window: int, step: int, bands: int):
        super().__init__()
        self.step = step
        count = window // 2 + 1
        angle = 2.0 * math.pi / window * torch.arange(window) * torch.arange(count)[:, None]
        waves = torch.cat([torch.cos(angle), torch.sin(angle)]) * torch.hann_window(window) / window**0.5
        self.register_buffer("waves", waves[:, None])
        # Triangles, wider the higher they lie.
        edges = (count - 1) * torch.linspace(0.0, 1.0, bands + 2)[:, None].pow(1.5)
        bins = torch.arange(count)
        rising = (bins - edges[:-2] + 1.0) / (edges[1:-1] - edges[:-2] + 1.0)
        falling = (edges[2:] - bins + 1.0) / (edges[2:] - edges[1:-1] + 1.0)
        self.register_buffer("bands", torch.minimum(rising, falling).clamp(min=0.0))
        self.mean = nn.Parameter(torch.randn(bands, 1))
        self.deviation = nn.Parameter(0.5 + torch.rand(bands, 1))

    def forward(self, sound: torch.Tensor) -> torch.Tensor:
        sharp = sound[:, 1:] - 0.97 * sound[:, :-1]
        real, imaginary = F.conv1d(sharp[:, None], self.waves, stride=self.step).chunk(2, dim=1)
        energy = torch.matmul(self.bands, real.square() + imaginary.square())
        return (torch.log(energy + 1e-6) - self.mean) / self.deviation


def get_inputs():
    loudness = 0.1 + torch.rand(SOUNDS, 1)
    return [loudness * torch.randn(SOUNDS, SAMPLES)]


def get_init_inputs():
    return [WINDOW, STEP, BANDS]
