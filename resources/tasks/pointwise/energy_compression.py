# SPDX-License-Identifier: GPL-3.0-or-later
"""Front end of a speech recogniser: energies of mel bands are divided by a smooth loudness and compressed by a
root (PCEN).
"""

import torch
from torch import nn

BATCH = 96
BANDS = 80
FRAMES = 3001
SMALL = {"BATCH": 2, "BANDS": 5, "FRAMES": 17}


class Model(nn.Module):
    def __init__(self, bands: int):
        super().__init__()
        self.gain = nn.Parameter(0.6 + 0.3 * torch.rand(bands, 1))
        self.bias = nn.Parameter(1.0 + torch.rand(bands, 1))
        self.root = nn.Parameter(0.3 + 0.4 * torch.rand(bands, 1))

    def forward(self, energy: torch.Tensor, loudness: torch.Tensor) -> torch.Tensor:
        level = energy * torch.exp(-self.gain * torch.log(loudness + 1e-3))
        return (level + self.bias).pow(self.root) - self.bias.pow(self.root)


def get_inputs():
    return [3.0 * torch.rand(BATCH, BANDS, FRAMES), 0.1 + torch.rand(BATCH, BANDS, FRAMES)]


def get_init_inputs():
    return [BANDS]
