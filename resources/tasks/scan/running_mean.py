# SPDX-License-Identifier: GPL-3.0-or-later
"""The mean of all that a series has shown so far, and how far each value is from it."""

import torch
from torch import nn

SERIES = 4096
STEPS = 6001
SMALL = {"SERIES": 5, "STEPS": 33}


class Model(nn.Module):
    def __init__(self, steps: int):
        super().__init__()
        self.register_buffer("count", torch.arange(1.0, steps + 1.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x - torch.cumsum(x, dim=-1) / self.count


def get_inputs():
    return [torch.randn(SERIES, STEPS) + torch.randn(SERIES, 1)]


def get_init_inputs():
    return [STEPS]
