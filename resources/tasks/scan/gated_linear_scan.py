# SPDX-License-Identifier: GPL-3.0-or-later
"""A recurrence without products of matrices: gates come from the input alone, the state is a weighed mean of
what came.
"""

import torch
from torch import nn

STEPS = 256
BATCH = 64
CHANNELS = 2050
SMALL = {"STEPS": 7, "BATCH": 3, "CHANNELS": 6}


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.start = nn.Parameter(torch.randn(channels))

    def forward(self, gate: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        keep = torch.sigmoid(gate)
        state, states = self.start.expand_as(value[0]), []
        for kept, new in zip(keep, torch.tanh(value)):
            state = torch.lerp(new, state, kept)
            states.append(state)
        return torch.stack(states)


def get_inputs():
    return [torch.randn(STEPS, BATCH, CHANNELS), torch.randn(STEPS, BATCH, CHANNELS)]


def get_init_inputs():
    return [CHANNELS]
