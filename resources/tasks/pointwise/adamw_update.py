# SPDX-License-Identifier: GPL-3.0-or-later
"""AdamW as a function: parameter, gradient and both moments in; the new parameter and moments out."""

import torch
from torch import nn

COUNT = 24_000_001
RATE = 3e-2
DECAY = 0.1
SMALL = {"COUNT": 301}


class Model(nn.Module):
    def __init__(self, rate: float, decay: float):
        super().__init__()
        self.rate = rate
        self.decay = decay

    def forward(self, weight: torch.Tensor, gradient: torch.Tensor, first: torch.Tensor, second: torch.Tensor):
        first = torch.lerp(gradient, first, 0.9)
        second = 0.99 * second + 0.01 * gradient * gradient
        step = first / (torch.sqrt(second) + 1e-8)
        weight = weight * (1.0 - self.rate * self.decay) - self.rate * step
        return weight, first, second


def get_inputs():
    return [0.1 * torch.randn(COUNT), torch.randn(COUNT), 0.5 * torch.randn(COUNT), torch.rand(COUNT) + 0.01]


def get_init_inputs():
    return [RATE, DECAY]
