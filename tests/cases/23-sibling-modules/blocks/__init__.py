# SPDX-License-Identifier: GPL-3.0-or-later
import torch
from torch import nn


class GatedMixer(nn.Module):
    """Half of the channels, mixed over tokens, gates the other half."""

    def __init__(self, width, tokens):
        super().__init__()
        self.into = nn.Linear(width, 2 * width)
        self.mix = nn.Linear(tokens, tokens)
        self.out = nn.Linear(width, width)
        nn.init.ones_(self.mix.bias)

    def forward(self, x):
        value, gate = nn.functional.gelu(self.into(x)).chunk(2, dim=-1)
        gate = self.mix(gate.transpose(1, 2)).transpose(1, 2)
        return self.out(value * gate)
