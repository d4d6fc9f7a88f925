# SPDX-License-Identifier: GPL-3.0-or-later
"""Sound: the 2047 amplitudes of a spectrum without its constant part become features of a frame, in bfloat16, with
bias and SELU.
"""

import torch
import torch.nn.functional as F
from torch import nn

FRAMES = 12_000
BINS = 2047
FEATURES = 3072
SMALL = {"FRAMES": 5, "BINS": 19, "FEATURES": 8}


class Model(nn.Module):
    def __init__(self, bins: int, features: int):
        super().__init__()
        self.weight = nn.Parameter((torch.randn(features, bins) / bins**0.5).to(torch.bfloat16))
        self.bias = nn.Parameter((0.5 * torch.randn(features)).to(torch.bfloat16))

    def forward(self, amplitudes: torch.Tensor) -> torch.Tensor:
        return F.selu(F.linear(amplitudes, self.weight, self.bias))


def get_inputs():
    return [torch.randn(FRAMES, BINS).abs().to(torch.bfloat16)]


def get_init_inputs():
    return [BINS, FEATURES]
