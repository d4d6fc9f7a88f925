# SPDX-License-Identifier: GPL-3.0-or-later
"""A gated unit: silu of one half times the other half."""

import torch
from torch import nn

ROWS, WIDTH = 1024, 768


class Model(nn.Module):
    def forward(self, x):
        gate, value = x.chunk(2, dim=-1)
        return torch.nn.functional.silu(gate) * value


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return []
