# SPDX-License-Identifier: GPL-3.0-or-later
"""A maximum less its own mean: degenerate, and zero."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, inner, wide):
        super().__init__()
        self.gemm = nn.Linear(inner, wide)

    def forward(self, x):
        x = self.gemm(x).max(dim=1, keepdim=True).values
        return torch.nn.functional.gelu(x - x.mean(dim=1, keepdim=True))


def get_inputs():
    return [torch.rand(64, 128)]


def get_init_inputs():
    return [128, 512]
