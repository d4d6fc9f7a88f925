# SPDX-License-Identifier: GPL-3.0-or-later
"""Generalised linear model of neurons: 1533 values of stimulus and spike history through a filter for each neuron,
softplus, gain, and a ceiling that the rate nears.
"""

import torch
import torch.nn.functional as F
from torch import nn

STEPS = 12_000
HISTORY = 1533
NEURONS = 3000
SMALL = {"STEPS": 5, "HISTORY": 11, "NEURONS": 7}


class Model(nn.Module):
    def __init__(self, history: int, neurons: int):
        super().__init__()
        self.filters = nn.Parameter(1.5 * torch.randn(history, neurons) / history**0.5)
        self.threshold = nn.Parameter(0.5 + torch.rand(neurons))
        self.gain = nn.Parameter(0.5 + 2.0 * torch.rand(neurons))
        self.ceiling = nn.Parameter(3.0 + 2.0 * torch.rand(neurons))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rate = self.gain * F.softplus(x @ self.filters - self.threshold)
        return rate / (1.0 + rate / self.ceiling)


def get_inputs():
    return [torch.randn(STEPS, HISTORY)]


def get_init_inputs():
    return [HISTORY, NEURONS]
