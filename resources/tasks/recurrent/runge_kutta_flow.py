# SPDX-License-Identifier: GPL-3.0-or-later
"""A neural differential equation: a small network is the speed, integrated by eight steps of Runge and Kutta's
fourth order.
"""

import torch
from torch import nn

SAMPLES = 100_000
WIDTH = 128
HIDDEN = 384
STEPS = 8
SMALL = {"SAMPLES": 5, "WIDTH": 6, "HIDDEN": 9, "STEPS": 2}


class Model(nn.Module):
    def __init__(self, width: int, hidden: int, steps: int):
        super().__init__()
        self.steps = steps
        self.inner = nn.Linear(width, hidden)
        self.outer = nn.Linear(hidden, width)

    def speed(self, x: torch.Tensor) -> torch.Tensor:
        return self.outer(torch.tanh(2.0 * self.inner(x)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        span = 2.0 / self.steps
        for _ in range(self.steps):
            first = self.speed(x)
            second = self.speed(x + 0.5 * span * first)
            third = self.speed(x + 0.5 * span * second)
            fourth = self.speed(x + span * third)
            x = x + span / 6.0 * (first + 2.0 * second + 2.0 * third + fourth)
        return x


def get_inputs():
    return [torch.randn(SAMPLES, WIDTH)]


def get_init_inputs():
    return [WIDTH, HIDDEN, STEPS]
