# SPDX-License-Identifier: GPL-3.0-or-later
"""A smoothing filter of first order, step by step: each channel forgets at a rate of its own. Written as a
loop.
"""

import torch
from torch import nn

BATCH = 256
STEPS = 300
CHANNELS = 1100
SMALL = {"BATCH": 3, "STEPS": 7, "CHANNELS": 5}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.keep = nn.Parameter(0.3 + 0.6 * torch.rand(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        state = torch.zeros_like(x[:, 0])
        states = []
        for step in range(x.shape[1]):
            state = self.keep * state + (1.0 - self.keep) * x[:, step]
            states.append(state)
        return torch.stack(states, dim=1)


def get_inputs():
    return [torch.randn(BATCH, STEPS, CHANNELS)]


def get_init_inputs():
    return [CHANNELS]
