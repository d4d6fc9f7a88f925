# SPDX-License-Identifier: GPL-3.0-or-later
"""Rounded values, of which many are zero from below: torch keeps the sign of such a zero."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.step = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        return torch.round(x / self.step)


def get_inputs():
    return [torch.randn(128, 100)]


def get_init_inputs():
    return [100]
