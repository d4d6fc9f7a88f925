# SPDX-License-Identifier: GPL-3.0-or-later
"""The heart of a selective state-space layer: each channel has 16 states that decay and take in at rates the
input sets.
"""

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 32
STEPS = 256
CHANNELS = 1536
STATES = 16
SMALL = {"BATCH": 2, "STEPS": 5, "CHANNELS": 6, "STATES": 3}


class Model(nn.Module):
    def __init__(self, channels: int, states: int):
        super().__init__()
        self.log_decay = nn.Parameter(torch.log(1.0 + torch.arange(states).float()).repeat(channels, 1))
        self.skip = nn.Parameter(torch.randn(channels))

    def forward(self, x: torch.Tensor, pace: torch.Tensor, intake: torch.Tensor, readout: torch.Tensor) -> torch.Tensor:
        decay = -torch.exp(self.log_decay)
        pace = F.softplus(pace)
        state = x.new_zeros(x.shape[0], *decay.shape)
        out = []
        for step in range(x.shape[1]):
            now = pace[:, step, :, None]
            state = torch.exp(now * decay) * state + now * x[:, step, :, None] * intake[:, step, None, :]
            out.append((state * readout[:, step, None, :]).sum(dim=-1))
        return torch.stack(out, dim=1) + self.skip * x


def get_inputs():
    wide, narrow = (BATCH, STEPS, CHANNELS), (BATCH, STEPS, STATES)
    return [torch.randn(wide), torch.randn(wide) - 1.0, torch.randn(narrow), torch.randn(narrow)]


def get_init_inputs():
    return [CHANNELS, STATES]
