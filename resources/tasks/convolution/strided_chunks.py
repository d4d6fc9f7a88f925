# SPDX-License-Identifier: GPL-3.0-or-later
"""The first layer of a speech network: raw sound, windows of 10 samples at every fifth, to 512 channels; GELU."""

import torch
import torch.nn.functional as F
from torch import nn

SOUNDS = 16
SAMPLES = 80_003
OUTPUTS = 512
SMALL = {"SOUNDS": 2, "SAMPLES": 53, "OUTPUTS": 7}


class Model(nn.Module):
    def __init__(self, outputs: int):
        super().__init__()
        self.conv = nn.Conv1d(1, outputs, kernel_size=10, stride=5, bias=False)

    def forward(self, sound: torch.Tensor) -> torch.Tensor:
        return F.gelu(self.conv(sound))


def get_inputs():
    return [3.0 * torch.randn(SOUNDS, 1, SAMPLES)]


def get_init_inputs():
    return [OUTPUTS]
