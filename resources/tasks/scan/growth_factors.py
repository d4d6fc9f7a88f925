# SPDX-License-Identifier: GPL-3.0-or-later
"""Compound growth: the running product of factors along each row, nothing else."""

import torch
from torch import nn

ROWS = 30_000
STEPS = 2500
SMALL = {"ROWS": 5, "STEPS": 13}


class Model(nn.Module):
    def forward(self, growth: torch.Tensor) -> torch.Tensor:
        return torch.cumprod(growth, dim=-1)


def get_inputs():
    return [0.98 + 0.04 * torch.rand(ROWS, STEPS)]


def get_init_inputs():
    return []
