# SPDX-License-Identifier: GPL-3.0-or-later
"""An echo state network: a fixed random reservoir, leaky states driven by a signal, and a learned readout of
all steps.
"""

import torch
from torch import nn

STEPS = 100
BATCH = 32
INPUTS = 24
UNITS = 1500
OUTPUTS = 40
SMALL = {"STEPS": 5, "BATCH": 3, "INPUTS": 4, "UNITS": 11, "OUTPUTS": 3}


class Model(nn.Module):
    def __init__(self, inputs: int, units: int, outputs: int):
        super().__init__()
        self.register_buffer("reservoir", 0.9 * torch.randn(units, units) / units**0.5)
        self.register_buffer("drive", torch.randn(inputs, units) / inputs**0.5)
        self.leak = nn.Parameter(0.2 + 0.6 * torch.rand(units))
        self.readout = nn.Linear(units, outputs)

    def forward(self, signal: torch.Tensor) -> torch.Tensor:
        driven = signal @ self.drive
        state, states = torch.zeros_like(driven[:, 0]), []
        for step in range(signal.shape[1]):
            fresh = torch.tanh(driven[:, step] + state @ self.reservoir)
            state = (1.0 - self.leak) * state + self.leak * fresh
            states.append(state)
        return self.readout(torch.stack(states, dim=1))


def get_inputs():
    return [torch.randn(BATCH, STEPS, INPUTS)]


def get_init_inputs():
    return [INPUTS, UNITS, OUTPUTS]
