# SPDX-License-Identifier: GPL-3.0-or-later
"""A reverberation tail: an echo that decays over 60 steps. What it ends with is denormal."""

import torch
from torch import nn

CHANNELS, SAMPLES, STEPS = 64, 2048, 60


class Model(nn.Module):
    def __init__(self, steps):
        super().__init__()
        self.steps = steps
        self.decay = nn.Parameter(torch.tensor(0.2))

    def forward(self, x):
        y, echo = x, x
        for _ in range(self.steps):
            echo = echo * self.decay
            y = y + echo
        return y, echo


def get_inputs():
    return [torch.randn(CHANNELS, SAMPLES)]


def get_init_inputs():
    return [STEPS]
