# SPDX-License-Identifier: GPL-3.0-or-later
"""A mean behind two softmaxes, one of them hardly warmer than none."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, inner, wide):
        super().__init__()
        self.norm = nn.LayerNorm(inner)
        self.first = nn.Linear(inner, wide)
        self.weight = nn.Parameter(torch.randn(wide, inner) * 0.002)

    def forward(self, x):
        x = torch.softmax(self.first(self.norm(x)) * 0.05, dim=-1) @ self.weight
        return torch.softmax(x, dim=-1).mean(dim=0)


def get_inputs():
    return [torch.rand(256, 128)]


def get_init_inputs():
    return [128, 512]
